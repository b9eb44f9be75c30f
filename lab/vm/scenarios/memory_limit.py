# SPDX-License-Identifier: Apache-2.0
"""Memory limits of cgroup v2: the host has room, the box around the server has not."""
from scenario import fault
from stage import MiB, Stage


@fault("cgroup-limit", status=("critical", "warning"), smoke=True)
def memory_max_below_a_mapped_model(stage: Stage) -> None:
    """llama-server maps 160 MiB under a memory.max of 80 MiB and reads the model again for every token."""
    _thrash(stage)


@fault("cgroup-limit", status=("critical", "warning"))
def memory_max_with_generations(stage: Stage) -> None:
    """The same with pages kept by generation (MGLRU), where the kernel counts hardly a refault however often it re-reads."""
    stage.generations(True)
    model = stage.gguf(160)
    box = stage.group("llama").limit_memory(80 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], box,
                           path=str(model))
    server.await_line("token 2 ", within=90)
    stage.until_rate("MiB read again", lambda: server.counters().read_bytes / MiB, at_least=5)
    stage.proof.rate("refaults that the kernel counts", box.refaults)
    stage.proof.rate("times memory.max was hit", box.limit_hits)
    stage.show_wait(server, box)


@fault("cgroup-limit", status=("critical", "warning"))
def memory_high_throttles(stage: Stage) -> None:
    """The box has no memory.max; memory.high of 80 MiB makes the kernel take the pages of a 160 MiB model away again."""
    model = stage.gguf(160)
    box = stage.group("llama").throttle_memory(80 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], box,
                           path=str(model))
    stage.until_rate("pages read again", box.refaults, at_least=1_000)
    stage.proof.rate("times memory.high was exceeded", lambda: box.memory_event("high"))
    stage.show_wait(server, box)


@fault("cgroup-limit", status=("critical", "warning"))
def memory_high_holds_a_loader(stage: Stage) -> None:
    """A loader copies 300 MiB of weights into a box with a memory.high of 100 MiB and no swap: the kernel makes it sleep
    instead of killing it, so that the load never ends."""
    model = stage.safetensors(300)
    box = stage.group("transformers").throttle_memory(100 * MiB)
    server = stage.installed("weights_in_memory", "transformers-serve", ["--model", model.parent, "--port", "8000"], box,
                             paths=[str(model)], uncached=True)
    stage.until("MiB above memory.high", lambda: box.memory_used() / MiB - 100, at_least=2)
    stage.until_rate("times memory.high was exceeded", lambda: box.memory_event("high"), at_least=1)
    stage.show_wait(server, box)


@fault("cgroup-limit", status=("critical", "warning"))
def memory_max_three_levels_up(stage: Stage) -> None:
    """Pod, container and process have no limit; the slice three levels up has 80 MiB for a model of 160 MiB."""
    model = stage.safetensors(160)
    slice_ = stage.group("kubepods.slice").limit_memory(80 * MiB)
    pod = stage.group("kubepods-pod7c1e.slice", stage.group("kubepods-burstable.slice", slice_))
    box = stage.group("cri-containerd-4f2a.scope", pod)
    server = stage.script("mapped_model", ["--model", model.parent, "--dtype", "bfloat16"], box, path=str(model), layers=8)
    stage.until_rate("pages read again", slice_.refaults, at_least=1_000)
    stage.show_wait(server, box)


@fault("cgroup-limit", status="warning")
def own_memory_fills_memory_max(stage: Stage) -> None:
    """The weights of a server are 97 % of its memory.max, and without swap nothing of it can be reclaimed."""
    model = stage.safetensors(200)
    box = stage.group("sglang")
    stage.installed("weights_in_memory", "sglang", ["serve", "--model-path", model.parent], box, paths=[str(model)],
                    uncached=True).await_line("ready")
    box.limit_memory(int(box.anonymous() / 0.97))
    stage.until("share of the limit that is anonymous", lambda: box.anonymous() / box.memory_limit(), at_least=0.95)


def _thrash(stage: Stage) -> None:
    model = stage.gguf(160)
    box = stage.group("llama").limit_memory(80 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"], box,
                           path=str(model))
    stage.until_rate("pages read again", box.refaults, at_least=1_000)
    stage.proof.rate("times memory.max was hit", box.limit_hits)
    stage.show_wait(server, box)
