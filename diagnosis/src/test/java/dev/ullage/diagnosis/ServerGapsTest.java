// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.diagnosis.rules.CalmHost;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ServerGapsTest {
    private final Map<String, String> files = new TreeMap<>(Map.of(
            "recorded/clock", "2026-03-01T10:00:00Z 1000\n",
            "proc/812/stat", "812 (llama-server) S 1 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 1 0 51234 8589934592 1000",
            "proc/812/cmdline", "llama-server\0-m\0a.gguf",
            "proc/812/status", "State:\tS\nVmRSS:\t900000 kB\nRssAnon:\t900000 kB\n"));

    private List<String> gaps() {
        return ServerGaps.in(CalmHost.evidenceOf(files)).stream()
                .map(gap -> gap.what() + " | " + gap.cause() + " | " + gap.wouldHelp())
                .toList();
    }

    @Test
    void a_server_that_wants_a_key_says_how_to_give_it() {
        files.put("recorded/http/8080/health", "{\"status\":\"ok\"}");
        files.put(
                "recorded/absent",
                "/recorded/http/8080/metrics\tno-permission\tit answered 401: give its key with --api-key-env\n");
        assertEquals(
                List.of("what llama-server (pid 812) says of itself: it answered 401: give its key with --api-key-env"
                        + " | no-permission | --api-key-env NAME, with its key in that variable"),
                gaps());
    }

    @Test
    void a_server_without_metrics_says_which_flag_gives_them() {
        files.put("recorded/http/8080/health", "{\"status\":\"ok\"}");
        files.put("recorded/absent", "/recorded/http/8080/metrics\tnot-configured\tit answered 501: not supported\n");
        assertEquals(
                List.of("what llama-server (pid 812) says of itself: it answered 501; start it with --metrics"
                        + " | not-configured | start it with --metrics"),
                gaps());
    }

    @Test
    void a_server_in_a_container_s_own_network_says_how_to_get_there() {
        files.put("recorded/listening", "812\tnamespace=other by=fd 0.0.0.0:8080\n");
        assertEquals(
                List.of("what llama-server (pid 812) says of itself: it listens in its container's own network"
                        + " | not-present | nsenter --net --target 812 ullage diagnose"),
                gaps());
    }

    @Test
    void settings_in_an_environment_are_named_and_not_read() {
        files.put("recorded/environment", "812\tCUDA_VISIBLE_DEVICES LLAMA_ARG_N_GPU_LAYERS LLAMA_ARG_CTX_SIZE\n");
        assertEquals(
                List.of(
                        "settings of llama-server (pid 812) in its environment: LLAMA_ARG_CTX_SIZE, LLAMA_ARG_N_GPU_LAYERS"
                                + " | not-recorded | values may be secrets and are never read; tr '\\0' '\\n' <"
                                + " /proc/812/environ shows them"),
                gaps());
    }

    @Test
    void a_server_that_does_not_answer_is_a_gap_and_one_that_nobody_asked_is_none() {
        assertEquals(List.of(), gaps());
        files.put("recorded/absent", "/recorded/http/8080\tnot-configured\t--no-http forbids to ask servers\n");
        assertEquals(List.of(), gaps());
        files.put("recorded/absent", "/recorded/http/8080\ttimed-out\tit did not answer within 1 s\n");
        assertEquals(
                List.of("what llama-server (pid 812) says of itself: it did not answer within 1 s | timed-out | "),
                gaps());
    }
}
