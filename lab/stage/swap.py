# SPDX-License-Identifier: Apache-2.0
"""Swap that lives as long as the scenario: a file, or memory that is compressed (zram)."""
from pathlib import Path

from stage.disks import load_module, require, run
from stage.outcome import Skipped
from stage.place import FOLDER
from stage.undo import Undo


def add(size: int, undo: Undo) -> None:
    require("mkswap", "swapon", "swapoff", "fallocate")
    path = FOLDER / "swapfile"
    undo.later(f"file {path}", lambda: path.unlink(missing_ok=True))
    run("fallocate", "-l", str(size), str(path))
    path.chmod(0o600)
    run("mkswap", str(path))
    run("swapon", str(path))
    undo.later(f"swap {path}", lambda: run("swapoff", str(path)))


def add_compressed(size: int, undo: Undo) -> None:
    require("mkswap", "swapon", "swapoff")
    load_module("zram", "num_devices=0")
    control = Path("/sys/class/zram-control/hot_add")
    if not control.exists():
        raise Skipped("this kernel has no zram")
    number = control.read_text().strip()              # reading makes a new device
    undo.later(f"zram{number}", lambda: (control.parent / "hot_remove").write_text(number))
    device, settings = f"/dev/zram{number}", Path(f"/sys/block/zram{number}")
    undo.later(f"zram{number}", lambda: (settings / "reset").write_text("1"))
    (settings / "disksize").write_text(str(size))
    run("mkswap", device)
    run("swapon", device)
    undo.later(f"swap {device}", lambda: run("swapoff", device))


def use_disk(device: str, undo: Undo) -> None:
    """A whole disk, as a cloud machine's local one: what is swapped meets no file system and no model."""
    require("mkswap", "swapon", "swapoff")
    if not Path(device).exists():
        raise Skipped(f"there is no {device} to swap to")
    run("mkswap", device)
    run("swapon", device)
    undo.later(f"swap {device}", lambda: run("swapoff", device))
