# SPDX-License-Identifier: Apache-2.0
"""io.max of cgroup v2, on the server's own group and on one above it."""
from scenario import fault
from stage import MiB, Stage

# An instant has one time and takes a second or two to read on an emulated processor, the first more than the last; in a
# window of three seconds that makes a rate of 1 MiB/s look like half of it.
_LONGER = ("--for", "8s")


@fault("io-throttled", status="critical", smoke=True, arguments=_LONGER)
def io_max_on_the_server(stage: Stage) -> None:
    """The box of a llama-server may read 1 MiB a second, and its model has 120."""
    _, number = stage.real_disk()
    model = stage.gguf(120)
    box = stage.group("limited").limit_reads(number, bytes_per_second=MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], box,
                           path=str(model))
    _await_throttle(stage, server, box)


@fault("io-throttled", status="critical", arguments=_LONGER)
def io_max_counts_operations(stage: Stage) -> None:
    """The box may make 50 reads a second, and the server asks for one page at a time."""
    _, number = stage.real_disk()
    model = stage.gguf(120)
    box = stage.group("limited").limit_reads(number, operations_per_second=50)
    server = stage.script("mapped_model", ["--model", model, "--cpu"], box, path=str(model), advice="random")
    _await_throttle(stage, server, box, at_least=0.05)


@fault("io-throttled", status="critical", arguments=_LONGER)
def io_max_two_levels_up(stage: Stage) -> None:
    """The tenant's slice may read 1 MiB a second; a loader two levels below it copies 100 MiB into its memory."""
    _, number = stage.real_disk()
    model = stage.safetensors(100)
    tenant = stage.group("tenant.slice").limit_reads(number, bytes_per_second=MiB)
    box = stage.group("sglang.service", stage.group("serving.slice", tenant))
    server = stage.installed("weights_in_memory", "sglang", ["serve", "--model-path", model.parent], box,
                             paths=[str(model)])
    _await_throttle(stage, server, box)


def _await_throttle(stage: Stage, server, box, at_least: float = 0.3) -> None:
    read = lambda: server.counters().read_bytes / MiB
    stage.until_rate("MiB read by the server", read, at_least=at_least, at_most=2.5)
    stage.show_wait(server, box)
