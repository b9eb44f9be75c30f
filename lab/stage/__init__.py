# SPDX-License-Identifier: Apache-2.0
"""What a scenario plays on: model files, control groups, disks, swap, processes, and the way back from all of them."""
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from stage import (disks, file_servers, gpus, kernel, models, neighbours, network_mount, page_cache, processes, settings,
                   swap)
from stage.cgroups import Group
from stage.outcome import NotEstablished, Skipped
from stage.place import GiB, HERE, MiB
from stage.processes import Running
from stage.proof import Number, Proof
from stage.undo import Undo

_FLOOR = 1200 * MiB           # the host keeps this much for everybody else, whatever a scenario takes
_LARGEST_HOST = 64 * GiB      # filling more takes longer than it teaches


class Stage:
    """One scenario's stage. Everything it makes is undone by `undo.everything()`."""

    def __init__(self) -> None:
        self.undo = Undo()
        self.proof = Proof()
        self.during: list[tuple[float, Callable[[], object]]] = []
        self.environment: dict[str, str] = {}      # of the program under test
        self.through: list[str] = []               # what it is run through

    # --- files

    gguf = staticmethod(models.gguf_file)
    safetensors = staticmethod(models.safetensors_file)
    sparse = staticmethod(models.sparse_file)
    repetitive = staticmethod(models.repetitive_file)

    def cached(self, model: Path) -> Path:
        page_cache.read_through(model)
        return model

    def copy_to_spoil(self, model: Path, mib: int | None = None) -> Path:
        return models.copy_to_spoil(model, self.undo, mib)

    def resident_mib(self, model: Path) -> Number:
        return lambda: (page_cache.resident_bytes(model) or 0) / MiB

    def resident_by(self, server: Running) -> Number:
        """MiB of files in its memory; asks the process, since whoever opens a file on a slow mount waits with it."""
        return lambda: kernel.status(server.pid, "RssFile") / MiB

    # --- boxes, disks, swap

    def group(self, name: str, parent: Group | None = None) -> Group:
        return parent.child(name) if parent else Group(name, self.undo)

    def disk(self, name: str, mib: int, content: Path | None = None, inodes: int = 0) -> disks.LoopDisk:
        return disks.new(name, mib * MiB, self.undo, content, inodes)

    def lost_disk(self, name: str, mib: int, content: Path, left_mib: int) -> disks.LoopDisk:
        """A disk of which the kernel can read only the first `left_mib`: the rest of its image is cut off."""
        image = disks.image(name, mib * MiB, self.undo, content)
        disk = disks.attach(name, image, self.undo, read_only=True)
        os.truncate(image, left_mib * MiB)
        return disk

    def slow_disk(self, name: str, mib: int, content: Path, seconds_per_read: float, rate: int) -> disks.LoopDisk:
        """A loop device on a FUSE file that answers late: the kernel counts its waits like any disk's."""
        image = disks.image(name, mib * MiB, self.undo, content)
        below, _ = file_servers.mount(f"below-{name}", [image, seconds_per_read, rate], self.undo)
        return disks.attach(name, below / "disk", self.undo, read_only=True)

    def swap_file(self, mib: int) -> None:
        swap.add(mib * MiB, self.undo)

    def compressed_swap(self, mib: int) -> None:
        swap.add_compressed(mib * MiB, self.undo)

    def swap_disk(self, device: str) -> None:
        swap.use_disk(device, self.undo)

    def generations(self, on: bool) -> None:
        """Whether the kernel keeps pages by generation (MGLRU) or in an active and an inactive list."""
        kernel.keep_generations(on, self.undo)

    def nfs(self, folder: Path, **pace) -> network_mount.NfsMount:
        """A folder of this host as another host would serve it, mounted over the network."""
        return network_mount.new(folder, self.undo, **pace)

    def tmpfs(self, name: str, mib: int) -> Path:
        return disks.tmpfs(name, mib * MiB, self.undo)

    def hung_mount(self, name: str) -> Path:
        """A mount whose server accepted it and never answers again: whoever looks at it waits."""
        return file_servers.mount(name, ["never"], self.undo)[0]

    def file_server(self, name: str, model: Path, rate: int, seconds_per_read: float = 0) -> tuple[Path, Running]:
        """The model as it is seen through a network file system, and the server of that, which may be stopped.
        Whoever opens the file throws its pages out of memory, as with sshfs: Ullage must not."""
        return file_servers.serve(name, model, seconds_per_read, rate, self.undo)

    def real_disk(self) -> tuple[str, str]:
        """Name and number of the block device under the lab's folder: `vda`, `253:0`."""
        disk = kernel.whole_disk(models.MODELS)
        if not disk:
            raise Skipped(f"{models.MODELS} lies on no block device")
        return disk

    Gpu = gpus.Gpu

    def gpus(self, *those: gpus.Gpu) -> None:
        """What NVIDIA's driver tells the program under test from now on."""
        self.environment, self.through = gpus.install(list(those), self.undo)

    # --- settings of the whole host

    def setting(self, path: str, value: int) -> int:
        """Changes a file below /proc/sys and says what the kernel made of it."""
        settings.change(Path(path), str(value), self.undo)
        return int(Path(path).read_text())

    def huge_pages(self, share: float) -> int:
        """Sets a share of the host aside for huge pages; says how many bytes that are."""
        now = kernel.meminfo()
        wanted = int(now["MemTotal"] * share) // now["Hugepagesize"]
        if now["MemAvailable"] < now["MemTotal"] * (share + 0.15):
            raise Skipped("the host's other processes would be left with too little beside the huge pages")
        if (got := self.setting("/proc/sys/vm/nr_hugepages", wanted)) < wanted:
            raise Skipped(f"the kernel could set {got} of {wanted} huge pages aside")
        return got * now["Hugepagesize"]

    # --- programs

    def start(self, command, group: Group | None = None, role: dict | None = None, **more) -> Running:
        return processes.start(command, self.undo, group, role, **more)

    def script(self, workload: str, arguments, group: Group | None = None, under=(), **role) -> Running:
        """`under` is what it is run through, see `processes`: a limit of its own, a /dev/shm of its own."""
        return self.start([*under, *processes.as_script(workload, arguments)], group, role)

    def installed(self, workload: str, program: str, arguments, group: Group | None = None, under=(),
                  **role) -> Running:
        return self.start([*under, *processes.as_installed(workload, program, arguments)], group, role)

    def program(self, workload: str, shown, group: Group | None = None, under=(), **role) -> Running:
        shown = [str(part) for part in shown]
        return self.start([*under, *processes.as_program(workload, shown)], group, {**role, "shown": shown})

    def supervised(self, command, group: Group | None, **role) -> Running:
        """A server that is started again whenever it dies."""
        return self.script("supervisor", [], group, command=command, child=role)

    def ballast(self, leave: int, locked: bool = False, floor: int | None = None, spared: bool = False) -> Running:
        """Takes the host's memory until `leave` bytes are available, and gives back below `floor`; the first to die if
        that was too much, unless it is spared. With swap the floor may be low: what is squeezed out goes there."""
        if kernel.meminfo()["MemTotal"] > _LARGEST_HOST:
            raise Skipped("this host has more memory than the lab cares to fill")
        neighbours.await_quiet()
        role = {"leave": leave, "floor": min(leave // 2, _FLOOR) if floor is None else floor, "locked": locked}
        started = self.start(processes.as_script("ballast", []), None, role, killed=-1000 if spared else 1000)
        return started.await_line("full", within=120)

    def ballast_on_node(self, node: int, leave: int) -> Running:
        """The same for one NUMA node: only so much of it is free or page cache."""
        role = {"leave": leave, "floor": 0, "locked": True, "node": node}
        started = self.start(processes.as_script("ballast", []), self.group(f"node{node}").on_node(node), role)
        return started.await_line("full", within=120)

    def short_of_memory(self) -> None:
        """Less than a tenth of the host is left, which is where `diagnose` begins to call it short; a build that needs
        more gets it back from the ballast at once."""
        if kernel.meminfo()["SwapTotal"]:
            raise Skipped("this host has swap, and the story is about one without")
        total = kernel.meminfo()["MemTotal"]
        for _ in range(5):
            ballast = self.ballast(leave=int(total * 0.094), floor=int(total * 0.085))
            self.until("share of memory available", kernel.available_share, at_most=0.0975)
            if not neighbours.build():
                return
            ballast.stop()                   # one has begun meanwhile, and goes first
        raise Skipped("builds on this host begin again and again")

    def real_engine(self, model: Path, group: Group | None = None, port: int = 18080, **settings) -> Running:
        """llama.cpp itself, started by node under the name of the server it stands for; see engine/serve.mjs."""
        node = shutil.which("node")
        if not node or not (HERE / "engine" / "node_modules" / "node-llama-cpp").exists():
            raise Skipped("the real engine is not installed: npm install --ignore-scripts --omit=optional --no-save in lab/engine")
        return self.start(["llama-server", HERE / "engine" / "serve.mjs", "--model", model, "--port", port], group, settings,
                          program=node)

    def engine(self, shown, answers: str, port: int, **settings) -> Running:
        """Not the engine: a process of that name which gives its answers, those of `answers/`, changed as a story needs."""
        role = {"answers": str(HERE / "answers" / answers), "port": port, **settings}
        if len(shown) == 2:
            started = self.start(**processes.as_words("answering_server", shown), role=role)
        else:
            started = self.program("answering_server", shown, **role)
        return started.await_line("listening")

    # --- waiting until the fault is there

    def until(self, what: str, gauge: Number, at_least: float | None = None, at_most: float | None = None,
              within: float = 60) -> None:
        """Waits for a level, which becomes part of the proof."""
        self.proof.level(what, gauge)
        deadline = time.monotonic() + within
        while not _inside(now := gauge(), at_least, at_most):
            if time.monotonic() > deadline:
                raise NotEstablished(f"{what} is {now:,.1f}, wanted {_range(at_least, at_most)}, after {within:.0f} s")
            time.sleep(0.1)

    def until_rate(self, what: str, counter: Number, at_least: float | None = None, at_most: float | None = None,
                   within: float = 60) -> None:
        """Waits for a counter to grow this fast over a second."""
        self.proof.rate(what, counter)
        deadline = time.monotonic() + within
        while True:
            rate = self.rate_of(counter)
            if _inside(rate, at_least, at_most):
                return
            if time.monotonic() > deadline:
                raise NotEstablished(f"{what} is {rate:,.1f}/s, wanted {_range(at_least, at_most)}, "
                                     f"after {within:.0f} s")

    def rate_of(self, counter: Number) -> float:
        """How fast a counter grows over the next second."""
        before, began = counter(), time.monotonic()
        time.sleep(1)
        return (counter() - before) / (time.monotonic() - began)

    def show_wait(self, server: Running, group: Group | None = None) -> None:
        """How much of the time the server stands still: what critical and warning are told apart by."""
        self.proof.rate("seconds the server waited", lambda: kernel.waiting_seconds(server.pid))
        if group:
            self.proof.rate("seconds its group was stalled on io", group.stall("io"))
            self.proof.rate("seconds its group was stalled on memory", group.stall("memory"))

    def while_diagnosing(self, after: float, action: Callable[[], object]) -> None:
        """Does something so many seconds after the diagnosis has begun."""
        self.during.append((after, action))


def _inside(number: float, at_least: float | None, at_most: float | None) -> bool:
    return (at_least is None or number >= at_least) and (at_most is None or number <= at_most)


def _range(at_least: float | None, at_most: float | None) -> str:
    bounds = (("at least", at_least), ("at most", at_most))
    return " and ".join(f"{word} {bound:,.1f}" for word, bound in bounds if bound is not None)
