# SPDX-License-Identifier: Apache-2.0
"""A model that is not in memory yet is brought in page by page, by a server that waits for each; the disk is fine."""
from scenario import fault
from stage import MiB, Stage, kernel
from stage.outcome import NotEstablished

_LARGE = 7168                 # MiB; at the 60 to 90 MB/s of page-sized reads the load takes over a minute


@fault("cold-start", status="warning", smoke=True)
def page_by_page_from_a_remote_volume(stage: Stage) -> None:
    """A volume with 0.6 ms of latency and 200 MB/s gives a model of 512 MiB at 5 MB/s, as each page is asked for."""
    model = stage.gguf(512)
    disk = stage.slow_disk("volume", 640, model.parent, seconds_per_read=0.0006, rate=200_000_000)
    server = stage.program("mapped_model", ["llama-server", "-m", disk.mount / model.name, "--port", "8080",
                           "--numa", "distribute"], path=str(disk.mount / model.name), advice="random")
    _await_load(stage, server, disk.counters, 512)


@fault("cold-start", status="warning")
def page_by_page_from_the_local_disk(stage: Stage) -> None:
    """A server faults a cold model of 7 GiB in with MADV_RANDOM: a read of 4 KiB at a time from a disk that is idle."""
    name, _ = stage.real_disk()
    model = stage.gguf(_LARGE)
    server = stage.script("mapped_model", ["--model", model, "--numa"], path=str(model), advice="random")
    _await_load(stage, server, lambda: kernel.Disk.of(name), _LARGE)


@fault("cold-start", status="warning")
def again_after_the_cache_was_reclaimed(stage: Stage) -> None:
    """An earlier pod had the model cached and lost it to reclaim: the new one's first pass counts as refaults."""
    name, _ = stage.real_disk()
    model = stage.gguf(_LARGE)
    earlier = stage.group("earlier-pod")
    reader = stage.start(["cat", model], earlier)
    reader.popen.wait(timeout=120)
    earlier.reclaim()
    box = stage.group("new-pod")
    server = stage.script("mapped_model", ["--model", model, "--numa"], box, path=str(model), advice="random")
    _await_load(stage, server, lambda: kernel.Disk.of(name), _LARGE)
    stage.until_rate("refaults on the host", lambda: kernel.vmstat("workingset_refault_file"), at_least=1_000)


@fault("cold-start", status="warning", servers=("llama.cpp … serves random-llama-5120m.Q8_0.gguf",), explains="llama-server")
def real_engine_loads_page_by_page(stage: Stage) -> None:
    """llama.cpp, told of NUMA, asks for its model of 5 GiB page by page, from a volume that takes 0.6 ms for each."""
    model = stage.gguf(5120)
    disk = stage.slow_disk("volume", 5400, model.parent, seconds_per_read=0.0006, rate=200_000_000)
    server = stage.real_engine(disk.mount / model.name, numa="distribute")
    _await_load(stage, server, disk.counters, 5120)


def _await_load(stage: Stage, server, disk, mib: int) -> None:
    stage.until_rate("MiB read by the server", lambda: server.counters().read_bytes / MiB, at_least=1, at_most=100)
    read = server.counters().read_bytes / MiB
    rate = stage.rate_of(lambda: server.counters().read_bytes / MiB)
    left = (mib - read) / rate
    if left < 70:
        raise NotEstablished(f"the load would end in {left:.0f} s, so it is no more than advice")
    stage.proof.note(f"seconds left of the load: {left:.0f}")
    stage.proof.rate("reads of its disk", lambda: disk().reads)
    stage.proof.rate("seconds those reads took", lambda: disk().read_seconds)
    stage.show_wait(server)
