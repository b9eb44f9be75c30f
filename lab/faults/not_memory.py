# SPDX-License-Identifier: Apache-2.0
"""The server is slow, and neither memory nor storage is why."""
from scenario import fault
from stage import MiB, Stage


@fault("not-memory", status=("warning", "healthy"), smoke=True)
def processor_time_is_limited(stage: Stage) -> None:
    """A server that computes on a cached model gets 30 ms of processor time in every 100 ms."""
    model = stage.gguf(300)
    box = stage.group("throttled").limit_cpu(0.3)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], box,
                           path=str(model), compute=0.05)
    stage.until_rate("periods in which the group was throttled", box.throttled_periods, at_least=5)
    stage.proof.rate("seconds of processor time", lambda: server.counters().cpu_seconds)


@fault("not-memory", status=("warning", "healthy"))
def neighbours_take_the_processors(stage: Stage) -> None:
    """Twelve processes of a build take both processors; the server computes on a cached model and gets a share of them."""
    model = stage.gguf(300)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                           path=str(model), compute=0.05)
    server.await_line("token 1 ")
    stage.script("cruncher", ["--jobs", "12"], workers=12).await_line("running")
    stage.until_rate("seconds of processor time", lambda: server.counters().cpu_seconds, at_most=0.6)
