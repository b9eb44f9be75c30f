# SPDX-License-Identifier: Apache-2.0
"""What of a file is in memory, and how to get it out.

The page cache is charged to the control group that touched a page *first*: a model that the lab has just written is
the lab's, and a server in a small group could then read it for nothing. So every model is evicted before use.
"""
import ctypes
import os
import time
from pathlib import Path

from stage.outcome import NotEstablished

_CACHESTAT = 451          # the same number on every architecture, Linux >= 6.5
_libc = ctypes.CDLL(None, use_errno=True)


class _Range(ctypes.Structure):
    _fields_ = [("offset", ctypes.c_uint64), ("length", ctypes.c_uint64)]


class _Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in
                ("cached", "dirty", "writeback", "evicted", "recently_evicted")]


def resident_bytes(path: Path) -> int | None:
    """Bytes of the file in the page cache, or nothing on a kernel that cannot say."""
    counts = _Counts()
    descriptor = os.open(path, os.O_RDONLY)
    try:
        whole = _Range(0, 0)
        if _libc.syscall(_CACHESTAT, descriptor, ctypes.byref(whole), ctypes.byref(counts), 0) != 0:
            return None
    finally:
        os.close(descriptor)
    return counts.cached * os.sysconf("SC_PAGE_SIZE")


def evict(path: Path) -> None:
    """Asks more than once: a page that somebody is just reading, as another `ullage` does, cannot be dropped."""
    for _ in range(10):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)          # dirty pages cannot be dropped
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)
        if not (left := resident_bytes(path)):
            return
        time.sleep(0.1)
    raise NotEstablished(f"{path} still has {left} bytes in the page cache after it was evicted")


def read_through(path: Path) -> None:
    """Brings the whole file in, as `cat FILE > /dev/null` does."""
    with open(path, "rb", buffering=0) as file:
        buffer = bytearray(16 << 20)
        while file.readinto(buffer):
            pass
