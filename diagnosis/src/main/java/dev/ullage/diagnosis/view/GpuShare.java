// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.ServerSettings;
import dev.ullage.host.server.ServerState.KvCachePool;
import dev.ullage.host.server.ServerState.LoadedModel;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelConfig;
import dev.ullage.host.storage.ModelExtent;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelShape;
import dev.ullage.measure.Bytes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a server puts on each of its GPUs, worked out from its model and its settings. Empty where they do not tell:
/// an estimate that may be off by a factor is worse than none.
///
/// @param weights on each GPU
/// @param cache KV cache on each GPU
record GpuShare(Optional<Bytes> weights, Optional<Bytes> cache) {
    private static final GpuShare UNKNOWN = new GpuShare(Optional.empty(), Optional.empty());

    /// `--n-gpu-layers 99` is how people say "all" for a model of any size.
    private static final int ALL_LAYERS = 99;

    /// Weights that are made smaller while they are loaded: the files do not tell what is held.
    private static final List<String> SHRUNK_ON_LOAD =
            List.of("fp8", "bitsandbytes", "torchao", "experts_int8", "int8", "eetq", "deepspeedfp");

    /// @param gpus on how many it has memory
    static GpuShare of(Evidence evidence, Workload server, ServerTold told, int gpus) {
        if (gpus == 0) return UNKNOWN;
        Engine engine = server.engine().orElse(Engine.UNKNOWN);
        Optional<ModelShape> shape = shapeOf(evidence, server);
        Optional<Double> onEach =
                switch (engine) {
                    case LLAMA_CPP, KOBOLDCPP, LM_STUDIO, LOCALAI ->
                        // Over several GPUs it splits by their free memory at the start, which nobody wrote down.
                        gpus > 1 ? Optional.empty() : layersOnGpu(told.settings(), shape);
                    case OLLAMA -> gpus > 1 ? Optional.empty() : ollamasShare(told.loaded());
                    case VLLM, SGLANG, TGI, TENSORRT_LLM -> tensorParallel(told.settings(), gpus);
                    // What these do with their GPUs is written in somebody's script.
                    case DEEPSPEED, TRANSFORMERS, UNKNOWN -> Optional.empty();
                };
        if (onEach.isEmpty()) return UNKNOWN;
        Bytes files = Bytes.sum(server.models().stream().map(ModelFile::size).toList());
        Optional<Bytes> weights = files.bytes() == 0 || isShrunkOnLoad(evidence, server)
                ? Optional.empty()
                : Optional.of(files.times(onEach.get()));
        return new GpuShare(weights, cache(told, shape, onEach.get()));
    }

    /// By the header of a GGUF, else by the config.json beside safetensors.
    static Optional<ModelShape> shapeOf(Evidence evidence, Workload server) {
        for (ModelFile file : server.models()) {
            Optional<ModelShape> shape = evidence.latest(ModelExtent.FACT, file)
                    .map(ModelExtent::shape)
                    .orElse(Optional.empty())
                    .or(() -> evidence.latest(ModelConfig.FACT, file)
                            .map(ModelConfig::shape)
                            .orElse(Optional.empty()));
            if (shape.isPresent()) return shape;
        }
        return Optional.empty();
    }

    private static Optional<Double> layersOnGpu(ServerSettings settings, Optional<ModelShape> shape) {
        if (settings.gpuLayers().isEmpty()) return Optional.empty();
        int layers = settings.gpuLayers().getAsInt();
        if (shape.isEmpty()) return layers >= ALL_LAYERS ? Optional.of(1.0) : Optional.empty();
        // The output layer counts as one more.
        return Optional.of(Math.clamp((double) layers / (shape.get().layers() + 1), 0, 1));
    }

