// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.Seconds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimeLineTest {
    private static Reading written(String when, String text) {
        return Reading.of(LogSource.text("test.log", text).lastWritten(Instant.parse(when)));
    }

    @Test
    void stamps_of_all_kinds_are_put_on_one_line() {
        Reading it = Reading.of("""
                2026-11-30T22:01:02.123456789Z x
                time=2026-11-30T22:01:02.091+02:00 level=INFO msg=x
                [2026-11-30 16:50:44,316] [INFO] [utils.py:799:see_memory_usage] x
                INFO 11-30 09:54:02 [core.py:1] x
                W1130 07:41:58.123456 1234 x.go:1] x
                [Mon Nov 30 01:57:54 2026] x
                Nov 30 17:44:49 gpu1 vllm[1]: x
                [11/30/2026-05:55:22] [TRT-LLM] [I] x
                1764568522.123456 gpu1 ollama[1]: x
                2026/11/30 10:00:00 [error] x
                {"level":"info","ts":1764568522.5 ,"msg":"x"}
                """);
        assertEquals(
                List.of(
                        "2026-11-30T22:01:02.123456789Z",
                        "2026-11-30T20:01:02.091Z",
                        "2026-11-30T16:50:44.316Z",
                        "2026-11-30T09:54:02Z",
                        "2026-11-30T07:41:58.123456Z",
                        "2026-11-30T01:57:54Z",
                        "2026-11-30T17:44:49Z",
                        "2026-11-30T05:55:22Z",
                        "2025-12-01T05:55:22.123456Z",
                        "2026-11-30T10:00:00Z",
                        "2025-12-01T05:55:22.500Z"),
                it.times());
    }

    @Test
    void the_year_is_the_one_before_the_file_was_written_and_turns_with_the_months() {
        Reading it = written("2025-01-02T08:00:00Z", "INFO 12-31 23:59:58 x\nINFO 01-01 00:00:01 x\n");
        assertEquals(List.of("2024-12-31T23:59:58Z", "2025-01-01T00:00:01Z"), it.times());
        assertTrue(
                it.summary
                        .notes()
                        .contains(
                                "the year, which they do not say, is taken as 2024, from when the file was last written"),
                () -> it.summary.notes().toString());
    }

    @Test
    void the_zone_is_learnt_from_lines_that_have_two_times() {
        Reading it = Reading.of("""
                May 16 17:44:49 gpu1 systemd[1]: before
                {"log":"[2026-05-16 17:44:50,100] x\\n","stream":"stderr","time":"2026-05-16T15:44:50.2Z"}
                [2026-05-16 17:44:52,316] x
                """);
        assertEquals("2026-05-16T15:44:52.316Z", it.times().getLast());
        assertTrue(it.summary
                .notes()
                .contains("times without a zone are taken as UTC+02:00: lines that have both show it"));
    }

    @Test
    void the_zone_is_learnt_from_a_file_that_was_written_when_its_last_line_says() {
        Reading it = written("2026-05-16T12:14:51.9Z", "INFO 05-16 17:40:00 a\nINFO 05-16 17:44:50 b\n");
        assertEquals(List.of("2026-05-16T12:10:00Z", "2026-05-16T12:14:50Z"), it.times());
        Reading copied = written("2026-05-16T12:21:07Z", "INFO 05-16 17:40:00 a\nINFO 05-16 17:44:50 b\n");
        assertEquals("2026-05-16T17:40:00Z", copied.times().getFirst(), "a copy tells no zone");
        assertTrue(copied.summary.notes().contains("times without a zone are taken as UTC"));
    }

    @Test
    void a_time_of_day_has_the_day_of_its_neighbours() {
        Reading it = Reading.of("[17:00:00] no day yet\n2026-11-30T23:59:50Z x\n[23:59:58] x\n[00:00:02] x\n");
        assertEquals(List.of("-", "2026-11-30T23:59:50Z", "2026-11-30T23:59:58Z", "2026-12-01T00:00:02Z"), it.times());
    }

    @Test
    void the_kernels_clock_becomes_a_time_once_a_line_has_both() {
        Reading it = Reading.of("""
                [100.5] x: before
                Nov 30 22:00:00 gpu1 kernel: [  200.000000] x
                [  260.250000] x
                1.06.520.077 E ggml: x
                """);
        assertEquals(List.of("-", "2026-11-30T22:00:00Z", "2026-11-30T22:01:00.250Z", "-"), it.times());
        assertEquals(Optional.of(new Seconds(260.25)), it.lines.get(2).clock());
        assertEquals(Optional.of(new Seconds(66.520077)), it.lines.get(3).clock());
    }

    @Test
    void digits_that_are_no_time_are_none() {
        Reading it = Reading.of("""
                2026-13-45T99:00:00Z x
                INFO 02-31 09:54:02 x
                12:34:56:78 x
                GPU 0000:65:00.0 x
                at 2026-11-30T22:01:02Z nothing began
                Jan 99 00:00:00 a b: x
                """);
        assertEquals(List.of("-", "-", "-", "-", "-", "-"), it.times());
    }

    @Test
    void a_29th_of_february_finds_its_year() {
        assertEquals(
                List.of("2024-02-29T10:00:00Z"),
                written("2025-03-01T00:00:00Z", "INFO 02-29 10:00:00 x\n").times());
    }
}
