# SPDX-License-Identifier: Apache-2.0
"""The disk below the model answers late, with nobody else asking it."""
from scenario import fault
from stage import MiB, Stage


@fault("slow-disk", status=("critical", "warning"), smoke=True)
def mapped_model_on_a_slow_disk(stage: Stage) -> None:
    """llama-server maps 600 MiB on a disk that gives 6 MiB a second, and waits for each piece of it."""
    model = stage.gguf(600)
    disk = stage.slow_disk("slow", 700, model.parent, 0.02, 8 * MiB)
    there = disk.mount / model.name
    server = stage.program("mapped_model", ["llama-server", "-m", there, "--port", "8080", "--ctx-size", "4096"],
                           path=str(there))
    stage.until_rate("MiB read from the slow disk", lambda: disk.counters().read_bytes / MiB, at_least=1, at_most=12)
    stage.proof.rate("seconds in which the disk was busy", lambda: disk.counters().busy_seconds)
    stage.proof.rate("seconds of waiting requests", lambda: disk.counters().read_seconds)
    stage.show_wait(server)


@fault("slow-disk", status=("critical", "warning"))
def loader_reads_from_a_slow_disk(stage: Stage) -> None:
    """A vLLM server reads 600 MiB into memory of its own from a disk that gives 9 MiB a second."""
    model = stage.safetensors(600)
    disk = stage.slow_disk("slow-reads", 700, model.parent, 0.005, 12 * MiB)
    there = disk.mount / model.name
    server = stage.installed("weights_in_memory", "vllm", ["serve", there.parent, "--port", "8000"], paths=[str(there)])
    stage.until_rate("MiB read from the slow disk", lambda: disk.counters().read_bytes / MiB, at_least=1, at_most=16)
    stage.proof.rate("seconds in which the disk was busy", lambda: disk.counters().busy_seconds)
    stage.proof.rate("seconds of waiting requests", lambda: disk.counters().read_seconds)
    stage.show_wait(server)