    private static Optional<Double> ollamasShare(List<LoadedModel> loaded) {
        Bytes size = Bytes.sum(loaded.stream().map(LoadedModel::size).toList());
        Bytes onGpu = Bytes.sum(loaded.stream().map(LoadedModel::onGpu).toList());
        return size.bytes() == 0
                ? Optional.empty()
                : Optional.of(Math.clamp(onGpu.shareOf(size).ratio(), 0, 1));
    }

    /// Each GPU holds one part of every layer. More GPUs than that are replicas or stages of a pipeline.
    private static Optional<Double> tensorParallel(ServerSettings settings, int gpus) {
        return settings.tensorParallel().orElse(1) == gpus ? Optional.of(1.0 / gpus) : Optional.empty();
    }

    private static boolean isShrunkOnLoad(Evidence evidence, Workload server) {
        List<String> arguments = evidence.latest(CommandLine.FACT, server.main())
                .map(CommandLine::arguments)
                .orElse(List.of());
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            boolean names = argument.startsWith("--quantiz") || argument.equals("-q");
            if (!names) continue;
            int equals = argument.indexOf('=');
            String value =
                    equals > 0 ? argument.substring(equals + 1) : i + 1 < arguments.size() ? arguments.get(i + 1) : "";
            if (SHRUNK_ON_LOAD.stream().anyMatch(value.toLowerCase(Locale.ROOT)::startsWith)) return true;
        }
        return false;
    }

    private static Optional<Bytes> cache(ServerTold told, Optional<ModelShape> shape, double onEach) {
        Optional<Double> bits = bits(told.settings().kvCacheType().orElse("auto"));
        long tokens = told.state()
                .map(state -> state.kvCachePool().map(KvCachePool::tokens).orElse(0L))
                .orElse(0L);
        if (shape.isEmpty() || bits.isEmpty() || tokens <= 0) return Optional.empty();
        double share = onEach;
        int heads = shape.get().kvHeads();
        long gpus = Math.round(1 / onEach);
        if (gpus > 1 && told.settings().tensorParallel().isPresent()) {
            // A head is not divided: beyond one a GPU they are repeated.
            if (heads == 0) return Optional.empty();
            share = Math.max(1.0, Math.floor((double) heads / gpus)) / heads;
        }
        return Optional.of(new Bytes((long) (shape.get().perToken(bits.get()).value() * tokens * share)));
    }

    /// What one token takes in the KV cache on each GPU that its layers are split over.
    static Optional<Bytes> perToken(Evidence evidence, Workload server, ServerSettings settings) {
        Optional<ModelShape> shape = shapeOf(evidence, server);
        Optional<Double> bits = bits(settings.kvCacheType().orElse("auto"));
        int gpus = Math.max(1, settings.tensorParallel().orElse(1));
        if (shape.isEmpty() || bits.isEmpty() || gpus > 1 && shape.get().kvHeads() == 0) return Optional.empty();
        int heads = Math.max(1, shape.get().kvHeads());
        double share = gpus == 1 ? 1 : Math.max(1.0, Math.floor((double) heads / gpus)) / heads;
        return Optional.of(shape.get().perToken(bits.get()).times(share)).filter(t -> t.bytes() > 0);
    }

    /// Bits a number of the cache takes, the scales of its block with it (ggml-common.h: q8_0 is 34 bytes for 32).
    private static Optional<Double> bits(String type) {
        return switch (type.toLowerCase(Locale.ROOT)) {
            case "auto", "f16", "fp16", "float16", "half", "bf16", "bfloat16" -> Optional.of(16.0);
            case "f32", "float32" -> Optional.of(32.0);
            case "fp8", "fp8_e4m3", "fp8_e5m2", "fp8_e4m3fn", "fp8_e4m3fnuz" -> Optional.of(8.0);
            case "q8_0" -> Optional.of(8.5);
            case "q5_1" -> Optional.of(6.0);
            case "q5_0" -> Optional.of(5.5);
            case "q4_1" -> Optional.of(5.0);
            case "q4_0", "iq4_nl" -> Optional.of(4.5);
            default -> Optional.empty();
        };
    }
}
