# SPDX-License-Identifier: Apache-2.0
"""Disks that are busy, full or slow without any server waiting for them."""
from lookalikes.calm import calm_server
from scenario import lookalike
from stage import MiB, Stage
from stage.kernel import Disk
from stage.processes import as_script


@lookalike()
def backup_on_another_disk(stage: Stage) -> None:
    """A backup reads a second disk as fast as it can; the server computes on a cached model of the first."""
    data = stage.safetensors(1000)
    disk = stage.disk("archive", 1200, data.parent)
    calm_server(stage)
    stage.script("backup", ["--to", "tape"], path=str(disk.mount / data.name), readers=16, block=1 << 20).await_line("running")
    stage.until_rate("MiB read from the other disk", lambda: disk.counters().read_bytes / MiB, at_least=50)


@lookalike()
def backup_on_the_same_disk(stage: Stage) -> None:
    """A backup takes the whole disk that the model lies on, but the model is in memory and the server reads nothing."""
    data = stage.safetensors(1500)
    name, _ = stage.real_disk()
    server = calm_server(stage)
    stage.script("backup", ["--to", "s3://nightly"], path=str(data), readers=32, block=1 << 20).await_line("running")
    stage.until_rate("MiB read from the disk", lambda: Disk.of(name).read_bytes / MiB, at_least=100)
    stage.proof.rate("MiB that the server read", lambda: server.counters().read_bytes / MiB)


@lookalike()
def busy_and_quick(stage: Stage) -> None:
    """Small random reads keep the disk busy all the time and are answered at once, as on any NVMe drive."""
    data = stage.safetensors(1500)
    name, _ = stage.real_disk()
    calm_server(stage)
    stage.script("backup", ["--index"], path=str(data), readers=2, block=4096, random=True).await_line("running")
    stage.until_rate("seconds in which the disk was busy", lambda: Disk.of(name).busy_seconds, at_least=0.5)
    stage.proof.rate("reads", lambda: Disk.of(name).reads)


@lookalike()
def full_image_that_nobody_writes_to(stage: Stage) -> None:
    """The model lies on a read-only image with no free block, as squashfs images and snapshots have it."""
    model = stage.gguf(300)
    disk = stage.disk("image", 420, model.parent)
    disk.fill(leave=0)
    disk.remount_read_only()
    there = disk.mount / model.name
    stage.program("mapped_model", ["llama-server", "-m", there, "--port", "8080"], path=str(there),
                  compute=0.01).await_line("token 1 ")
    stage.until("share of the disk that is used", disk.used_share, at_least=0.99)


@lookalike()
def data_set_copied_elsewhere(stage: Stage) -> None:
    """Somebody copies a data set to another host and fills the cache with it; the server beside it computes on."""
    server = calm_server(stage)
    data = stage.sparse(4096)
    stage.start(["sh", "-c", f'dd if={data} bs=1M | {" ".join(as_script("drain", []))}'], None, {"pace": 100 * MiB})
    stage.proof.rate("MiB that the server read", lambda: server.counters().read_bytes / MiB)
