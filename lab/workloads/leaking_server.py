# SPDX-License-Identifier: Apache-2.0
"""A server that keeps a little of every request for ever.

Settings: path (the model, mapped and warm) · base (bytes it holds before the first request) · chunk (bytes kept per
request) · every (seconds between requests) · burst (requests that come together) · helper (whether a child process,
say a tokenizer, is the one that leaks).
"""
import ctypes
import mmap
import os
import time

import role

_POPULATE_WRITE = 23          # madvise, Linux >= 5.14
_PR_SET_NAME = 15


def main() -> None:
    play = role.settings()
    role.disguise(play.get("shown"))
    with open(play["path"], "rb") as file:
        model = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    model[::mmap.PAGESIZE]
    held = [_take(play["base"])]
    role.say("ready")
    if play.get("helper"):
        child = os.fork()
        if child:
            _serve(model)
        ctypes.CDLL(None).prctl(_PR_SET_NAME, b"tokenizer")
    _leak(held, play)


def _leak(held: list[mmap.mmap], play: dict) -> None:
    requests = 0
    while True:
        for _ in range(play.get("burst", 1)):
            held.append(_take(play["chunk"]))
            requests += 1
        role.say(f"request {requests}, holds {sum(map(len, held)) >> 20} MiB")
        time.sleep(play["every"])


def _serve(model: mmap.mmap) -> None:
    while True:
        model[::mmap.PAGESIZE]
        time.sleep(0.05)


def _take(size: int) -> mmap.mmap:
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(_POPULATE_WRITE)
    return memory


if __name__ == "__main__":
    main()
