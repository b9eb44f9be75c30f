# SPDX-License-Identifier: Apache-2.0
"""The host itself runs out, or the part of it that a server may use; no cgroup has a limit."""
from scenario import fault
from stage import MiB, Stage, kernel


@fault("host-ram", status="critical")
def host_runs_out(stage: Stage) -> None:
    """Nothing is limited and there is no swap; a worker of the server takes more than the host has left and is killed."""
    model = stage.safetensors(60)
    stage.ballast(leave=500 * MiB, locked=True, floor=0, spared=True)
    before = kernel.vmstat("oom_kill")
    server = stage.installed("forgetful_parent", "vllm", ["serve", model.parent, "--port", "8000"], stage.group("vllm"),
                             path=str(model), child=900 * MiB)
    server.await_line("worker ended with -9", within=180)
    stage.until("kills", lambda: kernel.vmstat("oom_kill") - before, at_least=1)
    stage.proof.note(f"the server itself runs: {server.alive()}")


@fault("numa-imbalance", status=("critical", "warning"))
def server_bound_to_a_full_node(stage: Stage) -> None:
    """The server's memory may come from NUMA node 1 alone, which a neighbour has filled; node 0 has room for all of it."""
    model = stage.gguf(160)
    stage.ballast_on_node(1, leave=50 * MiB)
    server = stage.program("mapped_model", ["llama-server", "-m", model, "--port", "8080", "--ctx-size", "4096"],
                           stage.group("llama").on_node(1), path=str(model))
    stage.until_rate("MiB read again", lambda: server.counters().read_bytes / MiB, at_least=5)
    stage.until("share of node 1 that is free", lambda: kernel.node_free_share(1), at_most=0.05)
    stage.until("share of node 0 that is free", lambda: kernel.node_free_share(0), at_least=0.2)
    stage.show_wait(server)
