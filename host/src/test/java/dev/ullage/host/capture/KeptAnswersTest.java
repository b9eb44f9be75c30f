// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Call;
import dev.ullage.host.HostRoot;
import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.server.ServerState;
import dev.ullage.measure.Reading;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeptAnswersTest {
    /// A host that answers what it is told to.
    private record Told(Map<String, String> texts) implements HostRoot {
        @Override
        public Reading<String> text(String path) {
            return Reading.of(texts.getOrDefault(path, ""));
        }

        @Override
        public Reading<List<String>> names(String directory) {
            return Reading.of(List.of());
        }

        @Override
        public Reading<String> link(String path) {
            return Reading.of("");
        }

        @Override
        public Reading<String> ask(Call call, String about) {
            if (call == Call.CLOCK) return Reading.of("2026-03-01T10:00:00Z 1000");
            if (call == Call.LISTENING) return Reading.of("namespace=ours by=fd 0.0.0.0:1");
            return Reading.of(texts.getOrDefault(call.word() + ":" + about, ""));
        }
    }

    private final Map<String, String> texts = new HashMap<>();

    private NavigableMap<String, String> captured(String command) {
        texts.put("/proc/812/cmdline", command.replace(' ', '\0'));
        RecordingHost recorder = new RecordingHost(new Told(texts));
        recorder.ask(Call.CLOCK, "-");
        recorder.text("/proc/812/cmdline");
        ServerState.FACT.read(recorder, new ProcessId(812, 1));
        return Redaction.of(recorder.finish());
    }

    private static ServerState replayed(NavigableMap<String, String> tree) {
        return ServerState.FACT
                .read(new RecordedHost(new MemoryTree(tree)).at(0), new ProcessId(812, 1))
                .orThrow();
    }

    @Test
    void prompts_and_templates_of_llama_server_stay_behind_and_its_numbers_do_not() {
        texts.put("http:1/health", "{\"status\":\"ok\"}");
        texts.put("http:1/slots", """
                [{"id":0,"n_ctx":4096,"is_processing":false,"prompt":"my password is hunter2hunter2",
                  "params":{"grammar":"hunter2hunter2","stop":["hunter2hunter2"]},"next_token":[{"text":"hunter2hunter2"}]},
                 {"id":1,"n_ctx":4096,"is_processing":true,"prompt":"hunter2hunter2"}]
                """);
        texts.put("http:1/props", """
                {"default_generation_settings":{"n_ctx":4096,"prompt":"hunter2hunter2","params":{"x":"hunter2hunter2"}},
                  "total_slots":2,"model_path":"/home/alice/models/qwen3.gguf","build_info":"b6700-abc",
                  "chat_template":"{{ hunter2hunter2 }}","webui":"hunter2hunter2"}
                """);
        NavigableMap<String, String> tree = captured("llama-server --port 1 -m qwen3.gguf");
        assertFalse(tree.toString().contains("hunter2"), tree.toString());
        assertFalse(tree.toString().contains("alice"), tree.toString());
        ServerState state = replayed(tree);
        assertEquals(List.of("qwen3.gguf"), state.models());
        assertEquals(1, state.requests().orThrow().running());
        assertEquals(8192, state.kvCachePool().orThrow().tokens());
        assertEquals("b6700-abc", state.version());
    }

    @Test
    void keys_of_sglang_stay_behind() {
        texts.put("http:1/server_info", """
                {"model_path":"https://bob:s3cr3tpass@hub.example/q","api_key":"zk-11112222","admin_api_key":"zk-33334444",
                  "tp_size":2,"mem_fraction_static":0.85,"max_total_num_tokens":427984,"env":{"HF_TOKEN":"hf_abcdefghijkl"},
                  "internal_states":[{"memory_usage":{"weight":7.6,"kvcache":58.1},"last_prompt":"zk-prompt"}],"version":"0.5.9"}
                """);
        texts.put("http:1/metrics", "sglang:token_usage{model_name=\"q\",customer=\"ACME Corp\"} 0.5\n");
        NavigableMap<String, String> tree = captured("sglang serve --port 1 --api-key zk-11112222");
        for (String secret : List.of("zk-1111", "zk-3333", "s3cr3tpass", "hf_abc", "zk-prompt", "ACME"))
            assertFalse(tree.toString().contains(secret), secret + " in " + tree);
        ServerState state = replayed(tree);
        assertEquals("0.5.9", state.version());
        assertEquals(0.5, state.kvCacheUse().orThrow().ratio());
        assertEquals(427_984, state.kvCachePool().orThrow().tokens());
    }

    @Test
    void of_metrics_the_engine_s_own_lines_stay_and_add_up_as_before() {
        String kept = KeptAnswers.of("8000/metrics", """
                # HELP python_info Python platform information.
                python_info{implementation="CPython",major="3"} 1.0
                process_resident_memory_bytes 1e9
                vllm:num_requests_running{model_name="Qwen/Qwen3-8B",user="alice"} 1.0
                vllm:num_requests_running{model_name="Qwen/Qwen3-8B",user="bob"} 2.0
                vllm:time_to_first_token_seconds_bucket{le="0.1",model_name="q"} 7.0
                vllm:time_to_first_token_seconds_sum{model_name="q"} 7.0
                """);
        assertEquals("""
                vllm:num_requests_running{model_name="Qwen/Qwen3-8B",user="value1"} 1.0
                vllm:num_requests_running{model_name="Qwen/Qwen3-8B",user="value2"} 2.0
                vllm:time_to_first_token_seconds_sum{model_name="q"} 7.0
                """, kept);
    }

    @Test
    void what_was_no_answer_is_none_when_it_is_replayed() {
        assertEquals("-", KeptAnswers.of("1/metrics", "<html>hello alice</html>"));
        assertEquals("-", KeptAnswers.of("1/props", "hello alice"));
        assertEquals("-", KeptAnswers.of("1/props", "{\"n_ctx\":1"));
        assertEquals("", KeptAnswers.of("1/health", "\n"));
        assertEquals("[{\"id\":1},{}]", KeptAnswers.of("1/slots", "[{\"id\":1,\"x\":[1]},{\"y\":\"z\"},\"w\"]"));
    }

    @Test
    void hostile_answers_are_dropped_in_little_time() {
        for (String answer : List.of(
                "[".repeat(1_000_000),
                "{\"error\":".repeat(100_000),
                "{\"id\":\"" + "x".repeat(4_000_000) + "\"}",
                "vllm:a{" + "b=\"".repeat(1_000_000),
                "vllm:a{b=\"" + "\\".repeat(1_000_000) + "\n",
                ("vllm:a{" + "b=\"c\",".repeat(1000) + "} 1\n").repeat(500)))
            for (String about : List.of("1/metrics", "1/slots"))
                assertTimeout(Duration.ofSeconds(10), () -> KeptAnswers.of(about, answer));
    }

    @Test
    void a_model_s_name_may_look_like_anything_and_stays() {
        texts.put(
                "http:1/api/ps",
                "{\"models\":[{\"name\":\"llama3:8b\",\"size\":6654289920,\"size_vram\":0,\"expires_at\":\"2026\"}]}");
        NavigableMap<String, String> tree = captured("ollama serve --port 1");
        assertTrue(tree.toString().contains("llama3:8b"), tree.toString());
        assertEquals(
                Optional.of(0L),
                replayed(tree).loaded().orThrow().stream()
                        .map(model -> model.onGpu().bytes())
                        .findFirst());
    }
}
