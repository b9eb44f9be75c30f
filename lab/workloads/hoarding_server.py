# SPDX-License-Identifier: Apache-2.0
"""A server that takes of what the kernel counts and limits, until it has what it wants or is refused.

Settings: path (its model, mapped and warm) · lock (whether it locks the model, piece by piece as llama.cpp does) ·
mappings (how many it makes) · sockets (how many it opens) · held (files that it keeps open) · segment (bytes that it
maps and fills in /dev/shm).
"""
import ctypes
import mmap
import os
import socket
import time

import role

_PAGE = mmap.PAGESIZE
_PIECE = 1 << 20
_POPULATE_WRITE = 23          # madvise, Linux >= 5.14
_PROT_NONE = 0
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mlock.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]


def main() -> None:
    play = role.settings()
    role.disguise(play.get("shown"))
    with open(play["path"], "rb") as file:
        model = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    model[::_PAGE]
    kept = [open(path, "rb") for path in play.get("held", [])]
    if play.get("lock"):
        _lock(play["path"], len(model))
    if play.get("mappings"):
        kept.append(_split(play["mappings"]))
    if play.get("segment"):
        kept.append(_shared_memory(play["segment"]))
    sockets: list[socket.socket] = []
    while True:
        _open(sockets, play.get("sockets", 0))
        role.say("ready")
        model[::_PAGE]
        time.sleep(0.2)


def _lock(path: str, size: int) -> None:
    """Locks what it may; the address is in the table of mappings, for Python shows none of memory it may not write."""
    with open("/proc/self/maps") as maps:
        start = next(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(path))
    locked = 0
    while locked < size:
        piece = min(_PIECE, size - locked)
        if _libc.mlock(start + locked, piece) != 0:
            role.say(f"warning: failed to mlock {size - locked} bytes after {locked}: {os.strerror(ctypes.get_errno())}")
            return
        locked += piece
    role.say(f"locked {locked} bytes")


def _split(count: int) -> mmap.mmap:
    """Every second page of one mapping gets other rights, which makes a mapping of each page."""
    memory = mmap.mmap(-1, count * _PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for page in range(1, count, 2):
        if _libc.mprotect(start + page * _PAGE, _PAGE, _PROT_NONE) != 0:
            role.say(f"mprotect: {os.strerror(ctypes.get_errno())} after {page} mappings")
            break
    return memory


def _shared_memory(size: int) -> mmap.mmap:
    """As NCCL, Ray and DataLoader workers do it: a file in /dev/shm that is as long as wished and mapped."""
    file = os.open("/dev/shm/nccl-Yk2f81", os.O_RDWR | os.O_CREAT, 0o600)
    os.ftruncate(file, size)
    segment = mmap.mmap(file, size)
    segment.madvise(_POPULATE_WRITE)
    return segment


def _open(sockets: list[socket.socket], wanted: int) -> None:
    while len(sockets) < wanted:
        try:
            sockets.append(socket.socket())
        except OSError as trouble:
            role.say(f"{trouble.strerror}, with {len(sockets)} connections")
            return


if __name__ == "__main__":
    main()
