# SPDX-License-Identifier: Apache-2.0
"""/dev/shm of the server is full."""
from scenario import fault
from stage import MiB, Stage, kernel
from stage.processes import with_shared_memory


@fault("shared-memory", status="critical", smoke=True)
def shared_memory_of_a_container_is_full(stage: Stage) -> None:
    """A server in a mount namespace of its own has the 64 MiB of /dev/shm that containers get, and has mapped them all."""
    model = stage.safetensors(200)
    server = stage.installed("hoarding_server", "vllm", ["serve", model.parent, "--tensor-parallel-size", "2"],
                             under=with_shared_memory(64 * MiB), path=str(model), segment=64 * MiB)
    server.await_line("ready")
    stage.until("MiB of shared memory mapped", lambda: kernel.status(server.pid, "RssShmem") / MiB, at_least=63.9)
    stage.until("MiB left in its /dev/shm", lambda: kernel.free_bytes(server.pid, "/dev/shm") / MiB, at_most=0)
