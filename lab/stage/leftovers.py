# SPDX-License-Identifier: Apache-2.0
"""Finds and removes what a killed run left behind, by name and place alone: nobody kept a list."""
import os
import shutil
import signal
import time
from pathlib import Path

from stage import cgroups, hierarchies, settings
from stage.disks import run
from stage.place import FOLDER, IMAGES, LOGS, MARK, MOUNTS, NAME, PROGRAMS, SETTINGS
from stage.undo import Undo


def remove() -> tuple[list[str], list[str]]:
    """What was removed, and what could not be."""
    removed: list[str] = []
    undo = Undo()
    # Pushed in the reverse of the order in which they must go: processes first, files last.
    for folder in (LOGS, IMAGES, PROGRAMS, MOUNTS, SETTINGS):
        _later(undo, removed, f"folder {folder}", folder.exists(), lambda folder=folder: _remove_folder(folder))
    swap = FOLDER / "swapfile"
    _later(undo, removed, f"file {swap}", swap.exists(), swap.unlink)
    for folder in _groups():
        _later(undo, removed, f"control group {folder}", True, lambda folder=folder: cgroups.remove(folder))
    for device in _loop_devices():
        _later(undo, removed, f"loop device {device}", True, lambda device=device: run("losetup", "-d", device))
    in_use = any(line.startswith(str(swap)) for line in Path("/proc/swaps").read_text().splitlines())
    _later(undo, removed, f"swap {swap}", in_use, lambda: run("swapoff", str(swap)))
    for mount in _mounts():                     # a file system on a loop device on another: the newest goes first
        _later(undo, removed, f"mount {mount}", True, lambda mount=mount: run("umount", mount))
    for note in reversed(settings.notes()):     # after the processes: huge pages in use cannot be given back
        _later(undo, removed, f"setting {note.name}", True, lambda note=note: settings.put_back(note))
    for pid in _processes():
        _later(undo, removed, f"pid {pid}", True, lambda pid=pid: _kill(pid))
    return removed, undo.everything()


def _later(undo: Undo, removed: list[str], what: str, there: bool, step) -> None:
    if there:
        undo.later(what, lambda: (step(), removed.append(what)))


def _processes() -> list[int]:
    mark, found = f"{MARK}={FOLDER}".encode(), []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                environment = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if mark in environment:
                found.append(int(entry.name))
    return found


def _mounts() -> list[str]:
    """Loop mounts lie on slow-file mounts, so the order of the mount table is the order to push them in."""
    return [line.split()[1] for line in Path("/proc/self/mounts").read_text().splitlines()
            if line.split()[1].startswith(f"{MOUNTS}/")]


def _loop_devices() -> list[str]:
    found = []
    for backing in Path("/sys/block").glob("loop*/loop/backing_file"):
        try:
            if backing.read_text().startswith(f"{FOLDER}/"):
                found.append(f"/dev/{backing.parent.parent.name}")
        except OSError:
            continue
    return found


def _groups() -> list[Path]:
    """Parents before children, so that they are undone children first."""
    roots = [hierarchies.version_one(controller) for controller in ("memory", "cpu", "blkio")] + [hierarchies.unified()]
    tops = [root / NAME for root in roots if root and (root / NAME).exists()]
    return [folder for top in tops for folder in [top, *sorted(path for path in top.rglob("*") if path.is_dir())]]


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    deadline = time.monotonic() + 10
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    """A zombie has let go of everything; who reaps it is not our business."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _remove_folder(folder: Path) -> None:
    """Never follows into something that is still mounted there, nor forgets a setting that could not be put back."""
    if folder == SETTINGS and settings.notes():
        raise RuntimeError(f"{folder} holds settings that are not what they were")
    if any(mount.startswith(str(folder)) for mount in _mounts()):
        raise RuntimeError(f"{folder} still has mounts below it")
    shutil.rmtree(folder)

