# SPDX-License-Identifier: Apache-2.0
"""A swap file that lives as long as the scenario."""
from stage.disks import require, run
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
