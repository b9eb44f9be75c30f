# SPDX-License-Identifier: Apache-2.0
"""The file system a server writes its models to is full, or nearly."""
from scenario import fault
from stage import MiB, Stage


@fault("disk-full", status="critical", smoke=True)
def download_fails(stage: Stage) -> None:
    """A server downloads its next model to a volume of 400 MiB, fills it, and each further write fails."""
    model = stage.gguf(128)
    disk = stage.disk("models", 400, content=model.parent)
    target = disk.mount / "next-model.gguf.incomplete"
    server = stage.installed("downloader", "vllm", ["serve", "org/next-model", "--download-dir", disk.mount],
                             path=str(disk.mount / model.name), target=str(target))
    server.await_line("No space left on device")
    stage.until("share of the volume that is used", disk.used_share, at_least=0.99)
    stage.proof.rate("writes that failed", lambda: server.log.read_text().count("No space left"))


@fault("disk-full", status="warning")
def volume_nearly_full(stage: Stage) -> None:
    """The volume a server's model lies on is 97 % full; nothing has failed yet and nothing writes."""
    model = stage.gguf(256)
    disk = stage.disk("models", 1024, content=model.parent)
    target = disk.mount / "checkpoint.safetensors.incomplete"
    server = stage.program("downloader", ["llama-server", "-m", disk.mount / model.name, "--port", "8080",
                           "--slot-save-path", disk.mount], path=str(disk.mount / model.name), target=str(target),
                           stop=disk.free_bytes() - 28 * MiB)
    server.await_line("done")
    stage.until("share of the volume that is used", disk.used_share, at_least=0.96)
