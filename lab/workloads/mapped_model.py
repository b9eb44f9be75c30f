# SPDX-License-Identifier: Apache-2.0
"""A server that maps its model and walks it layer by layer for every token, as llama.cpp does.

Settings: path · layers · tokens (0 = for ever, -1 = map it and touch nothing) · advice (normal, random, sequential)
· compute (seconds of arithmetic per layer) · pause (seconds between tokens) · reserve (bytes of address space to
reserve and never touch).
"""
import mmap
import time

import role

_PAGE = mmap.PAGESIZE
_PROT_NONE = 0
_MAP_NORESERVE = 0x4000


def main() -> None:
    play = role.settings()
    role.disguise(play.get("shown"))
    reserved = _reserve(play.get("reserve", 0))
    with open(play["path"], "rb") as file:
        model = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    model.madvise({"normal": mmap.MADV_NORMAL, "random": mmap.MADV_RANDOM,
                   "sequential": mmap.MADV_SEQUENTIAL}[play.get("advice", "normal")])
    role.say(f"mapped {len(model)} bytes of {play['path']}, reserved {len(reserved) if reserved else 0}")
    layers = play.get("layers", 32)
    size = -(-len(model) // layers // _PAGE) * _PAGE
    token = 0
    while not play.get("tokens") or token < play["tokens"]:
        began = time.monotonic()
        for start in range(0, len(model), size):
            _touch(model, start, min(start + size, len(model)), play.get("advice") == "random")
            _compute(play.get("compute", 0))
        token += 1
        role.say(f"token {token} took {time.monotonic() - began:.3f} s")
        time.sleep(play.get("pause", 0))
    role.say("idle")
    while True:
        time.sleep(3600)


def _reserve(size: int) -> mmap.mmap | None:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE
    return mmap.mmap(-1, size, flags=flags, prot=_PROT_NONE) if size else None


def _touch(model: mmap.mmap, start: int, end: int, report: bool) -> None:
    """One byte of each page; in slices that let a signal through."""
    slice_size = 4096 * _PAGE
    for at in range(start, end, slice_size):
        model[at:min(at + slice_size, end):_PAGE]
        if report and at % (64 << 20) == 0:
            role.say(f"loaded {at >> 20} MiB")


def _compute(seconds: float) -> None:
    until = time.monotonic() + seconds
    number = 1
    while time.monotonic() < until:
        for _ in range(2000):
            number = number * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1


if __name__ == "__main__":
    main()
