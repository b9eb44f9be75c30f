# SPDX-License-Identifier: Apache-2.0
"""A neighbour that lets the kernel promise it memory and touches none of it, as runtimes with large arenas do.

Settings: limit (bytes that the kernel will promise in all) · left (bytes of them that it leaves to the others, also
when these need fewer later) · least (bytes of promises below which it gives some back).
"""
import mmap
import time
from pathlib import Path

import role

_CHUNK = 1 << 30


def main() -> None:
    play = role.settings()
    held: list[mmap.mmap] = []
    _take(held, play)
    role.say(f"was promised {len(held)} GiB")
    while True:
        while held and play["limit"] - _read("Committed_AS") < play["least"]:
            held.pop().close()
            role.say("gave back: promises ran short")
        _take(held, play)
        time.sleep(0.05)


def _take(held: list[mmap.mmap], play: dict) -> None:
    while play["limit"] - _read("Committed_AS") > play["left"] + _CHUNK:
        held.append(mmap.mmap(-1, _CHUNK, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))


def _read(name: str) -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise SystemExit(f"/proc/meminfo has no {name}")


if __name__ == "__main__":
    main()
