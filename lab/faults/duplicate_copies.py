# SPDX-License-Identifier: Apache-2.0
"""The same model is in memory several times, and that is what fills the limit."""
from scenario import fault
from stage import MiB, Stage


@fault("duplicate-copies", status="warning", smoke=True)
def each_worker_loads_its_own(stage: Stage) -> None:
    """Four workers of one pool have each read the same 300 MiB into memory; together they are 97 % of their box."""
    model = stage.safetensors(300)
    box = stage.group("gunicorn")
    server = stage.installed("weights_in_memory", "gunicorn", ["app:server", "--workers", "4", "--env",
                             f"MODEL={model}"], box, paths=[str(model)], workers=4, uncached=True)
    stage.until("workers that have loaded", lambda: server.log.read_text().count("ready"), at_least=4)
    box.limit_memory(int(box.anonymous() / 0.97))
    stage.until("share of the limit that is anonymous", lambda: box.anonymous() / box.memory_limit(), at_least=0.95)


@fault("duplicate-copies", status=("critical", "warning"))
def each_replica_maps_its_own_file(stage: Stage) -> None:
    """Three replicas map a copy of the same 500 MiB file each; a box of 900 MiB would hold one and holds not three."""
    box = stage.group("replicas").limit_memory(900 * MiB)
    for number, model in enumerate([stage.gguf(500, copy=number) for number in range(3)]):
        server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", 8080 + number, "--ctx-size",
                               "4096"], box, path=str(model))
    stage.until_rate("pages read again", box.refaults, at_least=5_000)
    stage.show_wait(server, box)


@fault("duplicate-copies", status=("critical", "warning"), servers=("llama.cpp … serves random-llama-300m.Q8_0.gguf",))
def real_engine_twice(stage: Stage) -> None:
    """Two llama.cpp without mmap hold a copy each of a model of 300 MiB; together they are 97 % of their box."""
    model = stage.gguf(300)
    box = stage.group("llama-cpp")
    for port in (18080, 18081):
        stage.real_engine(model, box, port, rounds=1, load={"useMmap": False}).await_line("round 1:", within=180)
    box.limit_memory(int(box.anonymous() / 0.97))
    stage.until("share of the limit that is anonymous", lambda: box.anonymous() / box.memory_limit(), at_least=0.95)
