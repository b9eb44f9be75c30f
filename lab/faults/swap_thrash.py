# SPDX-License-Identifier: Apache-2.0
"""The host swaps the memory a server is working on."""
from functools import partial

from scenario import fault
from stage import GiB, Stage, kernel


@fault("swap-thrash", status=("critical", "warning"))
def weights_on_swap(stage: Stage) -> None:
    """A neighbour has locked all memory but 2 GiB; a server walks 3 GiB of its own weights, a third of them on swap."""
    model = stage.safetensors(3072)
    stage.swap_file(6144)
    stage.ballast(leave=2 * GiB, locked=True, floor=0)
    server = stage.installed("weights_in_memory", "vllm", ["serve", model.parent, "--device", "cpu"],
                             paths=[str(model)], then="walk", uncached=True)
    server.await_line("ready", within=180)
    stage.until_rate("pages swapped in", partial(kernel.vmstat, "pswpin"), at_least=2_000, within=90)
    stage.proof.rate("pages swapped out", partial(kernel.vmstat, "pswpout"))
    stage.show_wait(server)


@fault("swap-thrash", status=("critical", "warning"))
def weights_on_compressed_swap(stage: Stage) -> None:
    """The same with memory that is compressed as swap: nothing is read from any disk, and the server still waits."""
    model = stage.repetitive(3000)
    stage.compressed_swap(4096)
    stage.ballast(leave=2 * GiB, locked=True, floor=0)
    server = stage.installed("weights_in_memory", "sglang", ["serve", "--model-path", model.parent, "--port", "30000"],
                             paths=[str(model)], then="walk", uncached=True)
    server.await_line("ready", within=120)
    stage.until_rate("pages swapped in", partial(kernel.vmstat, "pswpin"), at_least=2_000, within=90)
    stage.show_wait(server)
