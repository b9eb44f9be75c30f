# SPDX-License-Identifier: Apache-2.0
"""A server that reads its weights into memory of its own, as torch and safetensors do when they copy.

Settings: paths (one a worker, or one for all) · workers · shared (load before the fork, so that the workers share one
copy on write) · then (idle, walk, compute) · cache (bytes that it takes at once on SIGUSR1: the KV cache of a start)
· repeat (fraction of the file to read: 1 by default, 2.5 reads it two and a half times over).
"""
import mmap
import os
import signal
import time

import role

_PAGE = mmap.PAGESIZE
_BLOCK = 8 << 20
_POPULATE_WRITE = 23          # madvise, Linux >= 5.14


def main() -> None:
    play = role.settings()
    role.disguise(play.get("shown"))
    workers = play.get("workers", 1)
    paths = play["paths"] * (workers if len(play["paths"]) == 1 else 1)
    shared = _load(paths[0], play) if play.get("shared") else None
    children = []
    for index in range(1, workers):
        child = os.fork()
        if child == 0:
            _serve(shared or _load(paths[index], play), play)
        children.append(child)
    _serve(shared or _load(paths[0], play), play)


def _load(path: str, play: dict) -> mmap.mmap:
    size = int(os.path.getsize(path) * play.get("repeat", 1))
    weights = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    view = memoryview(weights)
    with open(path, "rb", buffering=0) as file:
        at = 0
        while at < size:
            read = file.readinto(view[at:at + _BLOCK])
            if not read:
                file.seek(0)
            at += read
            # As direct IO would: what was read leaves no second copy in the cache, so the weights alone fill the limit.
            if play.get("uncached"):
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    view.release()
    role.say(f"loaded {size >> 20} MiB of {path}")
    return weights


def _serve(weights: mmap.mmap, play: dict) -> None:
    held = []

    def take_cache(*_) -> None:
        cache = mmap.mmap(-1, play["cache"], flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        cache.madvise(_POPULATE_WRITE)
        held.append(cache)
        role.say(f"cache of {play['cache'] >> 20} MiB taken")

    if play.get("cache"):
        signal.signal(signal.SIGUSR1, take_cache)
    role.say("ready")
    rounds = 0
    while True:
        if play.get("then", "idle") == "idle":
            time.sleep(0.5)
            continue
        began = time.monotonic()
        for at in range(0, len(weights), _BLOCK):
            if play["then"] == "walk":
                weights[at:at + _BLOCK:_PAGE]
            else:
                _compute()
        rounds += 1
        role.say(f"round {rounds} took {time.monotonic() - began:.3f} s")


def _compute() -> None:
    number = 1
    for _ in range(20_000):
        number = number * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1


if __name__ == "__main__":
    main()
