# SPDX-License-Identifier: Apache-2.0
"""Starts the programs that play servers and their neighbours, inside their control group from the first page on."""
import ctypes
import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from stage.cgroups import Group
from stage.disks import require
from stage.kernel import ProcessCounters
from stage.outcome import NotEstablished
from stage.place import FOLDER, HERE, LOGS, MARK, PROGRAMS, PYTHON
from stage.undo import Undo

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


class Running:
    """A started program, its log and its counters."""

    def __init__(self, popen: subprocess.Popen, log: Path) -> None:
        self.popen, self.pid, self.log = popen, popen.pid, log

    def counters(self) -> ProcessCounters:
        return ProcessCounters.of(self.pid)

    def alive(self) -> bool:
        return self.popen.poll() is None

    def said(self, text: str) -> bool:
        return any(text in line for line in self.log.read_text(errors="replace").splitlines())

    def await_line(self, text: str, within: float = 60) -> "Running":
        deadline = time.monotonic() + within
        while not self.said(text):
            if not self.alive() or time.monotonic() > deadline:
                tail = self.log.read_text(errors="replace")[-400:]
                state = "runs" if self.alive() else f"ended with {self.popen.returncode}"
                raise NotEstablished(f"pid {self.pid} {state} and did not say '{text}' within {within:.0f} s: {tail!r}")
            time.sleep(0.05)
        return self

    def tell(self, number: int) -> None:
        os.kill(self.pid, number)

    def stop(self) -> None:
        """Kills the whole session: a pool's workers are its children."""
        if self.popen.poll() is None:
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.popen.wait(timeout=30)


def start(command: Sequence[str | Path], undo: Undo, group: Group | None = None, role: dict | None = None,
          killed: int = 0, program: str | None = None, folder: Path | None = None) -> Running:
    """Starts a command; `role` reaches a workload through its environment, so that its arguments are free to look
    like a server's. `killed` is its oom_score_adj: 1000 goes first, -1000 never. `program` is what runs when that is
    not the command's first word, `folder` where it runs."""
    environment = dict(os.environ, **{MARK: str(FOLDER), "PYTHONUNBUFFERED": "1"})
    if role is not None:
        environment["ULLAGE_LAB_ROLE"] = json.dumps(role)
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{time.monotonic_ns()}.log"

    def enter() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)      # a killed lab must not leave a hog behind
        if killed:
            Path("/proc/self/oom_score_adj").write_text(str(killed))
        if group:
            group.enter(os.getpid())

    with open(log, "wb") as output:
        popen = subprocess.Popen([str(part) for part in command], env=environment, stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=enter,
                                 executable=program, cwd=folder)
    running = Running(popen, log)
    undo.later(f"pid {popen.pid}", running.stop)
    return running


def limited(**limits: int) -> list[str]:
    """What `ulimit` sets, for one program: `limited(nofile=1024)`; see prlimit(1)."""
    require("prlimit")
    return ["prlimit", *(f"--{name}={value}:{value}" for name, value in limits.items())]


def may_lock(size: int) -> list[str]:
    """RLIMIT_MEMLOCK, which binds nobody who has CAP_IPC_LOCK: a container's root has not."""
    require("setpriv")
    return [*limited(memlock=size), "setpriv", "--bounding-set=-ipc_lock"]


def with_shared_memory(size: int) -> list[str]:
    """A /dev/shm of its own, as every container has one: 64 MiB unless somebody asked for more."""
    require("unshare", "mount")
    mount = f'mount -t tmpfs -o size={size} tmpfs /dev/shm && exec "$@"'
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", mount, "sh"]


def as_script(workload: str, arguments: Sequence[str | Path]) -> list[str]:
    """`python3 /…/mapped_model.py --model …`: a script of the user's own."""
    return [PYTHON, str(HERE / "workloads" / f"{workload}.py"), *map(str, arguments)]


def as_installed(workload: str, program: str, arguments: Sequence[str | Path]) -> list[str]:
    """`python3 /…/bin/vllm serve …`: what pip makes of a console script."""
    PROGRAMS.mkdir(parents=True, exist_ok=True)
    link = PROGRAMS / program
    link.unlink(missing_ok=True)
    link.symlink_to(HERE / "workloads" / f"{workload}.py")
    return [PYTHON, str(link), *map(str, arguments)]


def as_words(workload: str, shown: Sequence[str]) -> dict:
    """`ollama serve`, too short to hide an interpreter behind: Python runs the file `serve` of the folder it is in.
    What `start` is to be told."""
    folder = PROGRAMS / shown[0]
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / shown[1]
    script.unlink(missing_ok=True)
    script.symlink_to(HERE / "workloads" / f"{workload}.py")
    return {"command": list(shown), "program": PYTHON, "folder": folder}


def as_program(workload: str, shown: Sequence[str | Path]) -> list[str]:
    """`llama-server -m …`: the workload overwrites its arguments with these (see workloads/role.py).

    The kernel shows the memory the arguments were put in, so the original ones must be exactly as long.
    """
    wanted = "\0".join(map(str, shown)) + "\0"
    bare = [PYTHON, str(HERE / "workloads" / f"{workload}.py"), ""]
    missing = len(wanted.encode()) - len("\0".join(bare).encode()) - 1
    if missing < 0:
        raise ValueError(f"{shown} is {-missing} bytes too short to hide the interpreter's own arguments")
    bare[-1] = "." * missing
    return bare
