// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.process.ProcessId;
import java.util.Arrays;
import java.util.List;

/// Which settings a process was given by its environment: the names, never a value.
///
/// Ollama, llama.cpp (`LLAMA_ARG_…`), TGI and many images are told by variables what others are told by flags. What
/// they
/// were told may be a key, so only the name is read, and only of variables that are about engines and GPUs:
/// `CUDA_VISIBLE_DEVICES OLLAMA_NUM_PARALLEL`.
///
/// Mistake people make: reading the defaults off a command line that says nothing, and calling them the settings.
public record EnvironmentNames(List<String> names) {
    public static final Fact<ProcessId, EnvironmentNames> FACT = new Fact<>(
            "which settings a server was given by its environment",
            "/proc/<pid>/environ",
            Cadence.ONCE,
            "run as root",
            (root, id) -> root.ask(Call.ENVIRONMENT, String.valueOf(id.pid())).map(EnvironmentNames::parse));

    /// What the names that are read begin with.
    public static final List<String> BEGINNINGS = List.of(
            "OLLAMA_",
            "LLAMA_ARG_",
            "VLLM_",
            "SGLANG_",
            "SGL_",
            "TRTLLM_",
            "LOCALAI_",
            "CUDA_",
            "NVIDIA_VISIBLE_DEVICES",
            "HIP_VISIBLE_DEVICES",
            "ROCR_VISIBLE_DEVICES",
            "HSA_OVERRIDE_GFX_VERSION",
            "PYTORCH_CUDA_ALLOC_CONF",
            "PYTORCH_HIP_ALLOC_CONF",
            "PYTORCH_ALLOC_CONF",
            "GGML_",
            "NCCL_",
            "MALLOC_",
            "LD_PRELOAD",
            "OMP_NUM_THREADS",
            "WORLD_SIZE",
            "LOCAL_RANK",
            "RANK",
            "MASTER_PORT",
            "DEEPSPEED_",
            "ACCELERATE_",
            "MODEL_ID",
            "NUM_SHARD",
            "QUANTIZE",
            "MAX_TOTAL_TOKENS",
            "MAX_INPUT_TOKENS",
            "MAX_BATCH_PREFILL_TOKENS",
            "CUDA_MEMORY_FRACTION");

    static EnvironmentNames parse(String text) {
        return new EnvironmentNames(Arrays.stream(text.strip().split(" "))
                .filter(name -> name.matches("[A-Z][A-Z0-9_]{0,80}"))
                .toList());
    }

    public boolean has(String name) {
        return names.contains(name);
    }
}
