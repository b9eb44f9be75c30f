# SPDX-License-Identifier: Apache-2.0
"""The disk under the model is slow by itself: few bytes a second, each read late, nobody else on it."""
from scenario import fault
from stage import MiB, Stage


@fault("slow-disk", status="critical", smoke=True)
def each_read_is_late(stage: Stage) -> None:
    """Every read of the model's disk takes 60 ms, so a mapped model of 256 MiB comes in at 2 MB/s."""
    model = stage.gguf(256)
    disk = stage.slow_disk("archive", 320, model.parent, seconds_per_read=0.06, rate=100_000_000)
    server = stage.program("mapped_model", ["llama-server", "-m", disk.mount / model.name, "--port", "8080",
                           "--ctx-size", "8192"], path=str(disk.mount / model.name))
    _await_slowness(stage, server, disk)


@fault("slow-disk", status="critical")
def narrow_disk(stage: Stage) -> None:
    """A disk that gives 4 MB/s whatever is asked; a loader reads 256 MiB of weights from it into its own memory."""
    model = stage.safetensors(256)
    disk = stage.slow_disk("usb", 320, model.parent, seconds_per_read=0, rate=4_000_000)
    server = stage.installed("weights_in_memory", "vllm", ["serve", disk.mount, "--load-format", "safetensors"],
                             paths=[str(disk.mount / model.name)])
    _await_slowness(stage, server, disk)


def _await_slowness(stage: Stage, server, disk) -> None:
    stage.until_rate("MiB read from the disk", lambda: disk.counters().read_bytes / MiB, at_least=0.5, at_most=10)
    stage.proof.rate("reads", lambda: disk.counters().reads)
    stage.proof.rate("seconds those reads took", lambda: disk.counters().read_seconds)
    stage.show_wait(server)
