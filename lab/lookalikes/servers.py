# SPDX-License-Identifier: Apache-2.0
"""Servers that idle, compute, end or are not there at all."""
import signal

from lookalikes.calm import calm_server
from scenario import lookalike
from stage import GiB, MiB, Stage, kernel, neighbours


@lookalike(smoke=True, headline="no LLM server")
def no_server_at_all(stage: Stage) -> None:
    """Nothing that serves a model runs here."""


@lookalike(smoke=True)
def idle_server(stage: Stage) -> None:
    """A server has its model in the cache and waits for a request."""
    model = stage.gguf(300)
    stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], path=str(model),
                  tokens=1).await_line("idle")


@lookalike()
def computing_server(stage: Stage) -> None:
    """A server takes a whole processor to compute on a model that is in memory."""
    server = calm_server(stage, compute=0.05, pause=0)
    stage.until_rate("seconds of processor time", lambda: server.counters().cpu_seconds, at_least=0.6)


@lookalike()
def stopped_by_hand(stage: Stage) -> None:
    """`docker stop` ran out of patience and sent SIGKILL: exit status 137, and no memory was short."""
    calm_server(stage)
    model = stage.safetensors(300)
    box = stage.group("stopped").limit_memory(2 * GiB)
    server = stage.installed("weights_in_memory", "vllm", ["serve", model.parent, "--port", "8000"], box,
                             paths=[str(model)]).await_line("ready")
    server.tell(signal.SIGKILL)
    server.popen.wait(timeout=10)
    stage.proof.note(f"the server ended with {server.popen.returncode}")
    stage.until("kills for memory", box.oom_kills, at_most=0)


@lookalike()
def deploy_replaces_a_server(stage: Stage) -> None:
    """A server ends while we look and another takes its place, as in any roll-out."""
    old = calm_server(stage)
    model = stage.safetensors(301)
    stage.cached(model)
    stage.while_diagnosing(1.0, old.stop)
    stage.while_diagnosing(1.3, lambda: stage.installed("weights_in_memory", "vllm", ["serve", model.parent],
                                                        paths=[str(model)]))


@lookalike(servers=("llama.cpp … serves random-llama-300m.Q8_0.gguf … holds host anonymous, host weights-page-cache"
                                " … 1 request running, 1 waiting",))
def real_engine_generates(stage: Stage) -> None:
    """llama.cpp itself generates tokens from a model of 300 MiB on a host with room, for one of two that ask."""
    neighbours.await_quiet()                 # it needs the processors that a build takes from it
    model = stage.gguf(300)
    engine = stage.real_engine(model, requests=2).await_line("round 1:", within=180)
    stage.until_rate("seconds of processor time", lambda: engine.counters().cpu_seconds, at_least=0.3)
    stage.until("MiB available", kernel.available_mib, at_least=8 * GiB / MiB)
