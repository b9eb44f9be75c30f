# SPDX-License-Identifier: Apache-2.0
"""The host has room, the box around the server has not: raising the limit would cure it."""
from scenario import fault
from stage import MiB, Stage
from stage.processes import as_installed


@fault("cgroup-limit", status=("critical", "warning"), smoke=True)
def mapped_model_in_a_small_box(stage: Stage) -> None:
    """llama-server maps 900 MiB under a limit of 400 MiB and reads the model again for every token."""
    model = stage.gguf(900)
    box = stage.group("llama").limit_memory(400 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], box,
                           path=str(model))
    stage.until_rate("pages read again", box.refaults, at_least=5_000)
    stage.show_wait(server, box)


@fault("cgroup-limit", status=("critical", "warning"))
def limit_two_levels_up(stage: Stage) -> None:
    """The server's own box and the one around it have no limit; the one above both has 350 MiB for 1 GiB."""
    model = stage.safetensors(1024)
    slice_ = stage.group("inference.slice").limit_memory(350 * MiB)
    box = stage.group("server", stage.group("pod7c1e", slice_))
    server = stage.script("mapped_model", ["--model", model.parent, "--dtype", "bfloat16"], box, path=str(model),
                          layers=22)
    stage.until_rate("pages read again", slice_.refaults, at_least=5_000)
    stage.show_wait(server, box)


@fault("cgroup-limit", status="critical", smoke=True)
def loader_killed_by_its_box(stage: Stage) -> None:
    """A transformers server copies 600 MiB of weights into a box of 400 MiB, is killed, and started again for ever."""
    model = stage.safetensors(600)
    box = stage.group("transformers").limit_memory(400 * MiB)
    command = as_installed("weights_in_memory", "transformers-serve", ["--model", model.parent, "--port", "8000"])
    stage.supervised(command, box, paths=[str(model)])
    stage.until("kills", box.oom_kills, at_least=2)


@fault("cgroup-limit", status="warning")
def own_memory_fills_the_box(stage: Stage) -> None:
    """The weights and the cache of a server are 97 % of its limit, and nothing of it can be reclaimed."""
    model = stage.safetensors(600)
    box = stage.group("sglang")
    stage.installed("weights_in_memory", "sglang", ["serve", "--model-path", model.parent], box, paths=[str(model)],
                    uncached=True).await_line("ready")
    box.limit_memory(int(box.anonymous() / 0.97))
    stage.until("share of the limit that is anonymous", lambda: box.anonymous() / box.memory_limit(), at_least=0.95)


@fault("cgroup-limit", status=("critical", "warning"))
def weights_swapped_out_by_the_box(stage: Stage) -> None:
    """A server walks 700 MiB of its own weights in a box of 350 MiB: the box, not the host, makes it swap."""
    model = stage.safetensors(700)
    stage.swap_file(2048)
    box = stage.group("tgi").limit_memory(350 * MiB)
    server = stage.script("weights_in_memory", ["--model-id", model.parent], box, paths=[str(model)], then="walk",
                          uncached=True)
    server.await_line("ready", within=120)
    stage.until_rate("pages swapped in", box.swap_ins, at_least=2_000)
    stage.show_wait(server, box)


@fault("cgroup-limit", status=("critical", "warning"), smoke=True, explains="llama-server",
       servers=("llama.cpp … serves random-llama-620m.Q8_0.gguf",))
def real_engine_in_a_small_box(stage: Stage) -> None:
    """llama.cpp itself loads a model of 620 MiB in a box of 450 MiB; the load never ends, and nothing is killed."""
    model = stage.gguf(620)
    box = stage.group("llama-cpp").limit_memory(450 * MiB)
    server = stage.real_engine(model, box)
    stage.until_rate("pages read again", box.refaults, at_least=5_000, within=120)
    stage.show_wait(server, box)
