// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.logs.reading.LogInput;
import dev.ullage.logs.reading.LogSource;
import dev.ullage.logs.reading.ReadSummary;
import dev.ullage.logs.reading.Reading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LogScanTest {
    private static final List<Pattern> PATTERNS = List.of(
            Pattern.compile("CUDA out of memory\\. Tried to allocate ([\\d.]{1,10}) GiB"),
            Pattern.compile("(?i)cudaMalloc failed|ErrorOutOfDeviceMemory"),
            Pattern.compile("^Killed process (\\d{1,9})"),
            Pattern.compile("[Nn]o available memory for (?:the )?cache blocks"),
            Pattern.compile("exit(?:s|ed) with (?:return )?code =? ?-?(?:9|137)\\b"));

    private static final List<String> SAID = List.of(
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. x",
            "CUDA out of memory",
            "ggml: CUDAMALLOC FAILED: out of memory",
            "Killed process 61 (python)",
            "x Killed process 61",
            "ValueError: No available memory for the cache blocks.",
            "exits with return code = -9",
            "server exited with code 137",
            "a calm line about memory and cache blocks",
            "");

    /// Text of every coat, hot lines among calm ones.
    private static String randomLog(Random random, int size) {
        StringBuilder log = new StringBuilder();
        while (log.length() < size) {
            String said = random.nextInt(40) == 0
                    ? SAID.get(random.nextInt(SAID.size()))
                    : "INFO 11-30 10:00:00 [loggers.py:1] Avg prompt throughput: " + random.nextInt(9999)
                            + " tokens/s, cache";
            if (random.nextInt(30) == 0 && said.length() > 2) {
                int at = random.nextInt(said.length());
                String code = List.of("\u001b[31m", "\0", "x\b", "\r", "\u001b[0m", "ä")
                        .get(random.nextInt(6));
                said = said.substring(0, at) + code + said.substring(at);
            }
            String json = said.replace("\\", "\\\\")
                    .replace("\u001b", "\\u001b")
                    .replace("\0", "\\u0000")
                    .replace("\b", "\\b")
                    .replace("\r", "\\r");
            String at = "2026-11-30T10:00:00.5Z";
            int cut = said.length() / 2;
            switch (random.nextInt(9)) {
                case 0 -> log.append("{\"log\":\"" + json + "\\n\",\"stream\":\"stderr\",\"time\":\"" + at + "\"}");
                case 1 -> log.append("{\"log\":\"" + json + "\",\"stream\":\"stdout\",\"time\":\"" + at + "\"}");
                case 2 -> log.append(at + " stderr F " + said);
                case 3 ->
                    log.append(at + " stderr P " + said.substring(0, cut) + "\n" + at + " stderr F "
                            + said.substring(cut));
                case 4 -> log.append("{\"__REALTIME_TIMESTAMP\":\"1764568522123456\",\"MESSAGE\":\"" + json + "\"}");
                case 5 ->
                    log.append("{\"MESSAGE\":"
                            + Arrays.toString(said.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1))
                            + ",\"__REALTIME_TIMESTAMP\":\"1764568522123456\"}");
                default -> log.append(said);
            }
            log.append(random.nextInt(10) == 0 ? "\r\n" : "\n");
            if (random.nextInt(4000) == 0) log.append("z".repeat(200_000));
        }
        return log.toString();
    }

    private static List<String> byEveryLine(LogSource source, PatternSet patterns) throws Exception {
        List<String> found = new ArrayList<>();
        try (LogInput input = LogInput.open(source, Reading.OPTIONS)) {
            input.everyLine(line -> {
                List<Integer> which = new ArrayList<>();
                for (int i = 0; i < patterns.patterns().size(); i++)
                    if (patterns.patterns().get(i).matcher(line.text()).find()) which.add(i);
                if (!which.isEmpty())
                    found.add(line.number() + "@" + line.offset() + which + line.worker() + line.text());
            });
        }
        return found;
    }

    private static List<String> byScan(LogSource source, PatternSet patterns, int before, int after) throws Exception {
        List<String> found = new ArrayList<>();
        try (LogScan scan = new LogScan(patterns, before, after)) {
            scan.over(source, Reading.OPTIONS, (line, which) -> {
                if (which.length > 0)
                    found.add(
                            line.number() + "@" + line.offset() + Arrays.toString(which) + line.worker() + line.text());
            });
        }
        return found;
    }

    @Test
    void a_scan_finds_what_trying_every_pattern_on_every_line_finds() throws Exception {
        PatternSet patterns = PatternSet.of(PATTERNS);
        assertEquals(List.of(), patterns.slow());
        for (int seed = 0; seed < 6; seed++) {
            LogSource log = LogSource.text("r.log", randomLog(new Random(seed), (1 << 20) * (seed % 3 + 2)));
            List<String> expected = byEveryLine(log, patterns);
            assertTrue(expected.size() > 50, "it has something to find");
            assertEquals(expected, byScan(log, patterns, seed, 1 + seed), "seed " + seed);
        }
    }

    @Test
    void the_lines_around_a_found_one_come_too_and_no_others() throws Exception {
        StringBuilder log = new StringBuilder();
        for (int i = 1; i <= 300_000; i++) log.append(i == 150_000 ? "Killed process 9 (x)\n" : "calm " + i + "\n");
        List<Long> numbers = new ArrayList<>();
        ReadSummary summary;
        try (LogScan scan = new LogScan(PatternSet.of(PATTERNS), 2, 3)) {
            summary = scan.over(
                    LogSource.text("x", log.toString()), Reading.OPTIONS, (line, _) -> numbers.add(line.number()));
        }
        assertEquals(List.of(149_998L, 149_999L, 150_000L, 150_001L, 150_002L, 150_003L), numbers);
        assertEquals(300_000, summary.lines());
        assertEquals(log.length(), summary.bytes());
    }

    @Test
    void a_pattern_that_requires_nothing_is_slow_and_still_found() throws Exception {
        PatternSet patterns = PatternSet.of(List.of(Pattern.compile("a[bc]d"), Pattern.compile("(?x) k i l l e d")));
        assertEquals(2, patterns.slow().size());
        String log = "abd\n" + "calm\n".repeat(300_000) + "xacd killed\n";
        assertEquals(byEveryLine(LogSource.text("x", log), patterns), byScan(LogSource.text("x", log), patterns, 0, 1));
    }
}
