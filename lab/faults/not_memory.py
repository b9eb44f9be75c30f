# SPDX-License-Identifier: Apache-2.0
"""A slow server whose trouble is neither memory nor storage."""
from scenario import fault
from stage import Stage


@fault("not-memory", status=("warning", "healthy"), smoke=True)
def processor_limit(stage: Stage) -> None:
    """The model is in memory; the box gives the server a fifth of one processor, and it wants a whole one."""
    model = stage.cached(stage.gguf(200))
    box = stage.group("small-cpu").limit_cpu(0.2)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--threads", "1",
                           "--ctx-size", "2048"], box, path=str(model), compute=0.05)
    server.await_line("mapped")
    stage.until_rate("periods throttled", box.throttled_periods, at_least=4)
    stage.proof.rate("processor seconds", lambda: server.counters().cpu_seconds)


@fault("not-memory", status=("warning", "healthy"))
def neighbours_take_the_processors(stage: Stage) -> None:
    """Eight jobs take both processors; the server computes on a cached model and gets a fifth of what it could use."""
    model = stage.gguf(300)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                           path=str(model), compute=0.05)
    server.await_line("token 1 ")
    for job in range(8):                    # each in a session of its own, for the scheduler shares out by session
        stage.script("cruncher", ["--job", job]).await_line("running")
    stage.until_rate("processor seconds", lambda: server.counters().cpu_seconds, at_most=0.6)


@fault("not-memory", status="healthy")
def computing_on_a_cached_model(stage: Stage) -> None:
    """Two workers compute as fast as the processors let them, on weights that are all in memory."""
    model = stage.safetensors(300)
    server = stage.script("weights_in_memory", ["--model", model.parent, "--workers", "2"], paths=[str(model)],
                          workers=2, then="compute")
    stage.until("workers that have loaded", lambda: server.log.read_text().count("ready"), at_least=2)
    stage.until_rate("processor seconds of the first worker", lambda: server.counters().cpu_seconds, at_least=0.3)
