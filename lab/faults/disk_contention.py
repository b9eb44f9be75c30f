# SPDX-License-Identifier: Apache-2.0
"""The disk is good; somebody else takes most of it while the server waits for its model."""
from scenario import fault
from stage import MiB, Stage, kernel, page_cache


@fault("disk-contention", status=("critical", "warning"))
def backup_reads_the_disk_of_the_model(stage: Stage) -> None:
    """A backup keeps 32 reads of 8 MiB on the disk; the pages of a loading model wait behind them."""
    _play(stage, model_mib=1024, advice="random", readers=32, block=8 * MiB, write=False)


@fault("disk-contention", status=("critical", "warning"))
def database_writes_the_disk_of_the_model(stage: Stage) -> None:
    """A database restores with 32 writes of 8 MiB at a time on the disk from which a model is loading."""
    _play(stage, model_mib=1024, advice="random", readers=32, block=8 * MiB, write=True)


@fault("disk-contention", status=("critical", "warning"))
def backup_beside_a_sequential_load(stage: Stage) -> None:
    """The server reads ahead and so gets a share; it still loads its 7 GiB at a tenth of the disk's speed."""
    _play(stage, model_mib=7168, advice="normal", readers=32, block=8 * MiB, write=False)


def _play(stage: Stage, model_mib: int, advice: str, readers: int, block: int, write: bool) -> None:
    name, _ = stage.real_disk()
    model, other = stage.gguf(model_mib), stage.gguf(3584)
    arguments = ["-m", model, "--port", "8080", "--threads", "2"]

    def load():
        return stage.program("mapped_model", ["llama-server", *arguments], path=str(model), advice=advice)

    alone = load()
    stage.proof.note(f"MiB read by the server when alone: {stage.rate_of(lambda: _read_mib(alone)):.0f}/s")
    alone.stop()
    page_cache.evict(model)

    stage.script("backup", [other], path=str(other), readers=readers, block=block, write=write).await_line("running")
    disk = lambda: kernel.Disk.of(name)
    moved = lambda: (disk().written_bytes if write else disk().read_bytes) / MiB
    stage.until_rate("MiB the disk moves", moved, at_least=100)
    server = load()
    server.await_line("mapped")
    stage.until_rate("MiB read by the server", lambda: _read_mib(server), at_most=_fraction(model_mib))
    stage.show_wait(server)


def _fraction(model_mib: int) -> float:
    """So slow that the load lasts over a minute."""
    return model_mib / 70


def _read_mib(server) -> float:
    return server.counters().read_bytes / MiB
