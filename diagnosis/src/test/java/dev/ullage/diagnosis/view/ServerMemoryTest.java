// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.view.ServerMemory.Part;
import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.server.ServerSettings;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.server.ServerState.Health;
import dev.ullage.host.server.ServerState.KvCachePool;
import dev.ullage.host.server.ServerState.LoadedModel;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// The calm host's llama-server (pid 812) maps a model of 4,928,307,200 bytes; Qwen3-8B has 36 layers and 144 KiB of
/// cache a token.
class ServerMemoryTest {
    private static final long MODEL = 4_928_307_200L;
    private static final long GIB = 1L << 30;
    private static final String EXTENT = "/models/qwen3-8b-q4_k_m.gguf\tneeds=" + MODEL;
    private static final String SHAPE = " layers=36 kv-heads=8 cache-values=73728\n";

    private static String gpu(int index, String... processes) {
        return "gpu " + index + " NVIDIA L40S\npci 0000:3" + index + ":00.0\nmemory total=" + 48 * GIB + " used="
                + 40 * GIB + " free=0 reserved=0\nprocesses\n" + String.join("", processes);
    }

    private static String held(long bytes) {
        return "process pid=812 kind=compute memory=" + bytes + "\n";
    }

    private static CalmHost host(String nvml) {
        return new CalmHost()
                .with("proc/driver/nvidia/gpus/0000:30:00.0/information", "Model: NVIDIA L40S\n")
                .with("recorded/nvml", "driver 570.86\n" + nvml)
                .with("recorded/extent", EXTENT + SHAPE);
    }

    private static ServerSettings settings(OptionalInt layers, OptionalInt parallel, Optional<String> cacheType) {
        return new ServerSettings(
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                parallel,
                layers,
                cacheType,
                Optional.empty());
    }

    private static ServerSettings layers(int onGpu) {
        return settings(OptionalInt.of(onGpu), OptionalInt.empty(), Optional.empty());
    }

    private static <T> Reading<T> untold() {
        return Reading.absent("http", AbsentCause.NOT_CONFIGURED, "it does not say");
    }

    private static Optional<ServerState> state(long tokens, List<LoadedModel> loaded) {
        return Optional.of(new ServerState(
                "http://127.0.0.1:8080/metrics",
                "b6123",
                List.of(),
                Health.SERVING,
                untold(),
                untold(),
                untold(),
                untold(),
                untold(),
                untold(),
                untold(),
                tokens > 0 ? Reading.of(new KvCachePool(tokens)) : untold(),
                loaded.isEmpty() ? untold() : Reading.of(loaded),
                ServerSettings.NONE));
    }

    private static ServerMemory memory(CalmHost host, ServerSettings settings, Optional<ServerState> state) {
        Evidence evidence = host.evidence();
        return ServerMemory.of(evidence, evidence.servers().getFirst(), new ServerTold(settings, state));
    }

    private static List<String> onGpus(ServerMemory memory) {
        return memory.parts().stream()
                .filter(part -> !part.where().equals("host"))
                .map(part ->
                        part.where() + " " + part.what() + " " + part.bytes().bytes())
                .toList();
    }

    @Test
    void a_fully_offloaded_model_is_its_file_its_cache_and_the_rest() {
        long cache = 8192 * 147_456L;
        ServerMemory memory = memory(host(gpu(0, held(8 * GIB))), layers(99), state(8192, List.of()));
        assertEquals(List.of(0), memory.gpus().stream().map(Gpu::index).toList());
        assertEquals(
                List.of("gpu0 weights " + MODEL, "gpu0 kv-cache " + cache, "gpu0 other " + (8 * GIB - MODEL - cache)),
                onGpus(memory));
    }

    @Test
    void of_a_model_that_lies_there_in_part_only_that_part_counts() {
        ServerMemory memory = memory(host(gpu(0, held(8 * GIB))), layers(18), Optional.empty());
        long weights = (long) (MODEL * (18 / 37.0));
        assertEquals(List.of("gpu0 weights " + weights, "gpu0 other " + (8 * GIB - weights)), onGpus(memory));
    }

    @Test
    void weights_are_never_more_than_what_is_held() {
        ServerMemory memory = memory(host(gpu(0, held(GIB))), layers(99), state(8192, List.of()));
        assertEquals(List.of("gpu0 weights " + GIB, "gpu0 other 0"), onGpus(memory));
    }

