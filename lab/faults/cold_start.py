# SPDX-License-Identifier: Apache-2.0
"""First touch of a model that is not in the page cache: it waits for the disk, page by page, and memory is free."""
from scenario import fault
from stage import MiB, Stage


@fault("cold-start", status="warning", smoke=True)
def page_by_page_from_a_good_disk(stage: Stage) -> None:
    """One thread faults 6 GiB in one page at a time (MADV_RANDOM): the disk could do ten times more, and it takes minutes."""
    model = stage.gguf(6144)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                           path=str(model), advice="random")
    stage.until_rate("MiB of the model that came in", stage.resident_mib(model), at_least=2, at_most=60)
    stage.proof.rate("major faults", lambda: server.counters().major_faults)
    stage.until("MiB of the model in memory", stage.resident_mib(model), at_most=4500)
    stage.show_wait(server)


@fault("cold-start", status="warning")
def tensors_in_the_order_of_the_code(stage: Stage) -> None:
    """A safetensors server behind a box with room faults its 5 GiB in page by page, layer after layer."""
    model = stage.safetensors(5120)
    box = stage.group("sglang").limit_memory(12 * 1024 * MiB)
    server = stage.installed("mapped_model", "sglang", ["serve", "--model-path", model.parent, "--port", "30000"], box,
                             path=str(model), advice="random", layers=61)
    stage.until_rate("MiB of the model that came in", stage.resident_mib(model), at_least=2, at_most=60)
    stage.proof.rate("major faults", lambda: server.counters().major_faults)
    stage.show_wait(server, box)
