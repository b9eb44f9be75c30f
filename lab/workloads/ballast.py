# SPDX-License-Identifier: Apache-2.0
"""A neighbour that takes the host's memory until only so much is left, and gives it back if less is left later.

It is no LLM server and says so in no way. Settings: leave (bytes of MemAvailable to leave) · floor (bytes below which
it gives back) · locked (whether the pages may not be swapped out) · node (leave so much of this NUMA node, which is
the only one it gets memory from).
"""
import ctypes
import mmap
import time
from pathlib import Path

import role

_CHUNK = 128 << 20
_POPULATE_WRITE = 23          # madvise, Linux >= 5.14
_libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    play = role.settings()
    held: list[mmap.mmap] = []
    node = play.get("node")
    while (room := _available(node) - play["leave"]) > _CHUNK // 16:
        size = min(_CHUNK, room) // mmap.PAGESIZE * mmap.PAGESIZE
        chunk = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if play.get("locked"):
            _lock(_libc.mlock, chunk)
        chunk.madvise(_POPULATE_WRITE)
        held.append(chunk)
    role.say(f"full: holds {sum(map(len, held)) >> 20} MiB, leaves {_available(node) >> 20} MiB")
    while True:
        while held and _available(node) < play["floor"]:
            chunk = held.pop()
            if play.get("locked"):
                _lock(_libc.munlock, chunk)
            chunk.madvise(mmap.MADV_DONTNEED)
            role.say("gave back: the host ran short")
        time.sleep(0.1)


def _lock(call, chunk: mmap.mmap) -> None:
    address = ctypes.addressof(ctypes.c_char.from_buffer(chunk))
    if call(ctypes.c_void_p(address), ctypes.c_size_t(len(chunk))) != 0:
        raise SystemExit(f"{call.__name__} of {len(chunk)} bytes: errno {ctypes.get_errno()}")


def _available(node: int | None) -> int:
    if node is not None:
        kib = {}
        for line in Path(f"/sys/devices/system/node/node{node}/meminfo").read_text().splitlines():
            _, _, name, value, *_ = line.split()      # Node 1 MemFree: 1034232 kB
            kib[name.rstrip(":")] = int(value)
        return (kib["MemFree"] + kib["Inactive(file)"] + kib["Active(file)"]) * 1024
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    raise SystemExit("/proc/meminfo has no MemAvailable")


if __name__ == "__main__":
    main()
