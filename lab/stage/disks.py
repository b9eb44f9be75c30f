# SPDX-License-Identifier: Apache-2.0
"""Disks of the scenario's own: ext4 images behind loop devices."""
import os
import shutil
import subprocess
import time
from pathlib import Path

from stage.kernel import Disk
from stage.outcome import Skipped
from stage.place import IMAGES, MOUNTS
from stage.undo import Undo


class LoopDisk:
    """A mounted file system on a block device of its own."""

    def __init__(self, device: str, mount: Path) -> None:
        self.device, self.name, self.mount = device, Path(device).name, mount

    def counters(self) -> Disk:
        return Disk.of(self.name)

    def free_bytes(self) -> int:
        return shutil.disk_usage(self.mount).free

    def used_share(self) -> float:
        """As df counts it: what ext4 keeps for itself is neither used nor free."""
        usage = shutil.disk_usage(self.mount)
        return usage.used / (usage.used + usage.free)

    def free_inodes(self) -> int:
        return os.statvfs(self.mount).f_favail

    def remount_read_only(self) -> None:
        run("mount", "-o", "remount,ro", str(self.mount))

    def fill(self, leave: int) -> None:
        """Writes a file that leaves so many bytes free."""
        with open(self.mount / "old-checkpoint.bin", "wb", buffering=0) as file:
            while (room := self.free_bytes() - leave) > 0:
                file.write(bytes(min(room, 1 << 20)))
                os.fsync(file.fileno())


def new(name: str, size: int, undo: Undo, content: Path | None = None, inodes: int = 0) -> LoopDisk:
    """Makes, fills (with a copy of the folder `content`) and mounts an ext4 image."""
    return attach(name, image(name, size, undo, content, inodes), undo)


def image(name: str, size: int, undo: Undo, content: Path | None = None, inodes: int = 0) -> Path:
    """`inodes` is how many files it can hold; as many as mkfs thinks right when it is 0."""
    require("mkfs.ext4", "losetup", "mount", "umount")
    IMAGES.mkdir(parents=True, exist_ok=True)
    path = IMAGES / f"{name}.ext4"
    undo.later(f"image {path}", lambda: path.unlink(missing_ok=True))
    run("fallocate", "-l", str(size), str(path))
    # Nothing is kept for root (-m 0), so that full means full; no lazy work of mkfs goes on while a scenario runs.
    fill = (["-d", str(content)] if content else []) + (["-N", str(inodes)] if inodes else [])
    run("mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", *fill, str(path))
    return path


def attach(name: str, file: Path, undo: Undo, read_only: bool = False, direct: bool = True) -> LoopDisk:
    """Direct IO on the backing file, or every page would be cached twice."""
    options = (["--read-only"] if read_only else []) + (["--direct-io=on"] if direct else [])
    device = run("losetup", "--find", "--show", *options, str(file)).strip()
    undo.later(f"loop device {device}", lambda: run("losetup", "-d", device))
    mount = MOUNTS / name
    mount.mkdir(parents=True, exist_ok=True)
    undo.later(f"folder {mount}", mount.rmdir)
    undo.later(f"mount {mount}", lambda: unmount(mount))
    run("mount", "-t", "ext4", "-o", "ro,noload" if read_only else "rw", device, str(mount))
    return LoopDisk(device, mount)


def tmpfs(name: str, size: int, undo: Undo) -> Path:
    mount = MOUNTS / name
    mount.mkdir(parents=True, exist_ok=True)
    undo.later(f"folder {mount}", mount.rmdir)
    undo.later(f"mount {mount}", lambda: unmount(mount))
    run("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(mount))
    return mount


def unmount(mount: Path) -> None:
    """Asks the mount table and not the folder: one whose FUSE server is dead cannot even be looked at. Somebody else of
    this host may have a file of it open for a moment, another `ullage` say."""
    deadline = time.monotonic() + 5
    while any(line.split()[1] == str(mount) for line in Path("/proc/self/mounts").read_text().splitlines()):
        try:
            run("umount", str(mount))
        except RuntimeError as trouble:
            if "busy" not in str(trouble) or time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def require(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            raise Skipped(f"{program} is not installed")


def load_module(name: str, *settings: str) -> None:
    """Where the kernel has the feature built in, or not at all, nothing happens; what is missing shows when it is used."""
    if shutil.which("modprobe"):
        subprocess.run(["modprobe", "-q", name, *settings], capture_output=True)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.returncode}")
    return done.stdout
