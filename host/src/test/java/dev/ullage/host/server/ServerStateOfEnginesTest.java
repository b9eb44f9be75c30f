// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Absence;
import dev.ullage.host.Recorded;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.server.ServerState.Health;
import dev.ullage.host.server.ServerState.Requests;
import dev.ullage.host.server.ServerState.Times;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// Answers of two versions each, composed from the formats that their sources and manuals give.
class ServerStateOfEnginesTest {
    private static Reading<ServerState> of(String command, String... pathsAndTexts) {
        String[] all = new String[pathsAndTexts.length + 2];
        all[0] = "proc/812/cmdline";
        all[1] = command.replace(' ', '\0');
        for (int i = 0; i < pathsAndTexts.length; i += 2) {
            all[i + 2] = "recorded/" + pathsAndTexts[i];
            all[i + 3] = pathsAndTexts[i + 1];
        }
        return ServerState.FACT.read(Recorded.host(all), new ProcessId(812, 51234));
    }

    @Test
    void llama_server_of_early_2025_tells_the_use_of_its_kv_cache() {
        ServerState state = of(
                        "llama-server -m /m/a.gguf --metrics",
                        "http/8080/health",
                        "{\"status\":\"ok\"}",
                        "http/8080/metrics",
                        """
                        # TYPE llamacpp:prompt_tokens_total counter
                        llamacpp:prompt_tokens_total 3300
                        llamacpp:prompt_seconds_total 1.5
                        llamacpp:tokens_predicted_total 800
                        llamacpp:tokens_predicted_seconds_total 40.5
                        llamacpp:kv_cache_usage_ratio 0.63
                        llamacpp:kv_cache_tokens 2580
                        llamacpp:requests_processing 2
                        llamacpp:requests_deferred 1
                        """,
                        "http/8080/slots",
                        "[{\"id\":0,\"n_ctx\":2048,\"state\":1,\"prompt\":\"secret\"},{\"id\":1,\"n_ctx\":2048,\"state\":0}]")
                .orThrow();
        assertEquals(Health.SERVING, state.health());
        assertEquals(new Ratio(0.63), state.kvCacheUse().orThrow());
        assertEquals(new Requests(2, 1), state.requests().orThrow());
        assertEquals(new Times(40.5, 800), state.interTokenTime().orThrow());
        assertEquals(3300, state.promptTokens().orThrow());
    }

    @Test
    void llama_server_of_late_2025_without_metrics_tells_slots_and_what_to_do() {
        ServerState state = of(
                        "/opt/llama-server -m /m/a.gguf -np 4 --port 9090",
                        "absent",
                        "/recorded/http/9090/metrics\tnot-configured\tit answered 501: This server does not support metrics\n",
                        "http/9090/health",
                        "{\"status\":\"ok\"}",
                        "http/9090/props",
                        """
                        {"default_generation_settings":{"id":0,"n_ctx":4096,"params":{"seed":4294967295}},"total_slots":4,
                          "model_alias":"qwen3","model_path":"/m/a.gguf","is_sleeping":false,"build_info":"b6700-abc1234",
                          "chat_template":"{% for m in messages %}…"}
                        """,
                        "http/9090/slots",
                        """
                        [{"id":0,"n_ctx":4096,"is_processing":true,"next_token":[{"n_decoded":12}]},
                         {"id":1,"n_ctx":4096,"is_processing":true},{"id":2,"n_ctx":4096,"is_processing":false},
                         {"id":3,"n_ctx":4096,"is_processing":false}]
                        """)
                .orThrow();
        assertEquals("b6700-abc1234", state.version());
        assertEquals(List.of("qwen3"), state.models());
        assertEquals(new Requests(2, 0), state.requests().orThrow());
        assertEquals(16_384, state.kvCachePool().orThrow().tokens());
        assertEquals(OptionalInt.of(4), state.settings().parallelSequences());
        assertEquals(OptionalLong.of(4096), state.settings().contextLength());
        assertEquals("it answered 501; start it with --metrics", Absence.detailOf(state.kvCacheUse()));
    }

    @Test
    void a_llama_server_that_loads_is_not_there_yet() {
        String loading = "not-present\tit answered 503: Loading model\n";
        assertEquals(
                Health.LOADING,
                of("llama-server -m a", "absent", "/recorded/http/8080/health\t" + loading)
                        .orThrow()
                        .health());
        assertEquals(
                Health.LOADING,
                of("llama-server -m a", "http/8080/health", "{\"status\":\"loading model\"}")
                        .orThrow()
                        .health());
    }

