// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WrappingTest {
    @Test
    void docker_keeps_a_line_in_json_and_a_long_one_in_several() {
        Reading it = Reading.of("""
                {"log":"load_tensors:   CPU_Mapped model buffer size =  812.50 MiB\\n","stream":"stderr","time":"2026-11-30T22:01:02.123456789Z"}
                {"log":"ValueError: No available ","stream":"stderr","time":"2026-11-30T22:01:03Z"}
                {"log":"from stdout\\r\\n","stream":"stdout","time":"2026-11-30T22:01:03.5Z"}
                {"log":"memory for the cache blocks.\\n","stream":"stderr","time":"2026-11-30T22:01:04Z"}
                """);
        assertEquals(
                List.of(
                        "load_tensors:   CPU_Mapped model buffer size =  812.50 MiB",
                        "from stdout",
                        "ValueError: No available memory for the cache blocks."),
                it.texts());
        assertEquals(List.of(1L, 3L, 2L), it.numbers(), "a line has the number of where it begins");
        assertEquals("2026-11-30T22:01:02.123456789Z", it.times().getFirst());
        assertEquals("2026-11-30T22:01:03Z", it.times().getLast());
    }

    @Test
    void a_kubelet_keeps_the_stream_and_whether_the_line_goes_on() {
        Reading it = Reading.of("""
                2026-11-30T22:01:02.000000001+01:00 stderr P CUDA out of
                2026-11-30T22:01:02.000000002+01:00 stdout F INFO 11-30 21:01:02 fine
                2026-11-30T22:01:02.000000003+01:00 stderr F  memory.
                2026-11-30T22:01:03+01:00 stdout F\s
                """);
        assertEquals(List.of("INFO 11-30 21:01:02 fine", "CUDA out of memory.", ""), it.texts());
        assertEquals("2026-11-30T21:01:02.000000001Z", it.times().get(1));
    }

    @Test
    void a_cut_line_that_never_ends_is_said_at_the_end() {
        Reading it = Reading.of("2026-11-30T22:01:02Z stderr P CUDA error: out of mem\n");
        assertEquals(List.of("CUDA error: out of mem"), it.texts());
    }

    @Test
    void the_journal_tells_who_and_when_and_writes_colours_as_numbers() {
        Reading it = Reading.of("""
                {"__REALTIME_TIMESTAMP":"1764568522123456","SYSLOG_IDENTIFIER":"ollama","_PID":"612","MESSAGE":"Error: x"}
                {"MESSAGE":[27,91,51,49,109,67,85,68,65,27,91,48,109,32,195,164],"__REALTIME_TIMESTAMP":"1764568523000000","_COMM":"vllm","_PID":"9"}
                {"MESSAGE":"Traceback:\\n  File \\"a.py\\"","__REALTIME_TIMESTAMP":"1764568524000000","_TRANSPORT":"kernel"}
                {"MESSAGE":null,"__REALTIME_TIMESTAMP":"x"}
                """);
        assertEquals(List.of("Error: x", "CUDA ä", "Traceback:", "  File \"a.py\"", ""), it.texts());
        assertEquals(List.of("ollama[612]", "vllm[9]", "kernel", "kernel", ""), it.workers());
        assertEquals("2025-12-01T05:55:22.123456Z", it.times().getFirst());
        assertEquals("-", it.times().getLast());
    }

    @Test
    void records_of_the_export_format_are_one_line_each_and_their_binary_fields_too() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write("__CURSOR=s=1\n__REALTIME_TIMESTAMP=1764568522000000\n_COMM=python3\n_PID=7\nMESSAGE=plain\n\n"
                .getBytes(StandardCharsets.UTF_8));
        out.write("__CURSOR=s=2\n__REALTIME_TIMESTAMP=1764568523000000\nSYSLOG_IDENTIFIER=vllm\nMESSAGE\n"
                .getBytes(StandardCharsets.UTF_8));
        // ten bytes: the length itself begins with a newline byte
        byte[] message = "two\nlines!".getBytes(StandardCharsets.UTF_8);
        out.write(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(message.length)
                .array());
        out.write(message);
        out.write("\n_TRANSPORT=stdout\n\n__CURSOR=s=3\nMESSAGE=last".getBytes(StandardCharsets.UTF_8));
        Reading it = Reading.of(out.toByteArray());
        assertEquals(List.of("plain", "two", "lines!", "last"), it.texts());
        assertEquals(List.of("python3[7]", "vllm", "vllm", ""), it.workers());
        assertEquals(5L, it.numbers().getFirst());
    }

    @Test
    void json_that_is_the_programs_own_stays_as_it_is() {
        String own = "{\"level\":\"ERROR\",\"timestamp\":\"2026-11-30T22:01:02Z\",\"message\":\"out of memory\"}";
        String cut = "{\"log\":\"no end";
        Reading it = Reading.of(own + "\n" + cut + "\n{\"log\":1}\n");
        assertEquals(List.of(own, cut, "{\"log\":1}"), it.texts());
        assertEquals("2026-11-30T22:01:02Z", it.times().getFirst());
        assertTrue(it.summary.isWhole());
    }

    @Test
    void what_kubectl_prints_is_text() {
        Reading it = Reading.of("""
                    Last State:     Terminated
                      Reason:       OOMKilled
                      Exit Code:    137
                {
                    "exitCode": 137,
                """);
        assertEquals("    Last State:     Terminated", it.texts().getFirst());
        assertEquals("    \"exitCode\": 137,", it.texts().getLast());
    }
}
