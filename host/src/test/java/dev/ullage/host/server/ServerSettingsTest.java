// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.process.CommandLine;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {
    private static ServerSettings of(String command) {
        CommandLine line = CommandLine.parse(command.replace(' ', '\0'));
        return ServerSettings.of(Engine.of(line).orElseThrow(), line);
    }

    @Test
    void vllm_is_read_in_all_its_spellings() {
        ServerSettings settings = of("/usr/bin/python3 /opt/venv/bin/vllm serve Qwen/Qwen3-8B --max-model-len 32k"
                + " --gpu-memory-utilization=0.85 -tp 4 --max_num_seqs 128 --kv-cache-dtype fp8 --port 9000"
                + " --enforce-eager");
        assertEquals(Optional.of("Qwen/Qwen3-8B"), settings.model());
        assertEquals(OptionalInt.of(9000), settings.port());
        assertEquals(Optional.of(new Ratio(0.85)), settings.gpuMemoryShare());
        assertEquals(OptionalLong.of(32_000), settings.contextLength());
        assertEquals(OptionalInt.of(128), settings.parallelSequences());
        assertEquals(OptionalInt.of(4), settings.tensorParallel());
        assertEquals(Optional.of("fp8"), settings.kvCacheType());
        ServerSettings other = of("python3 -m vllm.entrypoints.openai.api_server --model /m/q --max-model-len=1.5K"
                + " --gpu-memory-util .9 --tensor-parallel-size 2");
        assertEquals(Optional.of("/m/q"), other.model());
        assertEquals(OptionalLong.of(1536), other.contextLength());
        assertEquals(Optional.of(new Ratio(0.9)), other.gpuMemoryShare());
        assertEquals(OptionalInt.of(2), other.tensorParallel());
        assertEquals(OptionalInt.empty(), other.port());
    }

    @Test
    void llama_server_is_read_with_its_short_flags() {
        ServerSettings settings =
                of("llama-server -m /m/a.gguf -ngl 33 -c 16384 -np 4 -ctk q8_0 --cache-ram 2048 --port 8081");
        assertEquals(Optional.of("/m/a.gguf"), settings.model());
        assertEquals(OptionalInt.of(33), settings.gpuLayers());
        assertEquals(OptionalLong.of(16_384), settings.contextLength());
        assertEquals(OptionalInt.of(4), settings.parallelSequences());
        assertEquals(Optional.of("q8_0"), settings.kvCacheType());
        assertEquals(Optional.of(Bytes.ofMiB(2048)), settings.promptCache());
        ServerSettings all = of("llama-server -hf org/model:Q4_K_M --gpu-layers all --ctx-size 0 -cram -1");
        assertEquals(Optional.of("org/model:Q4_K_M"), all.model());
        assertEquals(OptionalInt.of(Integer.MAX_VALUE), all.gpuLayers());
        assertEquals(OptionalLong.empty(), all.contextLength());
        assertEquals(Optional.of(new Bytes(Long.MAX_VALUE)), all.promptCache());
        assertEquals(OptionalInt.empty(), of("llama-server -m a -ngl auto").gpuLayers());
        assertEquals(Optional.of(Bytes.NONE), of("llama-server -m a -cram 0").promptCache());
    }

    @Test
    void sglang_and_tgi_and_tensorrt_are_read() {
        ServerSettings sglang = of("python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 2"
                + " --mem-fraction-static 0.8 --context-length 8192 --max-running-requests 64 --port 30001");
        assertEquals(
                new ServerSettings(
                        Optional.of("Qwen/Qwen3-8B"),
                        OptionalInt.of(30_001),
                        Optional.of(new Ratio(0.8)),
                        OptionalLong.of(8192),
                        OptionalInt.of(64),
                        OptionalInt.of(2),
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.empty()),
                sglang);
        ServerSettings tgi = of("text-generation-launcher --model-id m --num-shard 2 --cuda-memory-fraction 0.7"
                + " --max-total-tokens 4096 -p 8085");
        assertEquals(OptionalInt.of(8085), tgi.port());
        assertEquals(OptionalInt.of(2), tgi.tensorParallel());
        assertEquals(Optional.of(new Ratio(0.7)), tgi.gpuMemoryShare());
        assertEquals(OptionalLong.of(4096), tgi.contextLength());
        ServerSettings trt = of("trtllm-serve Qwen/Qwen3-8B --tp_size 2 --kv_cache_free_gpu_memory_fraction 0.9");
        assertEquals(OptionalInt.of(2), trt.tensorParallel());
        assertEquals(Optional.of(new Ratio(0.9)), trt.gpuMemoryShare());
        assertEquals(
                OptionalInt.of(8100),
                of("tritonserver --model-repository=/models --http-port=8100").port());
    }

    @Test
    void ollama_is_told_by_its_environment_and_its_runners_by_flags() {
        assertEquals(ServerSettings.NONE, of("ollama serve"));
        ServerSettings runner = of("ollama runner --model /root/.ollama/models/blobs/sha256-abc --ctx-size 8192"
                + " --n-gpu-layers 20 --parallel 2 --port 41234");
        assertEquals(OptionalInt.of(20), runner.gpuLayers());
        assertEquals(OptionalInt.of(41_234), runner.port());
    }

    @Test
    void the_last_of_two_counts_and_what_makes_no_sense_does_not() {
        assertEquals(OptionalInt.of(2), of("vllm serve m --port 1 --port=2").port());
        ServerSettings odd = of("vllm serve m --port 99999 --gpu-memory-utilization 90 --max-model-len -1 -tp x");
        assertEquals(OptionalInt.empty(), odd.port());
        assertEquals(Optional.empty(), odd.gpuMemoryShare());
        assertEquals(OptionalLong.empty(), odd.contextLength());
        assertEquals(OptionalInt.empty(), odd.tensorParallel());
        assertEquals(OptionalInt.empty(), of("vllm serve m --port").port());
    }

    @Test
    void what_is_said_on_top_of_it_fills_the_gaps() {
        ServerSettings told = of("vllm serve m --port 9000");
        ServerSettings both = told.orElse(of("vllm serve x --port 1 -tp 8"));
        assertEquals(OptionalInt.of(9000), both.port());
        assertEquals(OptionalInt.of(8), both.tensorParallel());
    }
}
