# SPDX-License-Identifier: Apache-2.0
"""Models on a real NFS mount: cold, behind a server that is gone, and warm."""
from scenario import bad_luck, fault, lookalike
from stage import MiB, Stage, page_cache


@fault("network-filesystem", status=("critical", "warning"))
def cold_model_on_nfs(stage: Stage) -> None:
    """A llama-server faults 120 MiB in from an NFS server 2 ms and 20 Mbit/s away: the cable, not the disk, is slow."""
    model, mount = _served(stage, 120, delay_ms=2, megabits=20)
    server = stage.program("mapped_model", ["llama-server", "-m", mount.mount / model.name, "--port", "8080", "--ctx-size",
                           "4096"], stage.group("llama"), path=str(mount.mount / model.name))
    stage.until_rate("MiB read by the server", lambda: server.counters().read_bytes / MiB, at_least=0.2, at_most=4)
    stage.show_wait(server)


@fault("network-filesystem", status=("critical", "warning"))
def model_copied_from_nfs(stage: Stage) -> None:
    """A loader copies 100 MiB of weights from the same far server into its own memory."""
    model, mount = _served(stage, 100, delay_ms=2, megabits=20)
    server = stage.installed("weights_in_memory", "vllm", ["serve", mount.mount, "--port", "8000"], stage.group("vllm"),
                             paths=[str(mount.mount / model.name)])
    stage.until_rate("MiB that came", _received, at_least=0.2, at_most=4)
    stage.show_wait(server)


@fault("network-filesystem", status=("critical", "warning"), within=8, headline="/var/tmp/ullage-lab/mnt/nfs")
def nfs_server_gone(stage: Stage) -> None:
    """The NFS server went away while a llama-server reads its model: the report comes in seconds and names the mount."""
    model, mount = _served(stage, 120, delay_ms=2, megabits=20)
    server = stage.program("mapped_model", ["llama-server", "-m", mount.mount / model.name, "--port", "8080", "--ctx-size",
                           "4096"], stage.group("llama"), path=str(mount.mount / model.name))
    stage.until_rate("MiB read by the server", lambda: server.counters().read_bytes / MiB, at_least=0.2)
    mount.pull_the_cable()
    stage.until_rate("MiB that come", _received, at_most=0)
    stage.show_wait(server)


@bad_luck(status=("healthy", "unknown"), causes=("none", "not-memory", "unknown"), not_seen="timed-out", within=8)
def nfs_server_gone_beside_a_calm_server(stage: Stage) -> None:
    """Nobody needs the NFS mount whose server is gone; the server beside it computes on a local model."""
    _, mount = _served(stage, 60)
    model = stage.gguf(50)
    stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], path=str(model),
                  layers=4, pause=0.5).await_line("token 1 ")
    mount.pull_the_cable()


@lookalike()
def warm_model_on_nfs(stage: Stage) -> None:
    """The model lies on the same slow mount and is in memory since the first token: nothing crosses the cable any more."""
    model, mount = _served(stage, 60)
    there = mount.mount / model.name
    server = stage.program("mapped_model", ["llama-server", "-m", there, "--port", "8080", "--ctx-size", "4096"],
                           stage.group("llama"), path=str(there), layers=4, pause=0.5)
    server.await_line("token 2 ", within=120)
    mount.pace(delay_ms=2, megabits=20)
    stage.until_rate("MiB that come", _received, at_most=0.1)


def _served(stage: Stage, mib: int, **pace):
    """The model's pages are in the cache of neither side: one kernel plays both."""
    model = stage.gguf(mib)
    mount = stage.nfs(model.parent, **pace)
    page_cache.evict(model)
    return model, mount


def _received() -> float:
    """MiB that the client's card took in."""
    with open("/sys/class/net/lab-nfs-c/statistics/rx_bytes") as file:
        return int(file.read()) / MiB
