# SPDX-License-Identifier: Apache-2.0
"""The host itself has no room for the mapped model: no limit is to blame, and raising none would help."""
from functools import partial

from scenario import fault
from stage import GiB, Stage, kernel


@fault("page-cache-thrash", status=("critical", "warning"), smoke=True)
def model_larger_than_the_room_left(stage: Stage) -> None:
    """A neighbour leaves 2 GiB; llama-server walks a mapped model of 3.5 GiB and reads it again for every token."""
    model = stage.gguf(3584)
    stage.ballast(leave=2 * GiB)
    server = stage.program("mapped_model", ["llama-server", "--model", model, "--host", "0.0.0.0", "-np", "2"],
                           path=str(model), layers=64)
    stage.until_rate("pages read again", partial(kernel.vmstat, "workingset_refault_file"), at_least=5_000, within=90)
    stage.proof.level("MiB available", kernel.available_mib)
    stage.show_wait(server)


@fault("page-cache-thrash", status=("critical", "warning"))
def two_models_push_each_other_out(stage: Stage) -> None:
    """Each of two different models fits into the 2 GiB that are left; together they do not, and both are walked."""
    chat, embedding = stage.gguf(1400), stage.safetensors(1500)
    stage.ballast(leave=2 * GiB)
    server = stage.program("mapped_model", ["llama-server", "-m", chat, "--port", "8080", "--alias", "chat"],
                           path=str(chat))
    stage.installed("mapped_model", "text-embeddings-router", ["--model-id", embedding.parent], path=str(embedding))
    stage.until_rate("pages read again", partial(kernel.vmstat, "workingset_refault_file"), at_least=5_000, within=90)
    stage.proof.level("MiB available", kernel.available_mib)
    stage.show_wait(server)
