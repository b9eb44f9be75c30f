// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Absence;
import dev.ullage.host.Recorded;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.server.ServerState.Health;
import dev.ullage.host.server.ServerState.LoadedModel;
import dev.ullage.host.server.ServerState.Requests;
import dev.ullage.host.server.ServerState.Times;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ServerStateTest {
    private static final ProcessId ID = new ProcessId(812, 51234);

    /// As 0.6.3 wrote it: one engine, percentages that are shares.
    private static final String VLLM_V0 = """
            # HELP vllm:num_requests_running Number of requests currently running on GPU.
            # TYPE vllm:num_requests_running gauge
            vllm:num_requests_running{model_name="qwen"} 12.0
            vllm:num_requests_waiting{model_name="qwen"} 5.0
            vllm:num_requests_swapped{model_name="qwen"} 0.0
            vllm:gpu_cache_usage_perc{model_name="qwen"} 0.9312
            vllm:cpu_cache_usage_perc{model_name="qwen"} 0.0
            vllm:num_preemptions_total{model_name="qwen"} 41.0
            vllm:prompt_tokens_total{model_name="qwen"} 1.0e+06
            vllm:generation_tokens_total{model_name="qwen"} 250000.0
            vllm:time_to_first_token_seconds_sum{model_name="qwen"} 75.5
            vllm:time_to_first_token_seconds_bucket{le="0.001",model_name="qwen"} 0.0
            vllm:time_to_first_token_seconds_count{model_name="qwen"} 500.0
            vllm:time_per_output_token_seconds_sum{model_name="qwen"} 2500.0
            vllm:time_per_output_token_seconds_count{model_name="qwen"} 249500.0
            vllm:cache_config_info{block_size="16",cache_dtype="auto",cpu_offload_gb="0",gpu_memory_utilization="0.9",num_gpu_blocks="4096",swap_space_bytes="4294967296"} 1.0
            """;

    /// As 0.11 writes it: two data-parallel engines, the new names.
    private static final String VLLM_V1 = """
            vllm:num_requests_running{engine="0",model_name="qwen"} 3.0
            vllm:num_requests_running{engine="1",model_name="qwen"} 4.0
            vllm:num_requests_waiting{engine="0",model_name="qwen"} 0.0
            vllm:num_requests_waiting{engine="1",model_name="qwen"} 2.0
            vllm:kv_cache_usage_perc{engine="0",model_name="qwen"} 0.25
            vllm:kv_cache_usage_perc{engine="1",model_name="qwen"} 0.5
            vllm:num_preemptions_total{engine="0",model_name="qwen"} 1.0
            vllm:num_preemptions_total{engine="1",model_name="qwen"} 0.0
            vllm:num_preemptions_created{engine="0",model_name="qwen"} 1.7e+09
            vllm:inter_token_latency_seconds_sum{engine="0",model_name="qwen"} 1.5
            vllm:inter_token_latency_seconds_sum{engine="1",model_name="qwen"} 0.5
            vllm:inter_token_latency_seconds_count{engine="0",model_name="qwen"} 60.0
            vllm:inter_token_latency_seconds_count{engine="1",model_name="qwen"} 40.0
            vllm:cache_config_info{block_size="16",engine="0",num_gpu_blocks="1000"} 1.0
            vllm:cache_config_info{block_size="16",engine="1",num_gpu_blocks="1000"} 1.0
            """;

    private static Reading<ServerState> of(String command, String... pathsAndTexts) {
        String[] all = new String[pathsAndTexts.length + 2];
        all[0] = "proc/812/cmdline";
        all[1] = command.replace(' ', '\0');
        System.arraycopy(pathsAndTexts, 0, all, 2, pathsAndTexts.length);
        return ServerState.FACT.read(Recorded.host(all), ID);
    }

    @Test
    void vllm_of_the_old_engine_tells_its_kv_cache_under_the_old_name() {
        ServerState state = of(
                        "vllm serve qwen",
                        "recorded/http/8000/metrics",
                        VLLM_V0,
                        "recorded/http/8000/health",
                        "",
                        "recorded/http/8000/version",
                        "{\"version\":\"0.6.3\"}")
                .orThrow();
        assertEquals("0.6.3", state.version());
        assertEquals(List.of("qwen"), state.models());
        assertEquals(Health.SERVING, state.health());
        assertEquals(new Ratio(0.9312), state.kvCacheUse().orThrow());
        assertEquals(new Requests(12, 5), state.requests().orThrow());
        assertEquals(41, state.preemptions().orThrow());
        assertEquals(1_000_000, state.promptTokens().orThrow());
        assertEquals(new Times(75.5, 500), state.timeToFirstToken().orThrow());
        assertEquals(new Times(2500, 249_500), state.interTokenTime().orThrow());
        assertEquals(65_536, state.kvCachePool().orThrow().tokens());
        assertEquals(new Ratio(0.9), state.settings().gpuMemoryShare().orElseThrow());
    }

    @Test
    void of_several_engines_requests_are_added_and_the_fullest_kv_cache_counts() {
        ServerState state = of(
                        "python3 -m vllm.entrypoints.openai.api_server --port=9000 --model qwen",
                        "recorded/http/9000/metrics",
                        VLLM_V1,
                        "recorded/http/9000/v1/models",
                        "{\"object\":\"list\",\"data\":[{\"id\":\"Qwen/Qwen3-8B\",\"max_model_len\":32768}]}")
                .orThrow();
        assertEquals(new Requests(7, 2), state.requests().orThrow());
        assertEquals(new Ratio(0.5), state.kvCacheUse().orThrow());
        assertEquals(1, state.preemptions().orThrow());
        assertEquals(new Times(2, 100), state.interTokenTime().orThrow());
        assertEquals(32_000, state.kvCachePool().orThrow().tokens());
        assertEquals(List.of("Qwen/Qwen3-8B"), state.models());
        assertEquals(OptionalLong.of(32_768), state.settings().contextLength());
        assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(state.timeToFirstToken()));
    }

    @Test
    void ollama_tells_what_of_a_model_lies_on_gpus() {
        ServerState state = of(
                        "ollama serve",
                        "recorded/http/11434/api/ps",
                        """
                        {"models":[{"name":"llama3:8b","model":"llama3:8b","size":6654289920,"digest":"365c…",
                          "details":{"family":"llama","quantization_level":"Q4_0"},
                          "expires_at":"2026-11-30T14:38:31Z","size_vram":3327144960,"context_length":4096}]}
                        """,
                        "recorded/http/11434/api/version",
                        "{\"version\":\"0.12.3\"}")
                .orThrow();
        assertEquals("0.12.3", state.version());
        assertEquals(
                List.of(new LoadedModel("llama3:8b", new Bytes(6_654_289_920L), new Bytes(3_327_144_960L), 4096)),
                state.loaded().orThrow());
        assertEquals(Health.SERVING, state.health());
    }

    @Test
    void ollama_of_2024_told_less_and_before_that_nothing_of_what_is_loaded() {
        ServerState onTheCpu = of(
                        "ollama serve",
                        "recorded/http/11434/api/ps",
                        "{\"models\":[{\"name\":\"mistral:7b\",\"model\":\"mistral:7b\",\"size\":4512345088}]}",
                        "recorded/http/11434/api/version",
                        "{\"version\":\"0.3.14\"}")
                .orThrow();
        assertEquals(
                List.of(new LoadedModel("mistral:7b", new Bytes(4_512_345_088L), Bytes.NONE, 0)),
                onTheCpu.loaded().orThrow());
        ServerState old = of(
                        "ollama serve",
                        "recorded/absent",
                        "/recorded/http/11434/api/ps\tnot-configured\tit answered 404\n",
                        "recorded/http/11434/api/version",
                        "{\"version\":\"0.1.32\"}")
                .orThrow();
        assertEquals("0.1.32", old.version());
        assertEquals(Health.SERVING, old.health());
        assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(old.loaded()));
    }

    @Test
    void a_server_that_answers_nothing_in_time_says_so() {
        Reading<ServerState> state = of(
                "vllm serve qwen",
                "recorded/absent",
                "/recorded/http/8000/metrics\ttimed-out\tit did not answer within 1 s\n");
        assertEquals(AbsentCause.TIMED_OUT, Absence.causeOf(state));
    }
}
