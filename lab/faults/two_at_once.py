# SPDX-License-Identifier: Apache-2.0
"""Two servers, each with a trouble of its own: both must be named."""
from scenario import fault
from stage import GiB, MiB, Stage


def _thrash(stage: Stage):
    model = stage.gguf(900)
    box = stage.group("llama").limit_memory(400 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], box,
                           path=str(model))
    stage.until_rate("pages read again", box.refaults, at_least=2_000)
    stage.show_wait(server, box)


@fault("cgroup-limit", "io-throttled", status=("critical", "warning"))
def a_small_box_and_a_throttled_one(stage: Stage) -> None:
    """One server's memory limit is below its model, another server's group may read 6 MiB a second."""
    other = stage.safetensors(700)
    _, number = stage.real_disk()
    limited = stage.group("vllm").limit_reads(number, bytes_per_second=6 * MiB)
    stage.installed("mapped_model", "vllm", ["serve", other.parent, "--port", "8000"], limited, path=str(other))
    stage.until_rate("MiB of the second model that came in", stage.resident_mib(other), at_least=1, at_most=20)
    _thrash(stage)


@fault("cgroup-limit", "disk-full", status=("critical", "warning"), smoke=True)
def a_small_box_and_a_full_disk(stage: Stage) -> None:
    """One server's memory limit is below its model, another one cannot fetch its model because the disk is full."""
    disk = stage.disk("hub", 200)
    target = disk.mount / "models--Qwen--Qwen3-8B.incomplete"
    server = stage.installed("downloader", "vllm", ["serve", "Qwen/Qwen3-8B", "--download-dir", disk.mount],
                             target=str(target), pace=1 * GiB)
    server.await_line("No space left")
    stage.until("share of the disk that is used", disk.used_share, at_least=0.99)
    _thrash(stage)
