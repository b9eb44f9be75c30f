# SPDX-License-Identifier: Apache-2.0
"""A server needs room on a disk, and there is none."""
import shutil

from scenario import fault
from stage import GiB, MiB, Stage


@fault("disk-full", status=("critical", "warning"), smoke=True)
def download_fails_on_a_full_disk(stage: Stage) -> None:
    """A server fetches its model into a cache folder on a disk of 300 MiB that is full, and tries again for ever."""
    disk = stage.disk("hf-cache", 300)
    target = disk.mount / "hub" / "models--meta-llama--Llama-3.1-8B" / "blobs" / "4f2a.incomplete"
    target.parent.mkdir(parents=True)
    server = stage.installed("downloader", "vllm", ["serve", "meta-llama/Llama-3.1-8B", "--download-dir", disk.mount],
                             target=str(target), pace=1 * GiB)
    server.await_line("No space left", within=60)
    stage.until("share of the disk that is used", disk.used_share, at_least=0.99)


@fault("disk-full", status="warning")
def nearly_full_below_the_model(stage: Stage) -> None:
    """A server runs from a disk that is 97 % full, and its log goes there too."""
    model = stage.gguf(300)
    disk = stage.disk("models", 1000, model.parent)
    there = disk.mount / model.name
    filler = disk.mount / "old-checkpoint.bin"
    size = shutil.disk_usage(disk.mount)
    with open(filler, "wb") as file:
        for _ in range(int(size.total * 0.97 - size.used) >> 20):
            file.write(bytes(MiB))
    stage.program("downloader", ["llama-server", "-m", there, "--port", "8080", "--log-file", disk.mount / "server.log"],
                  path=str(there), target=str(disk.mount / "server.log"), stop=1 * MiB)
    stage.until("share of the disk that is used", disk.used_share, at_least=0.95, at_most=0.99)