    @Test
    void sglang_counts_each_request_once_however_many_ranks_tell_of_it() {
        ServerState state = of(
                        "python3 -m sglang.launch_server --model-path q --tp 2",
                        "http/30000/metrics",
                        """
                        sglang:num_running_reqs{engine_type="unified",model_name="q",pp_rank="0",tp_rank="0"} 7.0
                        sglang:num_running_reqs{engine_type="unified",model_name="q",pp_rank="0",tp_rank="1"} 7.0
                        sglang:num_queue_reqs{engine_type="unified",model_name="q",pp_rank="0",tp_rank="0"} 3.0
                        sglang:token_usage{engine_type="unified",model_name="q",pp_rank="0",tp_rank="0"} 0.92
                        sglang:num_retracted_reqs{model_name="q",pid="71",tp_rank="0"} 1.0
                        sglang:time_per_output_token_seconds_sum{model_name="q"} 4.5
                        sglang:time_per_output_token_seconds_count{model_name="q"} 90.0
                        sglang:prompt_tokens_total{model_name="q"} 128201.0
                        """,
                        "absent",
                        "/recorded/http/30000/server_info\tnot-configured\tit answered 404: Not Found\n",
                        "http/30000/get_server_info",
                        """
                        {"model_path":"q","api_key":"sk-verysecret","tp_size":2,"mem_fraction_static":0.85,"context_length":null,
                          "max_total_num_tokens":427984,"max_running_requests":64,"internal_states":[{"last_gen_throughput":12.5}],
                          "version":"0.4.7"}
                        """)
                .orThrow();
        assertEquals("0.4.7", state.version());
        assertEquals(new Requests(7, 3), state.requests().orThrow());
        assertEquals(new Ratio(0.92), state.kvCacheUse().orThrow());
        assertEquals(new Times(4.5, 90), state.interTokenTime().orThrow());
        assertEquals(427_984, state.kvCachePool().orThrow().tokens());
        assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(state.preemptions()), "a gauge is no counter");
        assertEquals(Optional.of(new Ratio(0.85)), state.settings().gpuMemoryShare());
        assertFalse(state.toString().contains("verysecret"));
    }

    @Test
    void sglang_of_2026_counts_retractions() {
        ServerState state = of(
                        "sglang serve --model-path q",
                        "http/30000/metrics",
                        """
                        sglang:num_running_reqs{dp_rank="0",model_name="q",tp_rank="0"} 1.0
                        sglang:num_running_reqs{dp_rank="1",model_name="q",tp_rank="0"} 2.0
                        sglang:num_queue_reqs{dp_rank="0",model_name="q",tp_rank="0"} 0.0
                        sglang:num_retracted_requests_total{dp_rank="0",model_name="q",tp_rank="0"} 48.0
                        sglang:max_total_num_tokens{dp_rank="0",model_name="q",tp_rank="0"} 100000.0
                        sglang:time_to_first_token_seconds_sum{is_streaming="true",model_name="q"} 1.0
                        sglang:time_to_first_token_seconds_sum{is_streaming="false",model_name="q"} 0.5
                        sglang:time_to_first_token_seconds_count{is_streaming="true",model_name="q"} 2.0
                        sglang:time_to_first_token_seconds_count{is_streaming="false",model_name="q"} 1.0
                        """,
                        "http/30000/server_info",
                        "{\"version\":\"0.5.9\",\"served_model_name\":\"qwen\",\"model_path\":\"/m/q\"}")
                .orThrow();
        assertEquals(new Requests(3, 0), state.requests().orThrow());
        assertEquals(48, state.preemptions().orThrow());
        assertEquals(100_000, state.kvCachePool().orThrow().tokens());
        assertEquals(new Times(1.5, 3), state.timeToFirstToken().orThrow());
        assertEquals(List.of("qwen"), state.models());
    }

    @Test
    void tgi_of_two_versions_tells_its_queue() {
        String metrics = """
                tgi_queue_size 4
                tgi_batch_current_size 16
                tgi_request_generated_tokens_sum 5000
                tgi_request_generated_tokens_count 50
                tgi_request_input_length_sum 90000
                tgi_request_mean_time_per_token_duration_sum 1.25
                tgi_request_mean_time_per_token_duration_count 50
                """;
        ServerState old = of(
                        "text-generation-launcher --model-id m --port 8085",
                        "http/8085/metrics",
                        metrics,
                        "http/8085/info",
                        "{\"model_id\":\"m\",\"max_total_tokens\":2048,\"max_batch_total_tokens\":50000,\"version\":\"1.4.0\"}")
                .orThrow();
        assertEquals(new Requests(16, 4), old.requests().orThrow());
        assertEquals(50_000, old.kvCachePool().orThrow().tokens());
        assertEquals(5000, old.generatedTokens().orThrow());
        assertEquals(new Times(1.25, 50), old.interTokenTime().orThrow());
        ServerState recent = of(
                        "text-generation-router --port 80",
                        "http/80/metrics",
                        metrics,
                        "http/80/info",
                        "{\"model_id\":\"m\",\"max_total_tokens\":4096,\"version\":\"3.3.4\",\"router\":\"text-generation-router\"}")
                .orThrow();
        assertEquals("3.3.4", recent.version());
        assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(recent.kvCachePool()));
    }

    @Test
    void triton_counts_on_a_port_of_its_own_and_trtllm_serve_under_a_path_of_its_own() {
        ServerState triton = of(
                        "tritonserver --model-repository=/models",
                        "http/8000/v2",
                        "{\"name\":\"triton\",\"version\":\"2.54.0\",\"extensions\":[\"classification\"]}",
                        "http/8002/metrics",
                        """
                        nv_trt_llm_request_metrics{model="tensorrt_llm",request_type="waiting",version="1"} 2
                        nv_trt_llm_request_metrics{model="tensorrt_llm",request_type="scheduled",version="1"} 6
                        nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type="fraction",model="tensorrt_llm",version="1"} 0.75
                        nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type="tokens_per",model="tensorrt_llm",version="1"} 64
                        nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type="used",model="tensorrt_llm",version="1"} 300
                        nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type="max",model="tensorrt_llm",version="1"} 400
                        """)
                .orThrow();
        assertEquals("triton 2.54.0", triton.version());
        assertEquals(new Requests(6, 2), triton.requests().orThrow());
        assertEquals(new Ratio(0.75), triton.kvCacheUse().orThrow());
        assertEquals(25_600, triton.kvCachePool().orThrow().tokens());
        ServerState own = of(
                        "trtllm-serve q --port 8100",
                        "absent",
                        "/recorded/http/8100/v2\tnot-configured\tit answered 404: Not Found\n",
                        "http/8100/health",
                        "",
                        "http/8100/version",
                        "{\"version\":\"1.2.0\"}",
                        "http/8100/prometheus/metrics",
                        """
                        trtllm_kv_cache_utilization{engine_type="trtllm",model_name="q"} 0.4
                        trtllm_time_to_first_token_seconds_sum{model_name="q"} 3.0
                        trtllm_time_to_first_token_seconds_count{model_name="q"} 10.0
                        """)
                .orThrow();
        assertEquals(Health.SERVING, own.health());
        assertEquals(new Ratio(0.4), own.kvCacheUse().orThrow());
        assertEquals(new Times(3, 10), own.timeToFirstToken().orThrow());
        assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(own.requests()));
    }

    @Test
    void desktop_servers_tell_what_is_loaded() {
        ServerState studio =
                of("/opt/lm-studio/lm-studio", "http/1234/api/v0/models", """
                        {"object":"list","data":[{"id":"a","state":"not-loaded","max_context_length":8192},
                          {"id":"b","state":"loaded","max_context_length":32768,"loaded_context_length":4096}]}
                        """).orThrow();
        assertEquals(List.of("b"), studio.models());
        assertEquals(OptionalLong.of(4096), studio.settings().contextLength());
        ServerState kobold = of(
                        "koboldcpp-linux-x64 --model m.gguf",
                        "http/5001/api/extra/version",
                        "{\"result\":\"KoboldCpp\",\"version\":\"1.98.1\"}",
                        "http/5001/api/extra/perf",
                        "{\"queue\":2,\"idle\":0}",
                        "http/5001/api/v1/model",
                        "{\"result\":\"koboldcpp/m\"}")
                .orThrow();
        assertEquals(new Requests(1, 2), kobold.requests().orThrow());
        assertEquals(List.of("koboldcpp/m"), kobold.models());
        assertEquals(
                "v3.5.0",
                of(
                                "local-ai run",
                                "http/8080/v1/models",
                                "{\"data\":[]}",
                                "http/8080/version",
                                "{\"version\":\"v3.5.0\"}")
                        .orThrow()
                        .version());
    }

    @Test
    void desktop_servers_of_earlier_versions_tell_less() {
        ServerState studio = of(
                        "/opt/lm-studio/lm-studio",
                        "absent",
                        "/recorded/http/1234/api/v0/models\tnot-configured\tit answered 404\n",
                        "http/1234/v1/models",
                        "{\"data\":[{\"id\":\"mistral-7b\",\"object\":\"model\",\"owned_by\":\"organization-owner\"}]}")
                .orThrow();
        assertEquals(List.of("mistral-7b"), studio.models());
        assertEquals(Health.SERVING, studio.health());
        ServerState kobold = of(
                        "koboldcpp --model m.gguf",
                        "absent",
                        "/recorded/http/5001/api/extra/perf\tnot-configured\tit answered 404\n",
                        "http/5001/api/extra/version",
                        "{\"result\":\"KoboldCpp\",\"version\":\"1.35\"}")
                .orThrow();
        assertEquals("1.35", kobold.version());
        assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(kobold.requests()));
        ServerState local = of(
                        "local-ai --models-path /models",
                        "absent",
                        "/recorded/http/8080/version\tnot-configured\tit answered 404\n",
                        "http/8080/v1/models",
                        "{\"object\":\"list\",\"data\":[{\"id\":\"phi-2\",\"object\":\"model\"}]}")
                .orThrow();
        assertEquals(List.of("phi-2"), local.models());
        assertEquals("", local.version());
    }

    @Test
    void the_port_is_the_one_it_listens_on() {
        String metrics =
                "vllm:num_requests_running{model_name=\"q\"} 1\nvllm:num_requests_waiting{model_name=\"q\"} 0\n";
        assertTrue(of(
                        "vllm serve q",
                        "listening",
                        "812\tnamespace=ours by=fd 0.0.0.0:8123\n",
                        "http/8123/metrics",
                        metrics)
                .isPresent());
        assertTrue(of(
                        "vllm serve q",
                        "listening",
                        "812\tnamespace=ours by=fd [::]:8000 127.0.0.1:41233\n",
                        "http/8000/metrics",
                        metrics)
                .isPresent());
    }

    @Test
    void where_it_is_not_plain_which_port_serves_none_is_asked() {
        String[] whys = {
            "812\tnamespace=ours by=fd 0.0.0.0:29500 127.0.0.1:41233\n", "it listens on 29500, 41233 and not on 8000",
            "812\tnamespace=ours by=uid 0.0.0.0:5432\n", "it listens on 5432 and not on 8000",
            "812\tnamespace=other by=fd 0.0.0.0:8000\n", "it listens in its container's own network",
            "812\tnamespace=ours by=fd\n", "it listens on no port",
            "812\tnamespace=ours by=fd 10.0.0.5:8000\n", "port 8000 does not listen on loopback"
        };
        for (int i = 0; i < whys.length; i += 2) {
            Reading<ServerState> state =
                    of("vllm serve q", "listening", whys[i], "http/8000/metrics", "vllm:num_requests_running 1\n");
            assertTrue(Absence.detailOf(state).startsWith(whys[i + 1]), Absence.detailOf(state));
        }
    }

    @Test
    void who_serves_tls_is_not_sent_plain_text() {
        Reading<ServerState> state = of(
                "vllm serve q --ssl-certfile=/c.pem --ssl-keyfile /k.pem",
                "http/8000/metrics",
                "vllm:num_requests_running 1\n");
        assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(state));
        assertTrue(Absence.detailOf(state).contains("TLS"));
    }

    @Test
    void workers_and_scripts_are_not_asked() {
        assertEquals(AbsentCause.NOT_PRESENT, Absence.causeOf(of("ollama runner --model /m --port 11434")));
        assertEquals(AbsentCause.NOT_PRESENT, Absence.causeOf(of("python3 train.py")));
        assertEquals(AbsentCause.NOT_PRESENT, Absence.causeOf(of("torchrun --nproc-per-node 4 train.py")));
    }
}
