# SPDX-License-Identifier: Apache-2.0
"""Addresses are refused while memory is free: by `ulimit -v`, or because the kernel counts promises strictly."""
from pathlib import Path

from lookalikes.calm import waiting_server
from scenario import fault
from stage import GiB, MiB, Stage, kernel
from stage.outcome import Skipped
from stage.processes import limited

_TIMES_RAM = 10               # promised in all: the twentieth that is left before it counts as used up is half the RAM
_LEAST = 4 * GiB              # of promises that are left for everybody else on this host, always


@fault("address-space-limit", status="warning", smoke=True)
def addresses_are_nearly_used_up(stage: Stage) -> None:
    """Under `ulimit -v` of 2 GiB a server has mapped its model and reserved arenas: 97 % of the addresses it may have."""
    model = stage.gguf(300)
    limit, interpreter = 2 * GiB, 30 * MiB
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                           under=limited(**{"as": limit}), path=str(model), tokens=1,
                           reserve=int(limit * 0.97) - 300 * MiB - interpreter)
    server.await_line("idle")
    stage.until("share of the addresses it may have", lambda: kernel.status(server.pid, "VmSize") / limit,
                at_least=0.955, at_most=0.999)


@fault("address-space-limit", status="warning")
def promises_are_used_up(stage: Stage) -> None:
    """Strict overcommit; a neighbour's arenas, none of them touched, have used up 97 % of what may be promised."""
    if int(Path("/proc/sys/vm/overcommit_kbytes").read_text()):
        raise Skipped("vm.overcommit_kbytes is set, and setting the ratio would lose it")
    now = kernel.meminfo()
    limit = now["MemTotal"] * _TIMES_RAM + now["SwapTotal"]
    if (left := int(limit * 0.025)) < _LEAST + GiB:
        raise Skipped("2.5 % of ten times this host's memory are too few promises to leave to its other processes")
    waiting_server(stage)
    stage.script("promises", [], limit=limit, left=left, least=_LEAST).await_line("was promised")
    stage.setting("/proc/sys/vm/overcommit_ratio", _TIMES_RAM * 100)      # first, or everybody would be refused
    stage.setting("/proc/sys/vm/overcommit_memory", 2)
    stage.until("share of CommitLimit that is promised",
                lambda: (now := kernel.meminfo())["Committed_AS"] / now["CommitLimit"], at_least=0.965)
    stage.proof.level("GiB left to promise",
                      lambda: ((now := kernel.meminfo())["CommitLimit"] - now["Committed_AS"]) / GiB)
