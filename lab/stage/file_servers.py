# SPDX-License-Identifier: Apache-2.0
"""File systems in user space that stand for file servers: slow, or silent. `fuse.…` is what sshfs, gcsfuse and s3fs show."""
import os
import shutil
from pathlib import Path

from stage import disks, processes
from stage.outcome import Skipped
from stage.place import HERE, IMAGES, MOUNTS, PYTHON
from stage.processes import Running
from stage.undo import Undo

_HEAD = 4096                  # of the blob, before the model begins


def mount(name: str, arguments, undo: Undo, role: dict | None = None) -> tuple[Path, Running]:
    """Mounts what `slow_files.py` serves with these arguments."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        raise Skipped("/dev/fuse cannot be opened")
    where = MOUNTS / name
    where.mkdir(parents=True, exist_ok=True)
    undo.later(f"folder {where}", where.rmdir)
    undo.later(f"mount {where}", lambda: disks.unmount(where))
    server = processes.start([PYTHON, HERE / "stage" / "slow_files.py", where, *arguments], undo, role=role)
    return where, server.await_line("mounted", within=10)


def serve(name: str, model: Path, seconds_per_read: float, rate: int, undo: Undo) -> tuple[Path, Running]:
    """The model as it is seen through the mount. The server of files has it inside of a blob, for a program that has
    opened what begins like a model, or names one on its command line, is taken for a server of models."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    blob = IMAGES / f"{name}.blob"
    undo.later(f"file {blob}", lambda: blob.unlink(missing_ok=True))
    with open(model, "rb") as original, open(blob, "wb") as copy:
        copy.write(bytes(_HEAD))
        shutil.copyfileobj(original, copy, 1 << 20)
    where, server = mount(name, [blob, seconds_per_read, rate], undo, {"name": model.name, "skip": _HEAD})
    return where / model.name, server
