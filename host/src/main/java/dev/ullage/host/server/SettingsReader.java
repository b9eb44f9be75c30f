// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The flags of each engine, with their aliases; the long name first.
///
/// Sources: vLLM's `vllm/engine/arg_utils.py`, SGLang's `server_args.py`, llama.cpp's `common/arg.cpp`, TGI's
/// `launcher/src/main.rs`, TensorRT-LLM's `commands/serve.py`, Triton's `command_line_parser.cc`, Ollama's
/// `llm/server.go` (what it gives its runners), koboldcpp.py, LocalAI's `core/cli/run.go`.
///
/// Ollama itself is told nothing on its command line: its settings are environment variables, whose values nobody but
/// it may read; see [EnvironmentNames].
final class SettingsReader {
    /// Words before the model on a command line.
    private static final Set<String> VERBS = Set.of("serve", "server", "start", "launch_server", "runner", "run");

    private SettingsReader() {}

    static ServerSettings read(Engine engine, Flags flags) {
        SettingsDraft draft = new SettingsDraft().port(flags.number("--port"));
        return switch (engine) {
            case VLLM -> vllm(flags, draft);
            case SGLANG -> sglang(flags, draft);
            case LLAMA_CPP -> llamaCpp(flags, draft);
            case OLLAMA -> ollamaRunner(flags, draft);
            case TGI -> tgi(flags, draft);
            case TENSORRT_LLM -> tensorRt(flags, draft);
            case KOBOLDCPP ->
                draft.model(flags.text("--model"))
                        .contextLength(flags.number("--contextsize"))
                        .gpuLayers(flags.text("--gpulayers"))
                        .built();
            case LOCALAI ->
                draft.port(Numbers.plain(afterColon(flags.text("--address").orElse(""))))
                        .contextLength(flags.number("--context-size"))
                        .built();
            case LM_STUDIO -> draft.built();
            case DEEPSPEED, TRANSFORMERS, UNKNOWN -> ServerSettings.NONE;
        };
    }

    private static ServerSettings vllm(Flags flags, SettingsDraft draft) {
        return draft.model(flags.text("--model").or(() -> firstAfterVerb(flags.words())))
                .gpuMemoryShare(flags.number("--gpu-memory-utilization"))
                .contextLength(flags.human("--max-model-len"))
                .parallelSequences(flags.human("--max-num-seqs"))
                .tensorParallel(flags.number("--tensor-parallel-size", "-tp"))
                .kvCacheType(flags.text("--kv-cache-dtype"))
                .built();
    }

    private static ServerSettings sglang(Flags flags, SettingsDraft draft) {
        return draft.model(flags.text("--model-path", "--model"))
                .gpuMemoryShare(flags.number("--mem-fraction-static"))
                .contextLength(flags.human("--context-length"))
                .parallelSequences(flags.number("--max-running-requests"))
                .tensorParallel(flags.number("--tensor-parallel-size", "--tp-size", "--tp"))
                .kvCacheType(flags.text("--kv-cache-dtype"))
                .built();
    }

    private static ServerSettings llamaCpp(Flags flags, SettingsDraft draft) {
        return draft.model(flags.text("--model", "-m").or(() -> flags.text("--hf-repo", "-hf", "-hfr")))
                .contextLength(flags.number("--ctx-size", "-c", "--n-ctx"))
                .parallelSequences(flags.number("--parallel", "-np"))
                .gpuLayers(flags.text("--n-gpu-layers", "--gpu-layers", "-ngl"))
                .kvCacheType(flags.text("--cache-type-k", "-ctk"))
                .promptCache(flags.number("--cache-ram", "-cram"))
                .built();
    }

    private static ServerSettings ollamaRunner(Flags flags, SettingsDraft draft) {
        return draft.model(flags.text("--model"))
                .contextLength(flags.number("--ctx-size"))
                .parallelSequences(flags.number("--parallel"))
                .gpuLayers(flags.text("--n-gpu-layers"))
                .kvCacheType(flags.text("--kv-cache-type"))
                .built();
    }

    private static ServerSettings tgi(Flags flags, SettingsDraft draft) {
        return draft.port(flags.number("--port", "-p"))
                .model(flags.text("--model-id").or(() -> firstAfterVerb(flags.words())))
                .gpuMemoryShare(flags.number("--cuda-memory-fraction"))
                .contextLength(flags.number("--max-total-tokens"))
                .parallelSequences(flags.number("--max-concurrent-requests"))
                .tensorParallel(flags.number("--num-shard"))
                .kvCacheType(flags.text("--kv-cache-dtype"))
                .built();
    }

    private static ServerSettings tensorRt(Flags flags, SettingsDraft draft) {
        return draft.port(flags.number("--http-port", "--port"))
                .model(flags.text("--model-repository", "--model-store").or(() -> firstAfterVerb(flags.words())))
                .gpuMemoryShare(flags.number("--kv-cache-free-gpu-memory-fraction", "--free-gpu-memory-fraction"))
                .contextLength(flags.number("--max-seq-len"))
                .parallelSequences(flags.number("--max-batch-size"))
                .tensorParallel(flags.number("--tp-size"))
                .kvCacheType(flags.text("--kv-cache-dtype"))
                .built();
    }

    /// `vllm serve Qwen/Qwen3-8B`, also behind an interpreter: `python3 /opt/venv/bin/vllm serve …`.
    private static Optional<String> firstAfterVerb(List<String> words) {
        for (int i = 0; i + 1 < words.size(); i++)
            if (VERBS.contains(words.get(i))) return Optional.of(words.get(i + 1));
        return Optional.empty();
    }

    /// `:8080`, `127.0.0.1:8080`.
    private static String afterColon(String address) {
        return address.substring(address.lastIndexOf(':') + 1);
    }
}
