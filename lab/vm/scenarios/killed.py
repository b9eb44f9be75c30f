# SPDX-License-Identifier: Apache-2.0
"""Kills for memory in a cgroup of v2: of one process, of a child, of the whole group."""
from scenario import fault
from stage import MiB, Stage
from stage.processes import as_installed


@fault("cgroup-limit", status="critical", smoke=True)
def whole_group_is_killed(stage: Stage) -> None:
    """memory.oom.group: a transformers server and the tokenizer beside it die together, and the server is started again."""
    model = stage.safetensors(160)
    box = stage.group("transformers").limit_memory(100 * MiB).limit_swap(0).kill_together()
    command = as_installed("weights_in_memory", "transformers-serve", ["--model", model.parent, "--port", "8000"])
    stage.start(["sleep", "3600"], box)
    # The supervisor stays outside, as systemd does, or the kernel would kill it as well.
    enter = ["sh", "-c", f'echo $$ > {box.folders()[0]}/cgroup.procs && exec "$@"', "sh"]
    stage.supervised([*enter, *command], None, paths=[str(model)])
    stage.until("kills", box.oom_kills, at_least=2)
    stage.until("kills of the whole group", lambda: box.memory_event("oom_group_kill"), at_least=1)


@fault("cgroup-limit", status="critical")
def loader_is_killed_again_and_again(stage: Stage) -> None:
    """The server alone is killed for its memory.max, the supervisor in the same box starts it again for ever."""
    model = stage.safetensors(160)
    box = stage.group("transformers").limit_memory(100 * MiB).limit_swap(0)
    command = as_installed("weights_in_memory", "transformers-serve", ["--model", model.parent, "--port", "8000"])
    stage.supervised(command, box, paths=[str(model)])
    stage.until("kills", box.oom_kills, at_least=2)


@fault("cgroup-limit", status="critical")
def worker_of_a_server_is_killed(stage: Stage) -> None:
    """A child of the server takes more than the box has and is killed; the server itself lives on without it."""
    model = stage.safetensors(60)
    box = stage.group("vllm").limit_memory(150 * MiB).limit_swap(0)
    server = stage.installed("forgetful_parent", "vllm", ["serve", model.parent, "--port", "8000"], box, path=str(model),
                             child=400 * MiB)
    server.await_line("worker ended with -9")
    stage.until("kills", box.oom_kills, at_least=1)
    stage.proof.note(f"the server itself runs: {server.alive()}")
