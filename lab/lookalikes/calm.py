# SPDX-License-Identifier: Apache-2.0
"""The server that is well, beside which a look-alike happens."""
from stage import Stage
from stage.cgroups import Group
from stage.processes import Running


def calm_server(stage: Stage, group: Group | None = None, **role) -> Running:
    """A llama-server that computes on a model of 300 MiB that is in the cache, two thirds of the time, for ever."""
    model = stage.gguf(300)
    shown = ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"]
    server = stage.program("mapped_model", shown, group, path=str(model), **{"compute": 0.01, "pause": 0.2, **role})
    return server.await_line("token 1 ")


def waiting_server(stage: Stage, **role) -> Running:
    """The same with nothing to do: builds that take the processors of this host do not slow it down."""
    return calm_server(stage, **{"tokens": 1, **role}).await_line("idle")
