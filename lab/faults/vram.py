# SPDX-License-Identifier: Apache-2.0
"""Memory of GPUs: not of real ones, but by the calls a real driver would get. See stage/gpus.py."""
import signal

from scenario import fault
from stage import Stage

_PORT = 18100
_SHORT_OF_CACHE = {"vllm:num_requests_waiting": 30, "vllm:kv_cache_usage_perc": 0.998, "vllm:num_preemptions_total": "+2"}


def vllm(stage: Stage, answers: str = "vllm-0.11.0", port: int = _PORT, **settings):
    """vLLM with a Qwen3-8B in 16 bits, which takes 92 % of its GPU."""
    return stage.engine(["vllm", "serve", "/models/qwen3-8b", "--port", port, "--gpu-memory-utilization", "0.92",
                         "--max-model-len", "32768", "--max-num-seqs", "256"], answers, port, **settings)


@fault("vram-kv-cache", status=("critical", "warning"), smoke=True,
       servers=("vllm 0.11.0 … holds gpu0 … 30 waiting",), explains="30 waiting")
def vllm_queue_with_kv_full(stage: Stage) -> None:
    """vLLM's KV cache is full, 30 requests wait for it, and two a second are thrown out of it."""
    server = vllm(stage, changes=_SHORT_OF_CACHE)
    stage.gpus(stage.Gpu().now(free=1000, processes={server.pid: 21200}).load(97, 60))


@fault("vram-kv-cache", status=("critical", "warning"), servers=("vllm 0.8.2 … 30 waiting",), explains="30 waiting")
def old_vllm_queue_with_kv_full(stage: Stage) -> None:
    """The same with the names that vLLM's metrics had in its version 0."""
    server = vllm(stage, "vllm-0.8.2", changes={"vllm:num_requests_waiting": 30, "vllm:gpu_cache_usage_perc": 0.998,
                                                "vllm:num_preemptions_total": "+2"})
    stage.gpus(stage.Gpu().now(free=1000, processes={server.pid: 21200}).load(97, 60))


@fault("vram-other-process", status=("critical", "warning"))
def notebook_on_the_gpu_of_vllm(stage: Stage) -> None:
    """A notebook has taken nine of the GPU's 22 GiB; vLLM's KV cache got what was left, is full, and requests wait."""
    server = vllm(stage, changes=_SHORT_OF_CACHE)
    notebook = stage.script("weights_in_memory", ["-m", "ipykernel_launcher", "-f", "kernel.json"], paths=[], uncached=True)
    stage.gpus(stage.Gpu().now(free=300, processes={server.pid: 12800, notebook.pid: 9300}).load(97, 60))


@fault("vram-leak", status=("critical", "warning"), explains="30 waiting")
def memory_of_a_dead_server_stays_on_the_gpu(stage: Stage) -> None:
    """A server was killed and eleven GiB of it are still on the GPU, behind them no process; the next one lacks them."""
    server = vllm(stage, changes=_SHORT_OF_CACHE)
    stage.gpus(stage.Gpu().now(free=300, processes={server.pid: 10500}))


@fault("unknown", status="unknown", headline="answers nothing", servers=("vllm … answers nothing",))
def server_does_not_answer(stage: Stage) -> None:
    """vLLM was stopped: the kernel takes connections for it, and nothing comes back."""
    vllm(stage).tell(signal.SIGSTOP)
