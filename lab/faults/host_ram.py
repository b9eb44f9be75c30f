# SPDX-License-Identifier: Apache-2.0
"""The memory of the host is used up by what cannot be reclaimed, and there is no swap."""
from scenario import fault
from stage import MiB, Stage, kernel
from stage.outcome import Skipped

_SHARE_LEFT = 0.037           # of the host: under the 5 % where "95 % used" begins, above what its own processes need
_LEAST = 500 * MiB


@fault("host-ram", status=("critical", "warning"))
def neighbour_takes_the_host(stage: Stage) -> None:
    """An idle server holds its weights; a neighbour takes memory until less than 4 % of the host is available."""
    _without_swap()
    model = stage.safetensors(600)
    stage.script("weights_in_memory", ["--model", model.parent], paths=[str(model)]).await_line("ready")
    stage.ballast(leave=_left(), floor=_LEAST)
    stage.until("share of memory available", kernel.available_share, at_most=0.045)


@fault("host-ram", status=("critical", "warning"))
def weights_of_the_servers_fill_the_host(stage: Stage) -> None:
    """Two servers hold different models of 2 GiB each, and the host's other programs have taken nearly all the rest."""
    _without_swap()
    first, second = stage.safetensors(2048), stage.safetensors(2100)
    for program, port, model in (("vllm", 8000, first), ("sglang", 30000, second)):
        stage.installed("weights_in_memory", program, ["serve", model.parent, "--port", port], paths=[str(model)],
                        uncached=True).await_line("ready", within=120)
    stage.ballast(leave=_left(), floor=_LEAST)
    stage.until("share of memory available", kernel.available_share, at_most=0.045)


def _left() -> int:
    left = int(kernel.meminfo()["MemTotal"] * _SHARE_LEFT)
    if left < _LEAST:
        raise Skipped("4 % of this host's memory is too little to leave to its other processes")
    return left


def _without_swap() -> None:
    if kernel.meminfo()["SwapTotal"]:
        raise Skipped("this host has swap, and the story is about one without")
