# SPDX-License-Identifier: Apache-2.0
"""One virtual machine: two processors, two NUMA nodes, four NVMe name spaces, and two serial ports.

The first port is the kernel's console and goes to a file. On the second the guest is asked and answers, a line of JSON each
time. Nothing here waits without a deadline: a panic or a hang ends as `Stopped`, with the end of the console.
"""
import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path

from debian import program

_RAM = 2560                   # MiB
_PANICS = (b"Kernel panic", b"lab: the disks cannot be mounted")


class Stopped(Exception):
    """The machine ended, panicked or did not answer in time."""


class Machine:
    def __init__(self, tools: Path, guest: Path, disks: list[Path], repository: Path, folder: Path) -> None:
        self._console = folder / "console.txt"
        self._console.write_bytes(b"")
        self._pending = b""
        kernel = sorted((guest / "boot").glob("vmlinuz-*"))[-1]
        libraries = tools / "usr/lib/x86_64-linux-gnu"
        half = _RAM // 2
        command = [
            *program(tools, "usr/bin/qemu-system-x86_64"), "-L", str(tools / "usr/share/qemu"), "-L", str(tools / "usr/share/seabios"),
            "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-machine", "q35", "-accel", "tcg,thread=multi",
            "-cpu", "max,la57=off", "-smp", "2,sockets=2", "-m", f"{_RAM}M",
            "-object", f"memory-backend-ram,id=near,size={half}M", "-object", f"memory-backend-ram,id=far,size={half}M",
            "-numa", "node,nodeid=0,cpus=0,memdev=near", "-numa", "node,nodeid=1,cpus=1,memdev=far",
            "-serial", f"file:{self._console}", "-serial", "stdio", "-device", "nvme,id=disks,serial=ullage-lab",
            "-kernel", str(kernel), "-append",
            f"console=ttyS0 root=/dev/nvme0n1 rw init=/sbin/lab-first lab={repository} psi=1 panic=1 quiet loglevel=4 "
            "mitigations=off nokaslr random.trust_cpu=on nowatchdog tsc=reliable clocksource=tsc"]
        for number, disk in enumerate(disks, 1):
            command += ["-drive", f"if=none,id=disk{number},file={disk},format=raw,snapshot=on,cache=unsafe",
                        "-device", f"nvme-ns,drive=disk{number},bus=disks,nsid={number}"]
        environment = dict(os.environ, QEMU_MODULE_DIR=str(libraries / "qemu"), TMPDIR=str(folder))
        self._errors = open(folder / "qemu.txt", "w+b")
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, env=environment,
                                         start_new_session=True)
        os.set_blocking(self._process.stdout.fileno(), False)

    def ask(self, order: dict, within: float) -> dict:
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()
        return self.answer(within)

    def answer(self, within: float) -> dict:
        deadline = time.monotonic() + within
        while b"\n" not in self._pending:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Stopped(f"the machine did not answer within {within:.0f} s; {self._tail()}")
            if select.select([self._process.stdout], [], [], min(left, 1))[0]:
                data = self._process.stdout.read()
                if not data:
                    raise Stopped(f"the machine ended; {self._tail()}")
                self._pending += data
            elif any(word in self._console.read_bytes() for word in _PANICS):
                raise Stopped(f"the machine's kernel gave up; {self._tail()}")
        line, _, self._pending = self._pending.partition(b"\n")
        try:
            return json.loads(line)
        except ValueError as trouble:
            raise Stopped(f"the machine answered what is no JSON: {line[:200]!r}; {self._tail()}") from trouble

    def stop(self) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._errors.close()

    def _tail(self) -> str:
        self._errors.seek(0)
        errors = self._errors.read().decode(errors="replace").strip()
        lines = self._console.read_bytes().decode(errors="replace").splitlines()
        shown = [line for line in lines if line.strip()][-12:]
        return "\n    ".join([f"qemu says: {errors}" if errors else "the end of its console:", *shown])
