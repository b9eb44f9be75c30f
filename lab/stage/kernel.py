# SPDX-License-Identifier: Apache-2.0
"""Raw kernel counters: the proof that a fault is real, read apart from the program under test."""
import ctypes
import errno
import os
import time
from pathlib import Path
from typing import NamedTuple

from stage.outcome import Skipped
from stage.place import MiB
from stage.undo import Undo

_IO_URING_SETUP = 425         # the same number on every architecture


def meminfo() -> dict[str, int]:
    """/proc/meminfo in bytes: `MemAvailable:   24279304 kB`."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    return {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines if line.endswith("kB")}


def available_mib() -> float:
    return meminfo()["MemAvailable"] / MiB


def available_share() -> float:
    now = meminfo()
    return now["MemAvailable"] / now["MemTotal"]


def node_free_share(node: int) -> float:
    """Of the memory of a NUMA node."""
    kib = {}
    for line in Path(f"/sys/devices/system/node/node{node}/meminfo").read_text().splitlines():
        _, _, name, value, *_ = line.split()      # Node 1 MemFree: 1034232 kB
        kib[name.rstrip(":")] = int(value)
    return kib["MemFree"] / kib["MemTotal"]


def swap_used_mib() -> float:
    now = meminfo()
    return (now["SwapTotal"] - now["SwapFree"]) / MiB


def vmstat(name: str) -> int:
    """One counter of /proc/vmstat: `workingset_refault_file 115712` (pages or events)."""
    for line in Path("/proc/vmstat").read_text().splitlines():
        key, value = line.split()
        if key == name:
            return int(value)
    raise KeyError(f"/proc/vmstat has no {name}")


def status(pid: int, name: str) -> int:
    """Bytes of one line of /proc/<pid>/status: `VmLck:      8192 kB`."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise KeyError(f"/proc/{pid}/status has no {name}")


def mappings(pid: int) -> int:
    return Path(f"/proc/{pid}/maps").read_bytes().count(b"\n")


def open_files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def free_bytes(pid: int, folder: str) -> int:
    """What is left of a file system as this process sees it, in whatever mount namespace it is."""
    space = os.statvfs(f"/proc/{pid}/root{folder}")
    return space.f_bavail * space.f_frsize


def pinned_bytes() -> int:
    """What is pinned for devices; other programs pin and release all the time, so it is a level and no proof of one."""
    return (vmstat("nr_foll_pin_acquired") - vmstat("nr_foll_pin_released")) * os.sysconf("SC_PAGE_SIZE")


def has_io_uring() -> bool:
    """Asks for a ring of no entries: refused as wrong (EINVAL, EFAULT) where there is io_uring."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(_IO_URING_SETUP, 0, None)
    return ctypes.get_errno() in (errno.EINVAL, errno.EFAULT)


def huge_pages(kind: str) -> int:
    """Bytes of the pool of default size: `HugePages_Free:     1536` are pages, unlike all other lines."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    pages = next(int(line.split()[1]) for line in lines if line.startswith(f"HugePages_{kind}:"))
    return pages * meminfo()["Hugepagesize"]


def log_lines(text: str) -> int:
    """How many lines of the kernel log hold this text."""
    descriptor, found = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK), 0
    try:
        while True:
            try:
                found += text in os.read(descriptor, 8192).decode(errors="replace")
            except BlockingIOError:
                return found
            except BrokenPipeError:          # the line was overwritten before it was read
                continue
    finally:
        os.close(descriptor)


def stalled_seconds(pressure: Path, line: str) -> float:
    """Seconds of stall from a PSI file: `some avg10=0.00 avg60=0.00 avg300=0.00 total=123456` (µs)."""
    for row in pressure.read_text().splitlines():
        if row.startswith(line + " "):
            return int(row.rpartition("total=")[2]) / 1e6
    raise KeyError(f"{pressure} has no line {line}")


def keep_generations(on: bool, undo: Undo) -> None:
    """`/sys/kernel/mm/lru_gen/enabled` is `0x0007` when on (a bit a part) and `0x0000` when off, Linux >= 6.1."""
    switch = Path("/sys/kernel/mm/lru_gen/enabled")
    if not switch.exists():
        raise Skipped("this kernel has no multi-generational LRU")
    before = switch.read_text().strip()
    undo.later(f"{switch}", lambda: switch.write_text(before))
    switch.write_text("y" if on else "n")


class Disk(NamedTuple):
    """A line of /proc/diskstats: `253 0 vda 8021 12 713266 4410 …`; sectors are 512 bytes whatever the device says."""
    reads: int
    read_bytes: int
    read_seconds: float
    written_bytes: int
    busy_seconds: float

    @staticmethod
    def of(device: str) -> "Disk":
        for line in Path("/proc/diskstats").read_text().splitlines():
            field = line.split()
            if field[2] == device:
                return Disk(int(field[3]), int(field[5]) * 512, int(field[6]) / 1e3,
                            int(field[9]) * 512, int(field[12]) / 1e3)
        raise KeyError(f"/proc/diskstats has no {device}")


def whole_disk(path: Path) -> tuple[str, str] | None:
    """Name and number, `vda` and `253:0`, of the disk below a path: of the whole disk and not of a partition, for
    only that can be throttled. Nothing where the file system lies on no block device (overlay, tmpfs, network)."""
    number = os.stat(path).st_dev
    entry = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    if not entry.exists():
        return None
    device = entry.resolve()
    device = device.parent if (device / "partition").exists() else device
    return device.name, (device / "dev").read_text().strip()


def waiting_seconds(pid: int) -> float:
    """Seconds, up to now, in which the main thread neither ran nor queued for a processor: the wait for pages of a
    program that never sleeps by itself.

    PSI cannot prove it: a task that wakes on two processors in turn is counted half (its stall is averaged over both).
    `/proc/<pid>/schedstat` is `7134217 289216 1042`: ns on a processor, ns in the queue, time slices.
    """
    on_processor, in_queue, _ = Path(f"/proc/{pid}/schedstat").read_text().split()
    return time.monotonic() - (int(on_processor) + int(in_queue)) / 1e9


class ProcessCounters(NamedTuple):
    major_faults: int
    cpu_seconds: float
    anonymous_bytes: int
    virtual_bytes: int
    resident_bytes: int
    swapped_bytes: int
    read_bytes: int

    @staticmethod
    def of(pid: int) -> "ProcessCounters":
        stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        io = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
        kib = lambda key: int(status.get(key, "0 kB").split()[0]) * 1024
        ticks = os.sysconf("SC_CLK_TCK")
        return ProcessCounters(int(stat[9]), (int(stat[11]) + int(stat[12])) / ticks, kib("RssAnon"), kib("VmSize"),
                               kib("VmRSS"), kib("VmSwap"), int(io["read_bytes"]))
