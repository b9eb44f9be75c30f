# SPDX-License-Identifier: Apache-2.0
"""Engines that are well and say so, each in the words of two of its versions; none is more than a process of its name
that gives its answers."""
from faults.vram import vllm
from scenario import lookalike
from stage import Stage


@lookalike(smoke=True, servers=("vllm 0.11.0 … holds gpu0 … 8 requests running, 0 waiting",))
def vllm_has_reserved_its_gpu(stage: Stage) -> None:
    """vLLM holds 92 % of its GPU, as it was told to; a fifth of its KV cache is in use and nobody waits."""
    server = vllm(stage)
    stage.gpus(stage.Gpu().now(free=1384, processes={server.pid: 21200}).load(60, 40))


@lookalike(servers=("vllm 0.8.2 … 8 requests running, 0 waiting", "vllm 0.11.0 … 8 requests running, 0 waiting"))
def vllm_kv_full_but_nobody_waits(stage: Stage) -> None:
    """Both KV caches are nearly full, with prefixes that are kept for reuse: no request waits, none was thrown out."""
    old = vllm(stage, "vllm-0.8.2", 18101, changes={"vllm:gpu_cache_usage_perc": 0.97})
    new = vllm(stage, port=18102, changes={"vllm:kv_cache_usage_perc": 0.97})
    stage.gpus(stage.Gpu().now(free=1384, processes={old.pid: 21200}), stage.Gpu().now(free=1384, processes={new.pid: 21200}))


@lookalike(servers=("vllm ",))
def vllm_is_loading(stage: Stage) -> None:
    """vLLM has just been started and answers 503 to everything until its weights are there."""
    vllm(stage, status=503)


@lookalike(servers=("sglang 0.4.3 … 5 requests running", "sglang 0.5.6 … 5 requests running"))
def two_versions_of_sglang(stage: Stage) -> None:
    """SGLang before and after it renamed its metrics and its endpoint."""
    for port, version in ((18110, "0.4.3"), (18111, "0.5.6")):
        stage.engine(["sglang", "serve", "--model-path", "/models/qwen3-8b", "--host", "127.0.0.1", "--port", port,
                      "--mem-fraction-static", "0.85", "--enable-metrics"], f"sglang-{version}", port)


@lookalike(servers=("tgi 2.0.4 … 4 requests running", "tgi 3.3.4 … 4 requests running"))
def two_versions_of_tgi(stage: Stage) -> None:
    """TGI's router before and after it stopped telling how many tokens its cache holds."""
    for port, version in ((18120, "2.0.4"), (18121, "3.3.4")):
        stage.engine(["text-generation-router", "--port", port, "--tokenizer-name", "org/qwen3-8b", "--max-concurrent-requests",
                      "128"], f"tgi-{version}", port)


@lookalike(servers=("ollama 0.12.3 serves qwen3:8b",))
def ollama_has_a_model_loaded(stage: Stage) -> None:
    """Ollama with a model that lies on the GPU as a whole."""
    stage.engine(["ollama", "serve"], "ollama-0.12.3", 18130)


@lookalike(servers=("ollama 0.5.7 serves qwen3:8b",))
def old_ollama_has_a_model_loaded(stage: Stage) -> None:
    """The same before Ollama told the length of its context."""
    stage.engine(["ollama", "serve"], "ollama-0.5.7", 18130)


@lookalike(servers=("tensorrt-llm … 2.49.0",))
def triton_serves(stage: Stage) -> None:
    """Triton with TensorRT-LLM behind it, a fifth of its KV cache in use."""
    stage.engine(["tritonserver", "--model-repository=/models/triton_model_repo", "--http-port=18140", "--grpc-port=18142",
                  "--metrics-port=18140", "--disable-auto-complete-config"], "triton-2.49", 18140)
