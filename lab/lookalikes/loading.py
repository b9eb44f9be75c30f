# SPDX-License-Identifier: Apache-2.0
"""Reads of a model that are meant, or soon over."""
from lookalikes.calm import calm_server
from scenario import lookalike
from stage import MiB, Stage
from stage.processes import as_script


@lookalike()
def model_warmed_on_purpose(stage: Stage) -> None:
    """dd reads the next model into the cache while a server computes on another one."""
    model = stage.safetensors(3000)
    calm_server(stage)
    _dd(stage, model, 250 * MiB)
    stage.until_rate("MiB of the next model that came in", stage.resident_mib(model), at_least=50)


@lookalike()
def model_warmed_for_the_idle_server(stage: Stage) -> None:
    """dd reads the model that an idle server has mapped but not yet touched, at the pace of a slow pipe."""
    model = stage.gguf(3000)
    stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--no-warmup"], path=str(model), layers=1,
                  tokens=-1)
    _dd(stage, model, 250 * MiB)
    stage.until_rate("MiB of the model that came in", stage.resident_mib(model), at_least=50)


@lookalike(headline="no LLM server")
def model_warmed_before_any_server(stage: Stage) -> None:
    """dd warms a model before any server is there."""
    model = stage.gguf(3000)
    _dd(stage, model, 250 * MiB)
    stage.until_rate("MiB of the model that came in", stage.resident_mib(model), at_least=50)


@lookalike()
def load_that_is_soon_over(stage: Stage) -> None:
    """A server faults a cold model of 1 GiB in page by page: major faults by the thousand, and done in half a minute."""
    model = stage.gguf(1024)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                           path=str(model), advice="random")
    stage.until_rate("MiB of the model that came in", stage.resident_mib(model), at_least=20)
    stage.proof.rate("major faults", lambda: server.counters().major_faults)
    stage.show_wait(server)


def _dd(stage: Stage, model, pace: int) -> None:
    """dd into a pipe that is drained at a pace, so that it is still at work while we look."""
    stage.start(["sh", "-c", f'dd if={model} bs=1M | {" ".join(as_script("drain", []))}'], None, {"pace": pace})
