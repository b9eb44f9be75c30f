# SPDX-License-Identifier: Apache-2.0
"""The disk is good, and somebody else has it."""
from scenario import fault
from stage import MiB, Stage
from stage.kernel import Disk


@fault("disk-contention", status=("critical", "warning"), smoke=True)
def backup_while_the_model_loads(stage: Stage) -> None:
    """A server faults a cold model in while a backup reads the same disk past the cache, thirty-two requests deep."""
    model, other = stage.gguf(2048), stage.safetensors(3000)
    name, _ = stage.real_disk()
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                           path=str(model), advice="random")
    stage.until_rate("MiB of the model that came in alone", stage.resident_mib(model), at_least=2)
    backup = stage.script("backup", ["--to", "s3://nightly"], path=str(other), readers=32, block=1 << 20)
    backup.await_line("running")
    stage.until_rate("MiB that the backup read", lambda: backup.counters().read_bytes / MiB, at_least=200)
    stage.proof.rate("MiB of the model that came in", stage.resident_mib(model))
    stage.proof.rate("MiB that the whole disk read", lambda: Disk.of(name).read_bytes / MiB)
    stage.show_wait(server)


@fault("disk-contention", status=("critical", "warning"))
def writers_while_the_model_loads(stage: Stage) -> None:
    """A vLLM server reads cold weights while a database writes to the same disk past the cache, sixteen deep."""
    model, other = stage.safetensors(4097), stage.safetensors(1024)
    name, _ = stage.real_disk()
    writer = stage.script("backup", ["--checkpoint"], path=str(other), readers=16, block=1 << 20, write=True)
    writer.await_line("running")
    stage.until_rate("MiB written to the disk", lambda: Disk.of(name).written_bytes / MiB, at_least=100)
    server = stage.installed("mapped_model", "vllm", ["serve", model.parent, "--port", "8000"], path=str(model),
                             advice="random")
    stage.until_rate("MiB of the model that came in", stage.resident_mib(model), at_least=0.01)
    stage.show_wait(server)
