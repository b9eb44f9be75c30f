// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.host.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SymptomsTest {
    /// A vLLM of which nothing is known but what it answers, at two instants three seconds apart.
    private final Map<String, String> files = new TreeMap<>(Map.of(
            "at-0.000/recorded/clock", "2026-03-01T10:00:00Z 1000\n",
            "at-3.000/recorded/clock", "2026-03-01T10:00:03Z 1003\n",
            "proc/812/stat", "812 (vllm) S 1 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 1 0 51234 8589934592 1000",
            "proc/812/cmdline", "vllm\0serve\0qwen",
            "proc/812/status", "State:\tS\nVmRSS:\t900000 kB\nRssAnon:\t900000 kB\n"));

    private void metrics(String instant, String... namesAndValues) {
        StringBuilder page = new StringBuilder();
        for (int i = 0; i < namesAndValues.length; i += 2)
            page.append("vllm:")
                    .append(namesAndValues[i])
                    .append("{model_name=\"qwen\"} ")
                    .append(namesAndValues[i + 1])
                    .append('\n');
        files.put(instant + "/recorded/http/8000/metrics", page.toString());
    }

    private List<String> words() {
        Evidence evidence = CalmHost.evidenceOf(files);
        return Symptoms.of(evidence, evidence.servers().getFirst()).stream()
                .map(s -> (s.isTrouble() ? "! " : "") + s.words())
                .toList();
    }

    @Test
    void times_are_those_of_the_window_and_not_since_the_start() {
        metrics(
                "at-0.000",
                "time_to_first_token_seconds_sum",
                "100",
                "time_to_first_token_seconds_count",
                "1000",
                "inter_token_latency_seconds_sum",
                "200",
                "inter_token_latency_seconds_count",
                "10000");
        metrics(
                "at-3.000",
                "time_to_first_token_seconds_sum",
                "120",
                "time_to_first_token_seconds_count",
                "1004",
                "inter_token_latency_seconds_sum",
                "201",
                "inter_token_latency_seconds_count",
                "10010");
        assertEquals(List.of("! time to first token 5.0 s", "time between tokens 100 ms"), words());
    }

    @Test
    void a_queue_is_a_trouble_when_it_stands() {
        metrics("at-0.000", "num_requests_running", "8", "num_requests_waiting", "0");
        metrics("at-3.000", "num_requests_running", "8", "num_requests_waiting", "30");
        assertEquals(List.of("8 requests running, 30 waiting"), words());
        metrics("at-0.000", "num_requests_running", "8", "num_requests_waiting", "25");
        assertEquals(List.of("! 8 requests running, 30 waiting"), words());
    }

    @Test
    void preemptions_of_the_window_count_and_older_ones_do_not() {
        metrics("at-0.000", "num_preemptions_total", "40", "generation_tokens_total", "500");
        metrics("at-3.000", "num_preemptions_total", "41", "generation_tokens_total", "800");
        assertEquals(List.of("! preempted 1 request in 3.0 s", "writes 100 tokens/s"), words());
        metrics("at-0.000", "num_preemptions_total", "41", "generation_tokens_total", "800");
        assertEquals(List.of("preempted 0 requests in 3.0 s", "writes no tokens"), words());
    }

    @Test
    void a_server_that_was_restarted_in_the_window_has_no_negative_times() {
        metrics("at-0.000", "time_to_first_token_seconds_sum", "900", "time_to_first_token_seconds_count", "1000");
        metrics("at-3.000", "time_to_first_token_seconds_sum", "2", "time_to_first_token_seconds_count", "4");
        assertEquals(List.of("time to first token 500 ms"), words());
    }

    @Test
    void a_server_that_does_not_answer_is_silent() {
        files.put("recorded/absent", "/recorded/http/8000/metrics\ttimed-out\tit did not answer within 1.0 s\n");
        assertEquals(List.of("! answers nothing: it did not answer within 1.0 s"), words());
    }

    @Test
    void a_server_that_answers_no_more_is_silent_too() {
        metrics("at-0.000", "num_requests_running", "8", "num_requests_waiting", "0");
        files.put("at-3.000/recorded/absent", "/recorded/http/8000\ttimed-out\tit did not answer within 1 s\n");
        assertEquals(
                List.of("! answers nothing: it did not answer within 1 s", "8 requests running, 0 waiting"), words());
    }

    @Test
    void ollama_and_the_llama_server_it_starts_tell_together() {
        files.put("proc/812/cmdline", "ollama\0serve");
        files.put(
                "proc/813/stat",
                "813 (llama-server) S 812 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 1 0 51300 8589934592 1000");
        files.put("proc/813/cmdline", "/usr/lib/ollama/llama-server\0--port\0" + "41234");
        files.put("proc/813/status", "State:\tS\nVmRSS:\t900000 kB\nRssAnon:\t900000 kB\n");
        files.put(
                "recorded/http/11434/api/ps",
                "{\"models\":[{\"name\":\"llama3:8b\",\"size\":6654289920,\"size_vram\":3327144960}]}");
        files.put("recorded/http/41234/health", "{\"status\":\"ok\"}");
        files.put(
                "recorded/http/41234/slots", "[{\"id\":0,\"is_processing\":true},{\"id\":1,\"is_processing\":false}]");
        Evidence evidence = CalmHost.evidenceOf(files);
        ServerStates states =
                ServerStates.of(evidence, evidence.servers().getFirst()).orThrow();
        assertEquals("llama3:8b", states.loaded().getFirst().name());
        assertEquals(1, states.now().requests().orThrow().running());
    }

    @Test
    void a_load_that_goes_on_for_minutes_is_a_trouble() {
        files.put("recorded/http/8000/metrics", "");
        files.put("recorded/absent", "/recorded/http/8000/health\tnot-present\tit answered 503: Loading model\n");
        assertEquals(List.of("! still loading 8 min after it started"), words());
    }

    @Test
    void a_server_killed_in_its_cgroup_says_so() {
        List<String> all = new ArrayList<>(words());
        assertFalse(all.stream().anyMatch(w -> w.contains("killed")));
        files.put("proc/812/cgroup", "0::/llm.slice/vllm.service\n");
        files.put(
                "recorded/kmsg",
                "6,1,990000000,-;Memory cgroup out of memory: Killed process 700 (vllm) total-vm:75176kB,"
                        + " anon-rss:64640kB, file-rss:6620kB, shmem-rss:0kB, UID:0 pgtables:192kB oom_score_adj:0\n");
        assertEquals(List.of("! was killed for memory 13 s ago"), words());
    }
}
