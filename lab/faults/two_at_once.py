# SPDX-License-Identifier: Apache-2.0
"""Two servers, two troubles that have nothing to do with each other: both must be named."""
from scenario import fault
from stage import MiB, Stage


@fault("cgroup-limit", "io-throttled", status="critical", smoke=True)
def small_box_and_throttled_box(stage: Stage) -> None:
    """One server thrashes in a box that is too small, another loads through a read limit."""
    _, number = stage.real_disk()
    small, limited = stage.gguf(900), stage.gguf(800)
    box = stage.group("small").limit_memory(400 * MiB)
    throttled = stage.group("throttled").limit_reads(number, bytes_per_second=6 * MiB)
    stage.program("mapped_model", ["llama-server", "-m", small, "--port", "8080", "--alias", "small"], box,
                  path=str(small))
    waiting = stage.script("mapped_model", ["--model", limited, "--port", "8081"], throttled, path=str(limited))
    stage.until_rate("pages the first reads again", box.refaults, at_least=5_000)
    stage.until_rate("MiB read by the second", lambda: waiting.counters().read_bytes / MiB, at_least=2, at_most=12)
    stage.show_wait(waiting)


@fault("cgroup-limit", "disk-full", status="critical")
def full_box_and_full_volume(stage: Stage) -> None:
    """One server's own memory is 97 % of its limit; another's download has filled its volume."""
    weights, model = stage.safetensors(600), stage.gguf(128)
    box = stage.group("full")
    stage.installed("weights_in_memory", "sglang", ["serve", "--model-path", weights.parent], box,
                    paths=[str(weights)], uncached=True).await_line("ready")
    box.limit_memory(int(box.anonymous() / 0.97))
    disk = stage.disk("models", 400, content=model.parent)
    stage.script("downloader", ["--model", disk.mount / model.name, "--download-dir", disk.mount],
                 path=str(disk.mount / model.name), target=str(disk.mount / "next.gguf.incomplete")
                 ).await_line("No space left on device")
    stage.until("share of the limit that is anonymous", lambda: box.anonymous() / box.memory_limit(), at_least=0.95)
    stage.until("share of the volume that is used", disk.used_share, at_least=0.99)


@fault("memory-leak", "slow-disk", status="critical")
def leak_and_slow_disk(stage: Stage) -> None:
    """One server leaks towards the end of its box; another waits for a disk that answers after 60 ms."""
    steady, late = stage.gguf(200), stage.gguf(256)
    box = stage.group("leaky").limit_memory(1400 * MiB)
    stage.script("leaking_server", ["--model", steady, "--port", "8000"], box, path=str(steady), base=200 * MiB,
                 chunk=MiB, every=0.25).await_line("ready")
    disk = stage.slow_disk("archive", 320, late.parent, seconds_per_read=0.06, rate=100_000_000)
    server = stage.program("mapped_model", ["llama-server", "-m", disk.mount / late.name, "--port", "8080",
                           "--ctx-size", "8192"], path=str(disk.mount / late.name))
    stage.until_rate("MiB read from the disk", lambda: disk.counters().read_bytes / MiB, at_least=0.5, at_most=10)
    stage.until_rate("MiB of anonymous memory more", lambda: box.anonymous() / MiB, at_least=2)
    stage.show_wait(server)
