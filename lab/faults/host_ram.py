# SPDX-License-Identifier: Apache-2.0
"""The host's memory is used up by what cannot be given back, and there is no swap."""
import signal

from scenario import fault
from stage import GiB, MiB, Stage, kernel
from stage.processes import as_installed


def _share_that_is_taken() -> float:
    now = kernel.meminfo()
    return 1 - now["MemAvailable"] / now["MemTotal"]


@fault("host-ram", status=("critical", "warning"), smoke=True)
def others_leave_a_twentieth_of_the_host(stage: Stage) -> None:
    """Programs that are no servers hold more than 95 % of the memory beside a small llama-server that needs little."""
    model = stage.gguf(100)
    stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], path=str(model),
                  pause=0.2)
    stage.ballast(leave=int(kernel.meminfo()["MemTotal"] * 0.04), floor=512 * MiB)
    stage.until("share of the host that is taken", _share_that_is_taken, at_least=0.95)


@fault("host-ram", status=("critical", "warning"))
def own_cache_takes_the_host(stage: Stage) -> None:
    """A server without a limit reserves a KV cache as large as nearly the whole host, and keeps it."""
    model = stage.safetensors(300)
    stage.ballast(leave=8 * GiB, floor=512 * MiB)
    cache = 8 * GiB - 300 * MiB - int(kernel.meminfo()["MemTotal"] * 0.04)
    command = as_installed("weights_in_memory", "vllm", ["serve", model.parent, "--swap-space", "16"])
    role = {"paths": [str(model)], "uncached": True, "cache": cache, "then": "idle"}
    server = stage.start(command, None, role, killable_first=True).await_line("ready")
    server.tell(signal.SIGUSR1)
    server.await_line("taken")
    stage.until("share of the host that is taken", _share_that_is_taken, at_least=0.95)