    @Test
    void what_nothing_tells_apart_is_other_and_not_guessed() {
        assertEquals(
                List.of("gpu0 other " + 8 * GIB),
                onGpus(memory(host(gpu(0, held(8 * GIB))), ServerSettings.NONE, Optional.empty())));
        CalmHost two = host(gpu(0, held(4 * GIB)) + gpu(1, held(3 * GIB)));
        assertEquals(
                List.of("gpu0 other " + 4 * GIB, "gpu1 other " + 3 * GIB),
                onGpus(memory(two, layers(99), state(8192, List.of()))));
    }

    @Test
    void without_the_models_shape_the_cache_is_not_guessed() {
        CalmHost host = host(gpu(0, held(8 * GIB))).with("recorded/extent", EXTENT + "\n");
        assertEquals(
                List.of("gpu0 weights " + MODEL, "gpu0 other " + (8 * GIB - MODEL)),
                onGpus(memory(host, layers(99), state(8192, List.of()))));
    }

    @Test
    void a_driver_that_does_not_say_how_much_leaves_the_gpu_named_and_its_parts_open() {
        ServerMemory memory =
                memory(host(gpu(0, "process pid=812 kind=compute\n")), layers(99), state(8192, List.of()));
        assertEquals(1, memory.gpus().size());
        assertEquals(List.of(), onGpus(memory));
    }

    @Test
    void another_processs_memory_is_not_its() {
        ServerMemory memory =
                memory(host(gpu(0, "process pid=900 kind=compute memory=" + GIB + "\n")), layers(99), Optional.empty());
        assertEquals(List.of(), memory.gpus());
    }

    @Test
    void each_rank_of_vllm_has_its_part_of_every_layer_and_a_head_is_not_divided() {
        CalmHost host = host(gpu(0, held(20 * GIB)) + gpu(1, held(20 * GIB)))
                .with("proc/812/cmdline", "vllm\0serve\0/models/qwen3-8b-q4_k_m.gguf\0-tp\0002");
        ServerMemory memory = memory(
                host, settings(OptionalInt.empty(), OptionalInt.of(2), Optional.of("fp8")), state(100_000, List.of()));
        long cache = 100_000L * 73_728 / 2;
        assertEquals(
                List.of(
                        "gpu0 weights " + MODEL / 2,
                        "gpu0 kv-cache " + cache,
                        "gpu0 other " + (20 * GIB - MODEL / 2 - cache),
                        "gpu1 weights " + MODEL / 2,
                        "gpu1 kv-cache " + cache,
                        "gpu1 other " + (20 * GIB - MODEL / 2 - cache)),
                onGpus(memory));
    }

    @Test
    void gpus_that_are_more_than_tensor_parallelism_explains_are_not_told_apart() {
        CalmHost host = host(gpu(0, held(GIB)) + gpu(1, held(GIB)))
                .with("proc/812/cmdline", "vllm\0serve\0/models/qwen3-8b-q4_k_m.gguf");
        assertEquals(
                List.of("gpu0 other " + GIB, "gpu1 other " + GIB),
                onGpus(memory(host, ServerSettings.NONE, state(1000, List.of()))));
    }

    @Test
    void weights_that_are_shrunk_while_they_are_loaded_are_not_the_files() {
        CalmHost host = host(gpu(0, held(20 * GIB)))
                .with("proc/812/cmdline", "vllm\0serve\0/models/qwen3-8b-q4_k_m.gguf\0--quantization\0fp8");
        List<String> parts = onGpus(memory(host, ServerSettings.NONE, state(1000, List.of())));
        assertTrue(parts.getFirst().startsWith("gpu0 kv-cache "), parts::toString);
    }

    @Test
    void ollama_says_which_share_lies_on_the_gpu() {
        CalmHost host = host(gpu(0, held(4 * GIB))).with("proc/812/cmdline", "ollama\0serve");
        ServerMemory memory = memory(
                host,
                ServerSettings.NONE,
                state(0, List.of(new LoadedModel("qwen3:8b", Bytes.ofGiB(8), Bytes.ofGiB(4), 4096))));
        assertEquals(List.of("gpu0 weights " + MODEL / 2, "gpu0 other " + (4 * GIB - MODEL / 2)), onGpus(memory));
    }

    @Test
    void of_the_host_it_tells_the_models_pages_and_its_own_memory() {
        List<Part> host =
                memory(new CalmHost(), ServerSettings.NONE, Optional.empty()).in("host");
        assertEquals(
                List.of("weights-page-cache", "anonymous"),
                host.stream().map(Part::what).toList());
    }
}
