# SPDX-License-Identifier: Apache-2.0
"""A server's own memory grows with every request until its limit is reached."""
from scenario import fault
from stage import MiB, Stage, kernel


@fault("memory-leak", status="warning", smoke=True)
def a_little_of_every_request_is_kept(stage: Stage) -> None:
    """A server keeps 2 MiB of each of its five requests a second: its limit is two minutes away."""
    model = stage.gguf(300)
    box = stage.group("leaky").limit_memory(1800 * MiB)
    server = stage.program("leaking_server", ["llama-server", "-m", model, "--port", "8080", "--cache-ram", "8192"], box,
                           path=str(model), base=100 * MiB, chunk=2 * MiB, every=0.2)
    server.await_line("request 20,")
    stage.proof.rate("MiB that the server grew", lambda: server.counters().anonymous_bytes / MiB)
    stage.until("MiB of the box that are anonymous", lambda: box.anonymous() / MiB, at_least=120)


@fault("memory-leak", status="warning")
def every_burst_of_requests_leaves_something(stage: Stage) -> None:
    """Four requests come together every 0.7 s and each leaves 3 MiB behind: the limit is less than two minutes away."""
    model = stage.safetensors(200)
    box = stage.group("bursty").limit_memory(2000 * MiB)
    server = stage.installed("leaking_server", "vllm", ["serve", model.parent, "--port", "8000"], box,
                             path=str(model), base=200 * MiB, chunk=3 * MiB, every=0.7, burst=4)
    server.await_line("request 16,")
    stage.proof.rate("MiB that the server grew", lambda: server.counters().anonymous_bytes / MiB)
    stage.until("MiB of the box that are anonymous", lambda: box.anonymous() / MiB, at_least=220)


@fault("memory-leak", status="warning")
def the_tokenizer_beside_the_server_grows(stage: Stage) -> None:
    """The server itself is steady; a helper that it forked keeps 2 MiB five times a second, in the same box."""
    model = stage.gguf(300)
    box = stage.group("helper").limit_memory(1500 * MiB)
    server = stage.installed("leaking_server", "sglang", ["serve", "--model-path", model, "--port", "30000"], box,
                             path=str(model), base=100 * MiB, chunk=2 * MiB, every=0.2, helper=True)
    server.await_line("request 20,")
    stage.proof.rate("MiB that the server grew", lambda: server.counters().anonymous_bytes / MiB)
    stage.proof.rate("MiB that the box grew", lambda: box.anonymous() / MiB)
