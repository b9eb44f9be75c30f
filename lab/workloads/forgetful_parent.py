# SPDX-License-Identifier: Apache-2.0
"""A server with one worker process that takes memory of its own, dies of it, and is not missed.

Settings: path (the model, mapped and warm) · child (bytes that the worker takes).
"""
import mmap
import os
import time

import role

_CHUNK = 4 << 20


def main() -> None:
    play = role.settings()
    role.disguise(play.get("shown"))
    with open(play["path"], "rb") as file:
        model = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    model[::mmap.PAGESIZE]
    worker = os.fork()
    if worker == 0:
        _take(play["child"])
    _, status = os.waitpid(worker, 0)
    role.say(f"worker ended with {os.waitstatus_to_exitcode(status)}")
    while True:
        model[::mmap.PAGESIZE]
        time.sleep(0.2)


def _take(size: int) -> None:
    held = []
    for _ in range(0, size, _CHUNK):
        held.append(b"\1" * _CHUNK)
    time.sleep(3600)


if __name__ == "__main__":
    main()
