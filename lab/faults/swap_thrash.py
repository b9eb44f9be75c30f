# SPDX-License-Identifier: Apache-2.0
"""The host swaps a server's own memory in and out: there is more in use than there is memory."""
from scenario import fault
from stage import MiB, Stage, kernel


@fault("swap-thrash", status=("critical", "warning"), smoke=True)
def weights_larger_than_what_is_left(stage: Stage) -> None:
    """Locked memory of others leaves 1.6 GiB; a server walks 2.2 GiB of its own weights, and a swap file takes the rest."""
    model = stage.safetensors(2200)
    stage.swap_file(4096)
    stage.ballast(leave=1600 * MiB, locked=True, floor=0)
    server = stage.installed("weights_in_memory", "vllm", ["serve", model.parent, "--port", "8000"],
                             paths=[str(model)], then="walk", uncached=True)
    server.await_line("ready", within=120)
    stage.until_rate("pages swapped in", lambda: kernel.vmstat("pswpin"), at_least=2_000)
    stage.show_wait(server)


@fault("swap-thrash", status=("critical", "warning"))
def weights_compressed_again_and_again(stage: Stage) -> None:
    """The same on a host whose swap is compressed memory: nothing is read from any disk, and the server still waits."""
    blank = stage.sparse(3000)
    stage.compressed_swap(4096)
    stage.ballast(leave=1600 * MiB, locked=True, floor=0)
    server = stage.installed("weights_in_memory", "sglang", ["serve", "--model-path", blank.parent, "--port", "30000"],
                             paths=[str(blank)], then="walk", uncached=True)
    server.await_line("ready", within=120)
    stage.until_rate("pages swapped in", lambda: kernel.vmstat("pswpin"), at_least=2_000)
    stage.show_wait(server)
