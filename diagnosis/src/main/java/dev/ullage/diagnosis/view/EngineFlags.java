// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.server.Engine;
import dev.ullage.measure.Bytes;
import java.util.Locale;
import java.util.Optional;

/// How each engine spells the settings that decide over GPU memory; empty where it has none.
///
/// Sources: the engines' own documentation of their command lines. Ollama takes environment variables of its server, or
/// parameters of a request.
public final class EngineFlags {
    private EngineFlags() {}

    /// The share of each GPU that it takes at start.
    public static Optional<String> memoryShare(Engine engine, double share) {
        String number = String.format(Locale.ROOT, "%.2f", share);
        return switch (engine) {
            case VLLM -> Optional.of("--gpu-memory-utilization " + number);
            case SGLANG -> Optional.of("--mem-fraction-static " + number);
            case TGI -> Optional.of("--cuda-memory-fraction " + number);
            case TENSORRT_LLM -> Optional.of("--kv_cache_free_gpu_memory_fraction " + number);
            case OLLAMA, LLAMA_CPP, LM_STUDIO, LOCALAI, KOBOLDCPP, DEEPSPEED, TRANSFORMERS, UNKNOWN -> Optional.empty();
        };
    }

    /// The longest request it takes, in tokens.
    public static Optional<String> context(Engine engine, String tokens) {
        return switch (engine) {
            case VLLM -> Optional.of("--max-model-len " + tokens);
            case SGLANG -> Optional.of("--context-length " + tokens);
            case TGI -> Optional.of("--max-total-tokens " + tokens);
            case TENSORRT_LLM -> Optional.of("--max_seq_len " + tokens);
            case LLAMA_CPP -> Optional.of("-c " + tokens);
            case OLLAMA -> Optional.of("OLLAMA_CONTEXT_LENGTH=" + tokens);
            case KOBOLDCPP -> Optional.of("--contextsize " + tokens);
            case LM_STUDIO, LOCALAI, DEEPSPEED, TRANSFORMERS, UNKNOWN -> Optional.empty();
        };
    }

    /// How many requests it takes at a time.
    public static Optional<String> parallelRequests(Engine engine, String requests) {
        return switch (engine) {
            case VLLM -> Optional.of("--max-num-seqs " + requests);
            case SGLANG -> Optional.of("--max-running-requests " + requests);
            case TGI -> Optional.of("--max-batch-size " + requests);
            case TENSORRT_LLM -> Optional.of("--max_batch_size " + requests);
            case LLAMA_CPP -> Optional.of("-np " + requests);
            case OLLAMA -> Optional.of("OLLAMA_NUM_PARALLEL=" + requests);
            case LM_STUDIO, LOCALAI, KOBOLDCPP, DEEPSPEED, TRANSFORMERS, UNKNOWN -> Optional.empty();
        };
    }

    /// A KV cache of half the size.
    public static Optional<String> smallerKvCache(Engine engine) {
        return switch (engine) {
            case VLLM -> Optional.of("--kv-cache-dtype fp8");
            case SGLANG, TGI -> Optional.of("--kv-cache-dtype fp8_e5m2");
            // llama.cpp quantises the values only with flash attention.
            case LLAMA_CPP -> Optional.of("-fa on -ctk q8_0 -ctv q8_0");
            case OLLAMA -> Optional.of("OLLAMA_FLASH_ATTENTION=1 OLLAMA_KV_CACHE_TYPE=q8_0");
            case KOBOLDCPP -> Optional.of("--quantkv 1 --flashattention");
            case TENSORRT_LLM, LM_STUDIO, LOCALAI, DEEPSPEED, TRANSFORMERS, UNKNOWN -> Optional.empty();
        };
    }

    /// Each layer split over so many GPUs. llama.cpp spreads layers over all it sees without being told.
    public static Optional<String> splitOver(Engine engine, int gpus) {
        return switch (engine) {
            case VLLM -> Optional.of("--tensor-parallel-size " + gpus);
            case SGLANG -> Optional.of("--tp-size " + gpus);
            case TGI -> Optional.of("--num-shard " + gpus);
            case TENSORRT_LLM -> Optional.of("--tp_size " + gpus);
            case LLAMA_CPP, OLLAMA, LM_STUDIO, LOCALAI, KOBOLDCPP, DEEPSPEED, TRANSFORMERS, UNKNOWN -> Optional.empty();
        };
    }

    /// A part of the weights on the host, which is slow and goes.
    public static Optional<String> offload(Engine engine, Bytes amount) {
        long gib = (amount.bytes() >> 30) + 1;
        return switch (engine) {
            case VLLM, SGLANG -> Optional.of("--cpu-offload-gb " + gib);
            case LLAMA_CPP,
                    OLLAMA,
                    LM_STUDIO,
                    LOCALAI,
                    KOBOLDCPP,
                    TGI,
                    TENSORRT_LLM,
                    DEEPSPEED,
                    TRANSFORMERS,
                    UNKNOWN -> Optional.empty();
        };
    }

    /// What is typed before the flags, so that a remedy reads as a command.
    public static String command(Engine engine) {
        return switch (engine) {
            case VLLM -> "vllm serve …";
            case SGLANG -> "python3 -m sglang.launch_server …";
            case TGI -> "text-generation-launcher …";
            case TENSORRT_LLM -> "trtllm-serve …";
            case LLAMA_CPP -> "llama-server …";
            case OLLAMA -> "ollama serve";
            case KOBOLDCPP -> "koboldcpp …";
            case LM_STUDIO, LOCALAI, DEEPSPEED, TRANSFORMERS, UNKNOWN -> "";
        };
    }

    /// A command with flags; Ollama's settings stand before it, in its environment.
    public static String command(Engine engine, String flags) {
        if (engine == Engine.OLLAMA) return flags + " " + command(engine);
        return command(engine).isEmpty() ? flags : command(engine) + " " + flags;
    }
}
