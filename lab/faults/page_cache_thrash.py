# SPDX-License-Identifier: Apache-2.0
"""The host itself has no room for the mapped model: what was read is pushed out before it is needed again."""
from scenario import fault
from stage import MiB, Stage, kernel


@fault("page-cache-thrash", status=("critical", "warning"), smoke=True)
def mapped_model_larger_than_what_is_left(stage: Stage) -> None:
    """Other programs leave 2.2 GiB of the host; llama-server maps 3.5 GiB without any limit and walks it for ever."""
    model = stage.gguf(3584)
    stage.ballast(leave=2250 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                           path=str(model))
    stage.until_rate("pages read again", lambda: kernel.vmstat("workingset_refault_file"), at_least=5_000)
    stage.until("MiB available", kernel.available_mib, at_least=1000)
    stage.show_wait(server)


@fault("page-cache-thrash", status=("critical", "warning"))
def two_models_that_fit_only_one_at_a_time(stage: Stage) -> None:
    """Two servers map 1.8 GiB each on a host with 2.4 GiB left: each would fit, together they push each other out."""
    first, second = stage.gguf(1800), stage.safetensors(1801)
    stage.ballast(leave=2450 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", first, "--port", "8080"], path=str(first))
    stage.installed("mapped_model", "vllm", ["serve", second.parent, "--port", "8000"], path=str(second))
    stage.until_rate("pages read again", lambda: kernel.vmstat("workingset_refault_file"), at_least=5_000)
    stage.show_wait(server)
