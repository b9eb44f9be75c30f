# SPDX-License-Identifier: Apache-2.0
"""GPUs that are not there: a libnvidia-ml.so.1 that answers what a scenario writes down, and the one folder of /proc by
which the kernel module would say that it is loaded. What is under test calls the library as it would call NVIDIA's."""
import shutil
import subprocess
from pathlib import Path

from stage.outcome import Skipped
from stage.place import HERE, PROGRAMS, MiB
from stage.undo import Undo

_BUILDER = HERE.parent / "host" / "src" / "test" / "c" / "fake-nvml"
_PROC = "/proc/driver"


class Gpu:
    """One GPU, in MiB. What is used and no process holds is the driver's, or nobody's."""

    def __init__(self, name: str = "NVIDIA L4", total: int = 23034, reserved: int = 450) -> None:
        self.name, self.total, self.reserved = name, total, reserved
        self._lines: list[str] = []

    def now(self, free: int, processes: dict[int, int]) -> "Gpu":
        """What is free, and what each process holds. Not how it goes on: a server that is younger than ten minutes grows
        because it starts, and no scenario lasts so long."""
        used = self.total - self.reserved - free
        amounts = " ".join(str(mib * MiB) for mib in (self.total, self.reserved, free, used))
        self._lines.append(f"memory {amounts}")
        self._lines += [f"process {pid} compute {mib * MiB}" for pid, mib in processes.items()]
        return self

    def load(self, compute: int, memory: int) -> "Gpu":
        self._lines.append(f"load {compute} {memory}")
        return self

    def script(self, number: int) -> str:
        about = [f"gpu {self.name}", f"uuid GPU-0000000{number}-0000-0000-0000-000000000000", f"pci 0 {59 + number} 0",
                 "pcie 4 16 4 16 1024 1024", "celsius 54"]
        return "\n".join(about + self._lines) + "\n"


def install(gpus: list[Gpu], undo: Undo) -> tuple[dict[str, str], list[str]]:
    """The environment that makes the program under test load the library, and what to run it through so that it finds
    the kernel module's folder."""
    if not shutil.which("gcc"):
        raise Skipped("the fake NVIDIA library needs gcc")
    PROGRAMS.mkdir(parents=True, exist_ok=True)
    library = PROGRAMS / "libnvidia-ml.so.1"
    subprocess.run([_BUILDER, library], check=True, capture_output=True, timeout=60)
    script = Path(f"{library}.script")
    script.write_text("driver 570.86.15\ncuda 12080\n" + "".join(gpu.script(n) for n, gpu in enumerate(gpus)))
    undo.later(f"file {script}", script.unlink)
    folders = " ".join(f"{_PROC}/nvidia/gpus/0000:{59 + n:02x}:00.0" for n in range(len(gpus)))
    prepare = (f"mount -t tmpfs tmpfs {_PROC} && for gpu in {folders}; do mkdir -p $gpu && echo 'Model: GPU' >$gpu/information;"
               ' done && exec "$@"')
    return ({"ULLAGE_JAVA_OPTIONS": f"-Dullage.nvml.library={library}"},
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", prepare, "sh"])
