# SPDX-License-Identifier: Apache-2.0
"""A neighbour that registers buffers with the kernel, which pins them as drivers and RDMA pin theirs.

io_uring is how a program can have that without any device (io_uring_register(2), IORING_REGISTER_BUFFERS).
Settings: size (bytes to pin).
"""
import ctypes
import mmap
import os
import time

import role

_SETUP, _REGISTER, _BUFFERS = 425, 427, 0      # the same numbers on every architecture
_LARGEST = 1 << 30                             # of one buffer
_libc = ctypes.CDLL(None, use_errno=True)


class _Buffer(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def main() -> None:
    play = role.settings()
    parameters = ctypes.create_string_buffer(120)          # struct io_uring_params, all defaults
    ring = _libc.syscall(_SETUP, 4, parameters)
    if ring < 0:
        raise SystemExit(f"io_uring_setup: {os.strerror(ctypes.get_errno())}")
    memory = [mmap.mmap(-1, min(_LARGEST, play["size"] - at), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
              for at in range(0, play["size"], _LARGEST)]
    buffers = (_Buffer * len(memory))(*(_Buffer(ctypes.addressof(ctypes.c_char.from_buffer(part)), len(part))
                                        for part in memory))
    if _libc.syscall(_REGISTER, ring, _BUFFERS, buffers, len(memory)) != 0:
        raise SystemExit(f"io_uring_register: {os.strerror(ctypes.get_errno())}")
    role.say(f"pinned {play['size'] >> 20} MiB")
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
