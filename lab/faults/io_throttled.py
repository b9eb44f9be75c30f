# SPDX-License-Identifier: Apache-2.0
"""A limit on the reads of the server's control group, while the disk could give more."""
from scenario import fault
from stage import MiB, Stage, hierarchies
from stage.outcome import Skipped


@fault("io-throttled", status="critical", smoke=True)
def bytes_a_second(stage: Stage) -> None:
    """The box of a llama-server may read 6 MiB a second, and its model has 800."""
    _, number = stage.real_disk()
    model = stage.gguf(800)
    box = stage.group("limited").limit_reads(number, bytes_per_second=6 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], box,
                           path=str(model))
    _await_throttle(stage, server, box)


@fault("io-throttled", status="critical")
def reads_a_second(stage: Stage) -> None:
    """The box may make 200 reads a second, and the server asks for one page at a time."""
    _, number = stage.real_disk()
    model = stage.gguf(400)
    box = stage.group("limited").limit_reads(number, operations_per_second=200)
    server = stage.script("mapped_model", ["--model", model, "--cpu"], box, path=str(model), advice="random")
    _await_throttle(stage, server, box, at_least=0.2)


@fault("io-throttled", status="critical")
def limit_on_the_box_above(stage: Stage) -> None:
    """The tenant's box may read 8 MiB a second; the loader in a box below it copies 1 GiB into its memory."""
    _, number = stage.real_disk()
    if hierarchies.of("blkio")[1] == 1:
        raise Skipped("blkio limits of cgroup v1 hold for the group itself and not for those below it")
    model = stage.safetensors(1024)
    tenant = stage.group("tenant").limit_reads(number, bytes_per_second=8 * MiB)
    box = stage.group("sglang", tenant)
    server = stage.installed("weights_in_memory", "sglang", ["serve", "--model-path", model.parent], box,
                             paths=[str(model)])
    _await_throttle(stage, server, box)


def _await_throttle(stage: Stage, server, box, at_least: float = 2) -> None:
    read = lambda: server.counters().read_bytes / MiB
    stage.until_rate("MiB read by the server", read, at_least=at_least, at_most=12)
    stage.show_wait(server, box)
