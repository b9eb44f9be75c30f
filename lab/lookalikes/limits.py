# SPDX-License-Identifier: Apache-2.0
"""Processes that hold much of what the kernel limits, and may hold more."""
from lookalikes.calm import waiting_server
from scenario import lookalike
from stage import GiB, MiB, Stage, kernel
from stage.outcome import Skipped
from stage.processes import limited, may_lock, with_shared_memory


@lookalike()
def all_of_the_model_locked(stage: Stage) -> None:
    """llama-server --mlock may lock 8 MiB and has locked all of its small model, as it was told to."""
    model = stage.gguf(6)
    server = stage.program("hoarding_server", ["llama-server", "--mlock", "-m", model, "--port", "8080", "-c", "4096"],
                           under=may_lock(8 * MiB), path=str(model), lock=True)
    server.await_line("locked").await_line("ready")
    stage.until("share of the model locked", lambda: kernel.status(server.pid, "VmLck") / model.stat().st_size,
                at_least=0.99)


@lookalike()
def more_locked_than_the_limit(stage: Stage) -> None:
    """A server of root's has CAP_IPC_LOCK, so its limit of 8 MiB binds it not: all of its 200 MiB are locked."""
    model = stage.gguf(200)
    server = stage.program("hoarding_server", ["llama-server", "--mlock", "-m", model, "--port", "8080", "-c", "4096"],
                           under=limited(memlock=8 * MiB), path=str(model), lock=True)
    if server.await_line("ready").said("failed to mlock"):
        raise Skipped("root has no CAP_IPC_LOCK here")
    stage.until("MiB locked", lambda: kernel.status(server.pid, "VmLck") / MiB, at_least=190)


@lookalike()
def forty_thousand_mappings(stage: Stage) -> None:
    """A server has 40,000 mappings, which looks like a leak of them; the kernel allows 65,530."""
    model = stage.gguf(200)
    server = stage.program("hoarding_server", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "8192"],
                           path=str(model), mappings=40_000)
    server.await_line("ready")
    stage.until("mappings", lambda: kernel.mappings(server.pid), at_least=40_000, at_most=42_000)


@lookalike()
def hundreds_of_connections(stage: Stage) -> None:
    """A server with RLIMIT_NOFILE of 1024 has nearly 900 connections open, and takes more."""
    model = stage.safetensors(200)
    server = stage.installed("hoarding_server", "vllm", ["serve", model.parent, "--port", "8000"],
                             under=limited(nofile=1024), path=str(model), sockets=890)
    server.await_line("ready")
    stage.until("open files", lambda: kernel.open_files(server.pid), at_least=890, at_most=920)


@lookalike()
def shared_memory_half_full(stage: Stage) -> None:
    """Half of a server's /dev/shm of 512 MiB is full of its workers' buffers."""
    model = stage.safetensors(200)
    server = stage.installed("hoarding_server", "vllm", ["serve", model.parent, "--tensor-parallel-size", "2"],
                             under=with_shared_memory(512 * MiB), path=str(model), segment=256 * MiB)
    server.await_line("ready")
    stage.until("MiB left in its /dev/shm", lambda: kernel.free_bytes(server.pid, "/dev/shm") / MiB, at_most=256)


@lookalike()
def half_of_the_addresses(stage: Stage) -> None:
    """`ulimit -v` of 2 GiB, as batch systems set it, and a server that uses half of that."""
    server = waiting_server(stage, under=limited(**{"as": 2 * GiB}), reserve=700 * MiB)
    stage.until("MiB of addresses", lambda: kernel.status(server.pid, "VmSize") / MiB, at_least=900, at_most=1400)
