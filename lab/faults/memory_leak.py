# SPDX-License-Identifier: Apache-2.0
"""Anonymous memory that grows with every request and will reach its limit in minutes."""
from scenario import fault
from stage import MiB, Stage


@fault("memory-leak", status="warning", smoke=True)
def server_keeps_every_request(stage: Stage) -> None:
    """A server keeps 1 MiB of each of four requests a second, and its box ends in about four minutes."""
    model = stage.gguf(200)
    box = stage.group("leaky").limit_memory(1400 * MiB)
    server = stage.script("leaking_server", ["--model", model, "--port", "8000"], box, path=str(model),
                          base=200 * MiB, chunk=MiB, every=0.25)
    server.await_line("ready")
    _await_growth(stage, box)


@fault("memory-leak", status="warning")
def tokenizer_beside_the_server_leaks(stage: Stage) -> None:
    """The server is steady; its tokenizer process grows by 8 MiB in bursts, a little more than once a second."""
    model = stage.gguf(200)
    box = stage.group("leaky").limit_memory(1600 * MiB)
    server = stage.program("leaking_server", ["llama-server", "-m", model, "--port", "8000", "--chat-template", "x"],
                           box, path=str(model), base=150 * MiB, chunk=MiB, burst=8, every=1.1, helper=True)
    server.await_line("ready")
    _await_growth(stage, box)


def _await_growth(stage: Stage, box) -> None:
    start = box.anonymous()
    stage.until("MiB kept since the first request", lambda: (box.anonymous() - start) / MiB, at_least=15)
    stage.proof.rate("MiB of anonymous memory more", lambda: box.anonymous() / MiB)
    stage.proof.level("share of the limit", lambda: box.memory_used() / box.memory_limit())
