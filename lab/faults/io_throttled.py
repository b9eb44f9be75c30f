# SPDX-License-Identifier: Apache-2.0
"""The disk is idle half of the time; a limit on the server's group makes it wait."""
from scenario import fault
from stage import MiB, Stage
from stage.kernel import Disk


@fault("io-throttled", status=("critical", "warning"), smoke=True)
def bytes_a_second_are_limited(stage: Stage) -> None:
    """A server whose group may read 10 MiB a second loads a model of 1 GiB from a disk that could do a hundred times more."""
    model = stage.gguf(1024)
    name, number = stage.real_disk()
    box = stage.group("limited").limit_reads(number, bytes_per_second=10 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], box,
                           path=str(model))
    stage.until_rate("MiB of the model that came in", stage.resident_mib(model), at_least=2, at_most=25)
    stage.proof.rate("seconds in which the disk was busy", lambda: Disk.of(name).busy_seconds)
    stage.show_wait(server, box)


@fault("io-throttled", status=("critical", "warning"))
def requests_a_second_are_limited(stage: Stage) -> None:
    """A server whose group may ask 150 times a second faults its model in page by page: half a MiB a second."""
    model = stage.safetensors(500)
    name, number = stage.real_disk()
    box = stage.group("few-requests").limit_reads(number, operations_per_second=150)
    server = stage.installed("mapped_model", "vllm", ["serve", model.parent, "--port", "8000"], box, path=str(model),
                             advice="random")
    stage.until_rate("MiB of the model that came in", stage.resident_mib(model), at_least=0.1, at_most=2)
    stage.proof.rate("requests to the disk", lambda: Disk.of(name).reads)
    stage.show_wait(server, box)
