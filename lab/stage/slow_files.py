# SPDX-License-Identifier: Apache-2.0
"""A FUSE file system with one slow file: a file server that is slow, or below a loop device a slow disk.

It speaks the raw protocol of /dev/fuse (linux/fuse.h, 7.31), since no FUSE library is in Python's standard library.
The one file, `disk` unless its settings (see workloads/role.py) say otherwise, serves the bytes of another file, each read after a delay: a fixed time plus one for its length.
Run as `slow_files.py MOUNT FILE SECONDS_PER_READ BYTES_PER_SECOND`; ends when it is unmounted or killed. As
`slow_files.py MOUNT never` it mounts and answers nothing at all: a hung mount.
"""
import ctypes
import errno
import json
import os
import queue
import struct
import sys
import threading
import time

_FORGET, _INTERRUPT, _BATCH_FORGET = 2, 36, 42
_READ = 15
_UNANSWERED = (_FORGET, _INTERRUPT, _BATCH_FORGET)
_ROOT, _DISK = 1, 2                      # inode numbers
_HEADER = struct.Struct("<IIQQIIIHH")    # length opcode unique node uid gid pid extensions padding
_MAX_WRITE = 128 * 1024
_ASYNC_READ, _MAX_PAGES = 1 << 0, 1 << 22
_FOREVER = 1 << 30                       # seconds for which names and attributes stay valid


class SlowFiles:
    def __init__(self, file: str, seconds_per_read: float, bytes_per_second: float, name: str, skip: int) -> None:
        self._file, self._skip = os.open(file, os.O_RDONLY), skip
        self._size = os.path.getsize(file) - skip
        self._delay, self._rate, self._name = seconds_per_read, bytes_per_second, name.encode()
        self._reads: queue.SimpleQueue[tuple[int, bytes]] = queue.SimpleQueue()

    def serve(self, fuse: int) -> None:
        """Reads wait for each other, as on one wire or one disk; names and lengths are answered at once."""
        threading.Thread(target=self._read_on, args=(fuse,), daemon=True).start()
        while True:
            try:
                request = os.read(fuse, _MAX_WRITE + 4096)
            except OSError as trouble:
                if trouble.errno in (errno.EINTR, errno.EAGAIN, errno.ENOENT):
                    continue
                return                   # ENODEV: unmounted
            _, opcode, unique, node, *_ = _HEADER.unpack_from(request)
            if opcode in _UNANSWERED:
                continue
            if opcode == _READ:
                self._reads.put((unique, request[_HEADER.size:]))
            elif not _reply(fuse, unique, self._answer(opcode, node, request[_HEADER.size:])):
                return

    def _read_on(self, fuse: int) -> None:
        while True:
            unique, body = self._reads.get()
            _, offset, length = struct.unpack_from("<QQI", body)
            time.sleep(self._delay + length / self._rate)
            if not _reply(fuse, unique, os.pread(self._file, length, self._skip + offset)):
                return

    def _answer(self, opcode: int, node: int, body: bytes) -> bytes | int:
        """The body of the reply, or an errno."""
        match opcode:
            case 26:                     # INIT
                return self._welcome(body)
            case 1:                      # LOOKUP
                if body.rstrip(b"\0") != self._name:
                    return errno.ENOENT
                return struct.pack("<QQQQII", _DISK, 0, _FOREVER, _FOREVER, 0, 0) + self._attributes(_DISK)
            case 3:                      # GETATTR
                return struct.pack("<QII", _FOREVER, 0, 0) + self._attributes(node)
            case 14 | 27:                # OPEN, OPENDIR; without FOPEN_KEEP_CACHE the pages in memory are dropped
                return struct.pack("<QII", 0, 0, 0)
            case 17:                     # STATFS
                return struct.pack("<QQQQQIII28x", self._size // 2048, *[self._size // 4096] * 2, 2, 0, 4096, 255, 4096)
            case 28 | 18 | 29 | 25 | 38:  # READDIR, RELEASE, RELEASEDIR, FLUSH, DESTROY
                return b""
        return errno.ENOSYS

    def _welcome(self, body: bytes) -> bytes:
        _, _, readahead, _ = struct.unpack_from("<IIII", body)
        return struct.pack("<IIIIHHIIHHI28x", 7, 31, readahead, _ASYNC_READ | _MAX_PAGES, 64, 48, _MAX_WRITE, 1,
                           _MAX_WRITE // 4096, 0, 0)

    def _attributes(self, node: int) -> bytes:
        mode, size = (0o40755, 4096) if node == _ROOT else (0o100444, self._size)
        return struct.pack("<QQQQQQIIIIIIIIII", node, size, -(-size // 512), 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def _reply(fuse: int, unique: int, body: bytes | int) -> bool:
    """Whether the file system is still mounted."""
    error, body = (body, b"") if isinstance(body, int) else (0, body)
    try:
        os.write(fuse, struct.pack("<IiQ", 16 + len(body), -error, unique) + body)
    except OSError as trouble:
        if trouble.errno == errno.ENODEV:
            return False
        if trouble.errno != errno.ENOENT:      # the request was interrupted
            raise
    return True


def main() -> None:
    mount, file, *pace = sys.argv[1:]
    fuse = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={fuse},rootmode=40000,user_id=0,group_id=0,allow_other,max_read={_MAX_WRITE}"
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"slow-files", mount.encode(), b"fuse.slow-files", 0, options.encode()) != 0:
        raise SystemExit(f"mount of fuse on {mount}: {os.strerror(ctypes.get_errno())}")
    print("mounted", flush=True)
    if file == "never":
        while True:
            time.sleep(3600)
    settings = json.loads(os.environ.get("ULLAGE_LAB_ROLE", "{}"))
    SlowFiles(file, *map(float, pace), settings.get("name", "disk"), settings.get("skip", 0)).serve(fuse)


if __name__ == "__main__":
    main()
