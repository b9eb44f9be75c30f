# SPDX-License-Identifier: Apache-2.0
"""Numbers of cgroup v2 that look alarming and are not."""
from scenario import lookalike
from stage import MiB, Stage, kernel
from stage.cgroups import Group
from stage.processes import Running

SWAP = "/dev/nvme0n4"


@lookalike()
def no_server(stage: Stage) -> None:
    """Nothing that serves a model runs here."""


@lookalike()
def box_full_of_cache(stage: Stage) -> None:
    """A box is at its memory.max with the cache of a file that was read once; the server in it needs a third of it."""
    data = stage.safetensors(200)
    box = stage.group("at-its-limit").limit_memory(150 * MiB)
    copied = stage.start(["dd", f"if={data}", "of=/dev/null", "bs=1M"], box)
    copied.popen.wait(timeout=60)
    _calm_server(stage, box)
    stage.until("share of the limit that is used", lambda: box.memory_used() / box.memory_limit(), at_least=0.95)
    stage.until_rate("times memory.max was hit", box.limit_hits, at_most=1)


@lookalike()
def memory_high_not_reached(stage: Stage) -> None:
    """memory.high and memory.max leave the server room, and the slice above it has the same limit for itself."""
    slice_ = stage.group("serving.slice").throttle_memory(400 * MiB)
    box = stage.group("llama.service", slice_).throttle_memory(300 * MiB).limit_memory(400 * MiB)
    _calm_server(stage, box)
    stage.until("times memory.high was exceeded", lambda: box.memory_event("high"), at_most=0)


@lookalike()
def swapped_by_memory_max_and_idle(stage: Stage) -> None:
    """A third of an idle server lies on swap since its box was once too small; nothing moves any more."""
    model = stage.safetensors(150)
    stage.swap_disk(SWAP)
    box = stage.group("swapped").limit_memory(100 * MiB)
    stage.installed("weights_in_memory", "vllm", ["serve", model.parent, "--port", "8000"], box, paths=[str(model)],
                    uncached=True).await_line("ready", within=120)
    box.unlimit_memory()
    stage.until("MiB swapped out", kernel.swap_used_mib, at_least=30)
    stage.until_rate("pages swapped in", lambda: kernel.vmstat("pswpin"), at_most=1)


@lookalike()
def io_max_that_nobody_feels(stage: Stage) -> None:
    """io.max would allow 1 MiB a second, and the model of the server is in memory."""
    _, number = stage.real_disk()
    box = stage.group("limited")
    server = _calm_server(stage, box)
    box.limit_reads(number, bytes_per_second=MiB)
    stage.proof.rate("MiB that the server read", lambda: server.counters().read_bytes / MiB)


@lookalike()
def kill_of_something_else(stage: Stage) -> None:
    """A part of a build in a box of its own was killed for its memory.max, the rest goes on; the server is none of it."""
    _calm_server(stage, stage.group("llama.service"))
    box = stage.group("build.service").limit_memory(40 * MiB).limit_swap(0)
    stage.start(["sleep", "3600"], box)
    stage.start(["tail", "/dev/zero"], box).popen.wait(timeout=60)      # looks for the last line of it, and keeps it all
    stage.until("kills", box.oom_kills, at_least=1)


@lookalike()
def cache_of_the_host_is_full(stage: Stage) -> None:
    """A data set that somebody read has left hardly any memory free, and all of it can be given back."""
    _calm_server(stage)
    data = stage.sparse(int(kernel.meminfo()["MemFree"] / MiB) + 300)
    stage.cached(data)
    stage.undo.later(f"cache of {data}", data.unlink)
    stage.until("MiB free", lambda: kernel.meminfo()["MemFree"] / MiB, at_most=300)


def _calm_server(stage: Stage, group: Group | None = None) -> Running:
    """A llama-server on 50 MiB that are in the cache, idle most of the time: an emulated processor is slow."""
    model = stage.gguf(50)
    shown = ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"]
    server = stage.program("mapped_model", shown, group, path=str(model), layers=4, pause=0.5)
    return server.await_line("token 2 ", within=60)
