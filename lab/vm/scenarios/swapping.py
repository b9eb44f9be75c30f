# SPDX-License-Identifier: Apache-2.0
"""Swap under cgroup v2, on a disk of its own."""
from functools import partial

from scenario import fault
from stage import MiB, Stage, kernel
from stage.processes import as_installed

SWAP = "/dev/nvme0n4"


@fault("cgroup-limit", status=("critical", "warning"))
def weights_swapped_out_by_memory_max(stage: Stage) -> None:
    """A server walks 160 MiB of its own weights in a box of 100 MiB, with swap for the rest: the box makes it swap."""
    model = stage.safetensors(160)
    stage.swap_disk(SWAP)
    box = stage.group("tgi").limit_memory(100 * MiB)
    server = stage.script("weights_in_memory", ["--model-id", model.parent], box, paths=[str(model)], then="walk",
                          uncached=True)
    server.await_line("ready", within=120)
    stage.until_rate("pages swapped in", box.swap_ins, at_least=300)
    stage.show_wait(server, box)


@fault("cgroup-limit", status="critical")
def swap_forbidden_to_the_box(stage: Stage) -> None:
    """The host has swap, memory.swap.max of the box is 0: the same server is killed instead of swapped, again and again."""
    model = stage.safetensors(160)
    stage.swap_disk(SWAP)
    box = stage.group("tgi").limit_memory(100 * MiB).limit_swap(0)
    command = as_installed("weights_in_memory", "text-generation-launcher", ["--model-id", model.parent])
    stage.supervised(command, box, paths=[str(model)])
    stage.until("kills", box.oom_kills, at_least=2)
    stage.until("MiB of the host's swap that are used", kernel.swap_used_mib, at_most=8)


@fault("swap-thrash", status=("critical", "warning"))
def host_swaps_the_weights(stage: Stage) -> None:
    """No box has a limit; a neighbour has locked all of the host but 480 MiB, and a server walks 600 MiB of weights."""
    model = stage.safetensors(600)
    stage.swap_disk(SWAP)
    stage.ballast(leave=480 * MiB, locked=True, floor=0)
    server = stage.installed("weights_in_memory", "vllm", ["serve", model.parent, "--device", "cpu"], stage.group("vllm"),
                             paths=[str(model)], then="walk", uncached=True)
    server.await_line("ready", within=200)
    stage.until_rate("pages swapped in", partial(kernel.vmstat, "pswpin"), at_least=300, within=90)
    stage.show_wait(server)

