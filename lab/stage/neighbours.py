# SPDX-License-Identifier: Apache-2.0
"""Two labs on one host would diagnose each other, and a scenario that takes the memory of the whole host would starve
a build: both wait for their turn."""
import fcntl
import os
import sys
import time
from pathlib import Path

from stage.outcome import Skipped

_BUILDS = ("maven", "gradle", "bazel")


_LOCK = Path("/var/tmp")      # a folder that every host has: locking it leaves no file behind


def await_turn() -> int:
    """Holds off every other lab on this host, whatever its folder, until the descriptor is closed."""
    lock = os.open(_LOCK, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print("lab: another lab plays on this host; waiting for it", file=sys.stderr, flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def await_quiet(within: float = 1200) -> None:
    deadline = time.monotonic() + within
    while (pid := build()) is not None:
        if time.monotonic() > deadline:
            raise Skipped(f"pid {pid} builds something, and this scenario would starve it")
        time.sleep(2)


def build() -> int | None:
    """A process that builds something and is not ours."""
    ours = _ancestors()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) not in ours:
            try:
                arguments = (entry / "cmdline").read_bytes().lower()
            except OSError:
                continue
            if arguments.split(b"\0")[0].endswith(b"java") and any(name.encode() in arguments for name in _BUILDS):
                return int(entry.name)
    return None


def _ancestors() -> set[int]:
    """The lab may have been started by a build; that one waits for us already."""
    found, pid = set(), os.getpid()
    while pid > 1:
        found.add(pid)
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return found
