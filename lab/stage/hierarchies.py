# SPDX-License-Identifier: Apache-2.0
"""Where the control group controllers are on this host: v1, v2, or the hybrid of both that systemd calls so."""
from pathlib import Path

from stage.outcome import Skipped

_MOUNTS = Path("/proc/self/mounts")


def unified() -> Path | None:
    """The v2 mount; on a hybrid host it may carry no controller and still tell the pressure of each group."""
    for line in _MOUNTS.read_text().splitlines():
        _, where, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(where)
    return None


def version_one(controller: str) -> Path | None:
    for line in _MOUNTS.read_text().splitlines():
        _, where, kind, options, *_ = line.split()
        if kind == "cgroup" and controller in options.split(","):
            return Path(where)
    return None


def of(controller: str) -> tuple[Path, int]:
    """The folder below which groups of this controller are made, and its version."""
    old = version_one(controller)
    if old:
        return old, 1
    new = unified()
    name = {"blkio": "io"}.get(controller, controller)
    if new and name in (new / "cgroup.controllers").read_text().split():
        return new, 2
    raise Skipped(f"no {controller} control groups are mounted here")
