# SPDX-License-Identifier: Apache-2.0
"""Control groups: the box a container, a pod or a systemd unit puts a server in.

A group is the same path in every hierarchy it needs. It also exists in the v2 tree when there is one, for only that
tree counts the pressure (PSI) of a single group: the proof of how long the servers inside stood still.
"""
import time
from collections.abc import Callable
from pathlib import Path

from stage import hierarchies
from stage.kernel import stalled_seconds
from stage.outcome import Skipped
from stage.place import NAME
from stage.undo import Undo

_CONTROLLERS = ("memory", "cpu", "blkio")


class Group:
    def __init__(self, name: str, undo: Undo, parent: "Group | None" = None) -> None:
        self.path = f"{parent.path}/{name}" if parent else f"{NAME}/{name}"
        self._undo = undo
        self._roots = {controller: hierarchies.of(controller) for controller in _CONTROLLERS}
        self._pressure_root = hierarchies.unified()
        for folder in self.folders():
            make(folder, undo)

    def folders(self) -> list[Path]:
        roots = [root for root, _ in self._roots.values()] + ([self._pressure_root] if self._pressure_root else [])
        return [root / self.path for root in dict.fromkeys(roots)]

    def child(self, name: str) -> "Group":
        return Group(name, self._undo, parent=self)

    def enter(self, pid: int) -> None:
        """Moves a process in; to be called by the process itself before it touches any memory or file."""
        for folder in self.folders():
            (folder / "cgroup.procs").write_text(str(pid))

    # --- limits

    def limit_memory(self, size: int) -> "Group":
        self._write("memory", {1: "memory.limit_in_bytes", 2: "memory.max"}, str(size))
        return self

    def unlimit_memory(self) -> "Group":
        self._write("memory", {1: "memory.limit_in_bytes", 2: "memory.max"}, {1: "-1", 2: "max"})
        return self

    def throttle_memory(self, size: int) -> "Group":
        """memory.high: above it the kernel reclaims and makes the tasks sleep, and kills none of them."""
        self._only_v2("memory.high", str(size))
        return self

    def limit_swap(self, size: int) -> "Group":
        """memory.swap.max: of swap alone, where v1 knows only a limit of both together."""
        self._only_v2("memory.swap.max", str(size))
        return self

    def kill_together(self) -> "Group":
        """memory.oom.group: when one of its tasks is killed for memory, all are."""
        self._only_v2("memory.oom.group", "1")
        return self

    def _only_v2(self, file: str, value: str) -> None:
        root, version = self._roots["memory"]
        if version == 1:
            raise Skipped(f"{file} is of cgroup v2, and memory is in a v1 hierarchy here")
        (root / self.path / file).write_text(value)

    def on_node(self, node: int) -> "Group":
        """cpuset.mems: its memory may come from this NUMA node and no other."""
        self._only_v2("cpuset.mems", str(node))
        return self

    def limit_cpu(self, share: float) -> "Group":
        """At most this share of one processor, in periods of 100 ms."""
        root, version = self._roots["cpu"]
        quota = int(share * 100_000)
        if version == 1:
            (root / self.path / "cpu.cfs_period_us").write_text("100000")
            (root / self.path / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (root / self.path / "cpu.max").write_text(f"{quota} 100000")
        return self

    def limit_reads(self, device: str, bytes_per_second: int = 0, operations_per_second: int = 0) -> "Group":
        root, version = self._roots["blkio"]
        folder = root / self.path
        if version == 2:
            limits = ([f"rbps={bytes_per_second}"] if bytes_per_second else []) + (
                [f"riops={operations_per_second}"] if operations_per_second else [])
            (folder / "io.max").write_text(f"{device} {' '.join(limits)}")
            return self
        if not (folder / "blkio.throttle.read_bps_device").exists():
            raise Skipped("this kernel's blkio controller cannot throttle")
        if bytes_per_second:
            (folder / "blkio.throttle.read_bps_device").write_text(f"{device} {bytes_per_second}")
        if operations_per_second:
            (folder / "blkio.throttle.read_iops_device").write_text(f"{device} {operations_per_second}")
        return self

    def reclaim(self) -> None:
        """Pushes its cache out the way memory pressure does, so that the kernel remembers what was there."""
        root, version = self._roots["memory"]
        if version == 1:
            (root / self.path / "memory.force_empty").write_text("0")
        else:
            (root / self.path / "memory.reclaim").write_text(str(self.memory_used()))

    def _write(self, controller: str, file: dict[int, str], value) -> None:
        root, version = self._roots[controller]
        (root / self.path / file[version]).write_text(value[version] if isinstance(value, dict) else value)

    # --- what the kernel counts in it

    def memory_used(self) -> int:
        return int(self._read("memory", {1: "memory.usage_in_bytes", 2: "memory.current"}))

    def memory_limit(self) -> int:
        return int(self._read("memory", {1: "memory.limit_in_bytes", 2: "memory.max"}))

    def memory_counter(self, name: str) -> int:
        """A line of memory.stat, descendants included: v1 says so with `total_`, v2 always does."""
        root, version = self._roots["memory"]
        wanted = {1: "total_" + {"anon": "rss", "file": "cache"}.get(name, name), 2: name}[version]
        for line in (root / self.path / "memory.stat").read_text().splitlines():
            key, value = line.split()
            if key == wanted:
                return int(value)
        return 0

    def anonymous(self) -> int:
        return self.memory_counter("anon")

    def refaults(self) -> int:
        """Pages of files that were read again after they had been pushed out."""
        return self.memory_counter("workingset_refault_file")

    def swap_ins(self) -> int:
        return self.memory_counter("workingset_refault_anon")

    def limit_hits(self) -> int:
        """How often the limit refused a page: v1 memory.failcnt, v2 memory.events max."""
        root, version = self._roots["memory"]
        if version == 1:
            return int((root / self.path / "memory.failcnt").read_text())
        return _keyed(root / self.path / "memory.events", "max")

    def memory_event(self, name: str) -> int:
        """A line of memory.events (v2): `low`, `high`, `max`, `oom`, `oom_kill`, `oom_group_kill`."""
        root, _ = self._roots["memory"]
        return _keyed(root / self.path / "memory.events", name)

    def oom_kills(self) -> int:
        file = {1: "memory.oom_control", 2: "memory.events"}[self._roots["memory"][1]]
        return _keyed(self._roots["memory"][0] / self.path / file, "oom_kill")

    def throttled_periods(self) -> int:
        return _keyed(self._roots["cpu"][0] / self.path / "cpu.stat", "nr_throttled")

    def stall(self, kind: str, line: str = "some") -> Callable[[], float] | None:
        """A counter of the seconds in which its processes waited for `io`, `memory` or `cpu`."""
        if not self._pressure_root:
            return None
        file = self._pressure_root / self.path / f"{kind}.pressure"
        return (lambda: stalled_seconds(file, line)) if file.exists() else None

    def _read(self, controller: str, file: dict[int, str]) -> str:
        root, version = self._roots[controller]
        return (root / self.path / file[version]).read_text()


def make(folder: Path, undo: Undo) -> None:
    """Makes the folder and the missing ones above it; in v2 each parent must hand its controllers down."""
    for step in reversed([folder, *folder.parents]):
        if step.exists():
            continue
        step.mkdir()
        undo.later(f"control group {step}", lambda step=step: remove(step))
        control = step.parent / "cgroup.subtree_control"
        if control.exists():
            for name in (step.parent / "cgroup.controllers").read_text().split():
                if name in ("memory", "cpu", "io", "cpuset"):
                    control.write_text("+" + name)


def remove(folder: Path) -> None:
    """A group can be removed when its last process has been reaped, which takes a moment after the kill."""
    deadline = time.monotonic() + 10
    while folder.exists():
        try:
            folder.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _keyed(file: Path, key: str) -> int:
    for line in file.read_text().splitlines():
        name, value = line.split()[:2]
        if name == key:
            return int(value)
    raise KeyError(f"{file} has no {key}")
