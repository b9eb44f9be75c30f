// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.report.HtmlReport;
import dev.ullage.diagnosis.report.Json;
import dev.ullage.diagnosis.report.JsonReport;
import dev.ullage.diagnosis.report.MarkdownReport;
import dev.ullage.diagnosis.report.TerminalReport;
import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.rules.ExampleHosts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Whatever a host says, no rule throws, and no rate is negative. Seeds are fixed: a failure can be had again.
class HostileHostTest {
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final String[] ODD_NUMBERS = {
        "0",
        "1",
        "-1",
        "9223372036854775807",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999999",
        "4096"
    };
    private static final int ROUNDS = 1;

    /// Diagnoses every example host with some of its files spoiled.
    private static void spoil(long seed, BiFunction<Random, String, String> file) throws IOException {
        Random random = new Random(seed);
        List<Map<String, String>> hosts = ExampleHosts.all();
        for (Map<String, String> host : hosts) {
            for (int round = 0; round < ROUNDS; round++) {
                Map<String, String> spoiled = new TreeMap<>();
                host.forEach((path, text) -> {
                    String changed = random.nextInt(6) == 0 ? file.apply(random, text) : text;
                    if (changed != null) spoiled.put(path, changed);
                });
                assertDoesNotThrow(() -> mustBeSane(CalmHost.diagnosisOf(spoiled)), () -> differences(host, spoiled));
            }
        }
    }

    private static void mustBeSane(Diagnosis diagnosis) {
        // Json.read refuses NaN and Infinity.
        Map<String, Object> json = Json.read(JsonReport.of(diagnosis));
        for (Map<String, Object> finding : Json.objects(json.get("findings"))) {
            double confidence = (double) finding.get("confidence");
            assertTrue(confidence >= 0 && confidence <= 1, finding::toString);
            for (Map<String, Object> saw : Json.objects(finding.get("saw"))) {
                double value = (double) saw.get("value");
                assertTrue(Double.isFinite(value), saw::toString);
                // A growth in bytes may be negative; a rate, a share, a count and a time may not.
                assertTrue(value >= 0 || saw.get("unit").equals("bytes"), saw::toString);
            }
        }
        boolean alarm = diagnosis.findings().stream().anyMatch(Finding::isAlarm);
        assertFalse(alarm && diagnosis.status() == Status.HEALTHY, "healthy with an alarm");
        for (boolean everything : new boolean[] {false, true}) {
            String report = TerminalReport.of(diagnosis, false, 80, everything);
            assertFalse(report.contains("NaN") || report.contains("Infinity"), report);
        }
        String page = HtmlReport.of(diagnosis, "");
        page = page.substring(page.indexOf("<body>"), page.lastIndexOf("<script>"));
        assertFalse(page.contains("NaN") || page.contains("Infinity"), page);
        assertFalse(MarkdownReport.of(diagnosis, "").contains("NaN"));
    }

    private static String differences(Map<String, String> host, Map<String, String> spoiled) {
        StringBuilder text = new StringBuilder();
        host.forEach((path, was) -> {
            String is = spoiled.get(path);
            if (!was.equals(is)) text.append("── ").append(path).append('\n').append(is == null ? "(gone)\n" : is);
        });
        return text.toString();
    }

    @Test
    void files_removed() throws IOException {
        spoil(1, (random, text) -> null);
    }

    @Test
    void files_emptied() throws IOException {
        spoil(2, (random, text) -> "");
    }

    @Test
    void files_cut_short() throws IOException {
        spoil(3, (random, text) -> text.substring(0, random.nextInt(text.length() + 1)));
    }

    @Test
    void numbers_replaced_by_odd_ones() throws IOException {
        spoil(4, (random, text) -> NUMBER.matcher(text)
                .replaceAll(m -> random.nextInt(3) == 0 ? ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)] : m.group()));
    }

    @Test
    void binary_junk() throws IOException {
        spoil(5, (random, text) -> {
            StringBuilder junk = new StringBuilder();
            for (int i = 0; i < 200; i++) junk.append((char) random.nextInt(256));
            return junk.toString();
        });
    }

    @Test
    void lines_shuffled_and_doubled() throws IOException {
        spoil(6, (random, text) -> {
            List<String> lines = new ArrayList<>(text.lines().toList());
            lines.addAll(text.lines().limit(3).toList());
            Collections.shuffle(lines, random);
            return String.join("\n", lines);
        });
    }

    @Test
    void counters_that_go_backwards_and_clocks_that_step() throws IOException {
        for (Map<String, String> host : ExampleHosts.all()) {
            Map<String, String> reversed = new TreeMap<>();
            host.forEach((path, text) -> reversed.put(
                    path.startsWith("at-0.000/")
                            ? path.replace("at-0.000/", "at-3.000/")
                            : path.replace("at-3.000/", "at-0.000/"),
                    text));
            assertDoesNotThrow(() -> mustBeSane(CalmHost.diagnosisOf(reversed)));
        }
    }

    @Test
    void each_file_of_the_calm_host_gone_on_its_own() {
        for (String path : new CalmHost().files().keySet()) {
            Diagnosis diagnosis = new CalmHost().without(path).diagnosis();
            assertDoesNotThrow(() -> mustBeSane(diagnosis), path);
            assertTrue(
                    diagnosis.findings().stream().noneMatch(Finding::isAlarm),
                    () -> "an alarm for want of " + path + ": " + diagnosis.headline());
        }
    }

    @Test
    void each_file_of_the_calm_host_not_allowed_on_its_own() {
        for (String path : new CalmHost().files().keySet()) {
            if (path.startsWith("at-") || path.startsWith("recorded/")) continue;
            Diagnosis diagnosis = new CalmHost()
                    .without(path)
                    .with("recorded/absent", "/" + path + "\tno-permission\tit said EACCES\n")
                    .diagnosis();
            assertDoesNotThrow(() -> mustBeSane(diagnosis), path);
            assertTrue(
                    diagnosis.findings().stream().noneMatch(Finding::isAlarm),
                    () -> "an alarm for want of " + path + ": " + diagnosis.headline());
        }
    }
}
