// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Absence;
import dev.ullage.host.Recorded;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/// Whoever listens on the port may answer anything.
class HostileAnswersTest {
    private static final String[] COMMANDS = {
        "vllm serve q --port 1", "ollama serve --port 1", "llama-server --port 1", "sglang serve --port 1",
        "text-generation-launcher --port 1", "tritonserver --http-port 1", "trtllm-serve q --port 1", "lms --port 1",
        "local-ai --address :1", "koboldcpp --port 1"
    };
    private static final String[] PATHS = {
        "metrics",
        "health",
        "version",
        "props",
        "slots",
        "info",
        "v2",
        "api/ps",
        "api/version",
        "v1/models",
        "api/v0/models",
        "server_info",
        "prometheus/metrics",
        "api/extra/perf",
        "api/extra/version",
        "api/v1/model"
    };

    private static Reading<ServerState> of(String command, String answer) {
        String[] all = new String[2 + 2 * PATHS.length];
        all[0] = "proc/812/cmdline";
        all[1] = command.replace(' ', '\0');
        for (int i = 0; i < PATHS.length; i++) {
            all[2 + 2 * i] = "recorded/http/1/" + PATHS[i];
            all[3 + 2 * i] = answer;
        }
        return ServerState.FACT.read(Recorded.host(all), new ProcessId(812, 1));
    }

    @Test
    void no_answer_makes_a_reader_throw_or_take_long() {
        String[] answers = {
            "",
            "\u0000\u0001\ufffd",
            "<html><body>404</body></html>",
            "[".repeat(1_000_000),
            "{\"a\":".repeat(100_000),
            "{\"models\":[" + "{\"size\":1e999,\"size_vram\":-5,\"name\":7},".repeat(1000) + "{}]}",
            "{\"data\":[{\"id\":null,\"max_model_len\":\"x\"}]}",
            "{\"x\":\"" + "y".repeat(4_000_000) + "\"}",
            "metric{".repeat(100_000),
            "m{a=\"" + "\\\"".repeat(1_000_000),
            "vllm:num_requests_running{model_name=\"q\"} NaN\nvllm:num_requests_waiting -1e308\n".repeat(5000),
            "vllm:kv_cache_usage_perc +Inf\nvllm:num_preemptions_total 1e400\n",
            "vllm:cache_config_info{block_size=\"1e300\",num_gpu_blocks=\"1e300\"} 1\n",
            "x".repeat(4_000_000),
            "\n".repeat(4_000_000)
        };
        for (String answer : answers)
            for (String command : COMMANDS)
                assertTimeout(
                        Duration.ofSeconds(10),
                        () -> of(command, answer).map(Object::toString),
                        command + " " + answer.substring(0, Math.min(30, answer.length())));
    }

    @Test
    void a_page_that_is_none_is_said_to_be_none() {
        ServerState state = of("vllm serve q --port 1", "<html>Welcome</html>").orThrow();
        assertEquals(AbsentCause.MALFORMED, Absence.causeOf(state.requests()));
        assertTrue(Absence.detailOf(state.requests()).contains("Welcome"));
    }

    @Test
    void numbers_come_in_every_spelling_of_the_format() {
        PrometheusText page = PrometheusText.parse("""
                # HELP a A counter\\nwith an escape.
                a_total{ x = "1" , y="a\\"b\\\\c\\nd" , } 1.5e3 1395066363000
                b 17 # {trace_id="KOO5S4vxi0o"} 0.67 1520879607.789
                c\t+Inf
                d NaN
                e{} -0.5
                f_bucket{le="1"} 9
                "g.h" 1
                2x
                # EOF
                """);
        assertEquals(OptionalDouble.of(1500), page.sum(Metric.of("a_total")));
        assertEquals(
                "a\"b\\c\nd", page.labels(Metric.of("a_total")).orElseThrow().get("y"));
        assertEquals(OptionalDouble.of(17), page.sum(Metric.of("b_total")), "a client that leaves _total out");
        assertEquals(OptionalDouble.of(Double.POSITIVE_INFINITY), page.max(Metric.of("c")));
        assertEquals(OptionalDouble.empty(), page.max(Metric.of("d")));
        assertEquals(OptionalDouble.of(-0.5), page.sum(Metric.of("e")));
        assertEquals(OptionalDouble.empty(), page.sum(Metric.of("f_bucket")));
        assertEquals(
                OptionalDouble.of(3),
                PrometheusText.parse("vllm_num_requests_running 3").sum(Metric.of("vllm:num_requests_running")));
    }

    @Test
    void every_row_of_the_table_is_found_by_its_engine_and_named_once() {
        List<MetricNames.Row> rows = MetricNames.TABLE;
        assertEquals(rows.size(), rows.stream().distinct().count());
        for (MetricNames.Row row : rows) {
            assertTrue(MetricNames.of(row.engine(), row.meaning()).contains(row.metric()));
            assertFalse(row.versions().isBlank());
        }
    }

    @Test
    void json_is_read_by_path_and_long_texts_are_left_out() {
        JsonLeaves leaves = JsonLeaves.parse(
                "{\"a\":{\"b/c\":[1,{\"d\":\"x\"},true,null]},\"p\":\"" + "y".repeat(600) + "\",\"n\":-1.5e2}");
        assertEquals("x", leaves.text("a.b~1c.1.d").orElseThrow());
        assertEquals("true", leaves.text("a.b~1c.2").orElseThrow());
        assertTrue(leaves.text("a.b~1c.3").isEmpty());
        assertTrue(leaves.text("p").isEmpty());
        assertEquals(OptionalDouble.of(-150), leaves.number("n"));
        assertEquals(2, JsonLeaves.parse("[{\"a\":1},{\"a\":2}").count(""));
        assertEquals(0, JsonLeaves.parse("{\"models\":[]}").count("models"));
    }
}
