# SPDX-License-Identifier: Apache-2.0
"""Inside the machine: does what each line of JSON on the serial port says, and answers with another: `{"play": "NAME"}`, `{"run": "COMMAND"}`."""
import json
import os
import subprocess
import sys
import termios
import time
import tty
from pathlib import Path

LAB = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(LAB), str(LAB / "vm")]

import trial
from scenario import catalogue
from stage import kernel, leftovers, place

_SLOWER = 4                   # times as slow as a host, when others use the host's processors as well


def main() -> None:
    port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
    tty.setraw(port, termios.TCSANOW)
    Path("/sys/fs/cgroup/system.slice/lab.service/cgroup.procs").write_text(str(os.getpid()))
    subprocess.run(["modprobe", "-q", "-a", "loop", "fuse"])
    place.make_folders()
    scenarios = {scenario.name: scenario for scenario in catalogue(("scenarios",))}
    _tell(port, {"ready": os.uname().release})
    with open(port, "r", closefd=False) as orders:
        for line in orders:
            order = json.loads(line)
            if "run" in order:
                done = subprocess.run(order["run"], shell=True, capture_output=True, text=True)
                _tell(port, {"output": done.stdout + done.stderr})
                continue
            name = order["play"]
            kills = kernel.vmstat("oom_kill")
            outcome = trial.play(scenarios[name], LAB.parent / "ullage", slower=_SLOWER)
            leftovers.remove()
            place.make_folders()
            if kernel.vmstat("oom_kill") > kills:        # or the next scenario would be asked about them
                time.sleep(trial.START * (_SLOWER - 1))
            _tell(port, {"name": name, "result": outcome.result, "why": outcome.why, "proof": outcome.proof,
                         "seconds": outcome.seconds, "tookToReport": outcome.report.seconds if outcome.report else 0,
                         "report": outcome.report.text if outcome.report else None})


def _tell(port: int, what: dict) -> None:
    line = json.dumps(what).encode() + b"\n"
    while line:
        line = line[os.write(port, line):]


if __name__ == "__main__":
    main()
