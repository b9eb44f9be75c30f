// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.rules.ExampleHosts;
import dev.ullage.diagnosis.rules.Rules;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The schema `ullage-report/1`, field by field: other programs rely on names, order and words.
class JsonReportTest {
    private static final Set<String> STATES = Set.of("critical", "warning", "healthy", "unknown");
    private static final List<String> LAYERS = List.of("host-memory", "gpu-memory", "storage");
    private static final Set<String> UNITS = Set.of("bytes", "bytes/s", "1/s", "s", "ratio", "count", "text");
    private static final Set<String> ABSENCES = Set.of(
            "no-permission",
            "not-on-this-kernel",
            "not-present",
            "not-configured",
            "not-recorded",
            "vanished",
            "malformed",
            "timed-out");

    private static Map<String, Object> report(Map<String, String> host) {
        return Json.read(JsonReport.of(CalmHost.diagnosisOf(host)));
    }

    private static void hasFields(Object object, String... names) {
        assertEquals(List.of(names), new ArrayList<>(Json.object(object).keySet()));
    }

    private static void isOneOf(Set<String> words, Object word) {
        assertTrue(words.contains(word), () -> word + " is none of " + words);
    }

    @TestFactory
    Stream<DynamicTest> the_report_of_every_example_host_has_the_fields_of_the_schema_in_order() throws IOException {
        return ExampleHosts.examples().stream()
                .map(example -> dynamicTest(example.toString(), () -> follows(report(example.files()))));
    }

    /// Design §5, from top to bottom.
    private static void follows(Map<String, Object> report) {
        hasFields(
                report,
                "schema",
                "subject",
                "verdict",
                "layers",
                "servers",
                "findings",
                "ruledOut",
                "couldNotSee",
                "died");
        assertEquals("ullage-report/1", report.get("schema"));
        hasFields(report.get("subject"), "kind", "name", "from", "to");
        hasFields(report.get("verdict"), "status", "layer", "cause", "confidence", "headline", "also", "explains");
        Map<String, Object> verdict = Json.object(report.get("verdict"));
        isOneOf(STATES, verdict.get("status"));
        isOneOf(Set.of("host-memory", "gpu-memory", "storage", "other", "none"), verdict.get("layer"));
        isCause(verdict.get("cause"), "unknown", "none");
        isShare(verdict.get("confidence"));
        for (Object also : Json.list(verdict.get("also"))) isCause(also);
        assertFalse(Json.list(verdict.get("also")).contains(verdict.get("cause")), "a cause beside itself");
        assertEquals(
                LAYERS,
                Json.objects(report.get("layers")).stream()
                        .map(l -> l.get("layer"))
                        .toList());
        for (Map<String, Object> layer : Json.objects(report.get("layers"))) {
            hasFields(layer, "layer", "status", "because");
            isOneOf(Set.of("critical", "warning", "healthy", "unknown", "absent"), layer.get("status"));
        }
        Json.objects(report.get("servers")).forEach(JsonReportTest::isServer);
        Json.objects(report.get("findings")).forEach(JsonReportTest::isFinding);
        for (Map<String, Object> ruledOut : Json.objects(report.get("ruledOut"))) {
            hasFields(ruledOut, "rule", "cause", "because");
            isCause(ruledOut.get("cause"));
            assertFalse(ruledOut.get("because").toString().isBlank());
        }
        for (Map<String, Object> unseen : Json.objects(report.get("couldNotSee"))) {
            hasFields(unseen, "what", "source", "cause", "wouldHelp");
            isOneOf(ABSENCES, unseen.get("cause"));
        }
        isConsistent(report, verdict);
    }

    private static void isServer(Map<String, Object> server) {
        // "files" came later: all of them, where "model" is the largest; and "tells", what is no symptom.
        List<String> fields = new ArrayList<>(
                List.of("engine", "version", "pid", "model", "gpus", "memory", "symptoms", "tells", "files"));
        // Only of what runs as a unit or in a container.
        if (server.containsKey("runsAs")) fields.add(3, "runsAs");
        hasFields(server, fields.toArray(String[]::new));
        for (Map<String, Object> memory : Json.objects(server.get("memory"))) {
            hasFields(memory, "where", "what", "bytes");
            assertTrue((double) memory.get("bytes") >= 0, memory::toString);
        }
    }

    private static void isFinding(Map<String, Object> finding) {
        hasFields(
                finding,
                "rule",
                "cause",
                "layer",
                "severity",
                "confidence",
                "headline",
                "saw",
                "so",
                "accountsFor",
                "explains",
                "subject",
                "remedies");
        isCause(finding.get("cause"));
        isOneOf(Set.of("host-memory", "gpu-memory", "storage", "other"), finding.get("layer"));
        isOneOf(Set.of("critical", "warning", "advice"), finding.get("severity"));
        isShare(finding.get("confidence"));
        for (Map<String, Object> saw : Json.objects(finding.get("saw"))) {
            hasFields(saw, "what", "value", "unit", "text", "source");
            isOneOf(UNITS, saw.get("unit"));
            assertTrue(Double.isFinite((double) saw.get("value")), saw::toString);
        }
        List<String> subject =
                new ArrayList<>(Json.object(finding.get("subject")).keySet());
        List<String> inOrder = new ArrayList<>(List.of("pid", "command", "cgroup", "gpu", "device", "path"));
        inOrder.retainAll(subject);
        assertEquals(inOrder, subject);
        for (Map<String, Object> remedy : Json.objects(finding.get("remedies"))) {
            hasFields(remedy, "when", "action", "command", "cost", "risk", "verify", "undo");
            isOneOf(Set.of("now", "medium", "long"), remedy.get("when"));
            isOneOf(Set.of("none", "reload", "restart", "reboot"), remedy.get("cost"));
            isOneOf(Set.of("none", "slower", "results-change", "data-loss"), remedy.get("risk"));
        }
    }

    private static void isCause(Object word, String... more) {
        assertTrue(
                List.of(more).contains(word)
                        || Stream.of(Cause.values()).anyMatch(c -> c.word().equals(word)),
                () -> word + " is not in the catalogue");
    }

    private static void isShare(Object number) {
        assertTrue((double) number >= 0 && (double) number <= 1, number::toString);
    }

    /// The parts of one report do not contradict each other.
    private static void isConsistent(Map<String, Object> report, Map<String, Object> verdict) {
        Set<Object> layers = Set.copyOf(Json.objects(report.get("layers")).stream()
                .map(l -> l.get("status"))
                .toList());
        boolean alarm = Json.objects(report.get("findings")).stream()
                .anyMatch(f -> !f.get("severity").equals("advice"));
        if (verdict.get("status").equals("healthy")) {
            assertFalse(alarm, "healthy with an alarm");
            assertFalse(layers.contains("unknown"), "healthy with a layer that nobody saw");
        }
        if (alarm)
            assertTrue(
                    Set.of("critical", "warning").contains(verdict.get("status")),
                    "an alarm, and the host is " + verdict.get("status"));
        Set<Object> found = new HashSet<>(Json.objects(report.get("findings")).stream()
                .filter(f -> !f.get("severity").equals("advice"))
                .map(f -> f.get("cause"))
                .toList());
        found.add(verdict.get("cause"));
        for (Map<String, Object> ruledOut : Json.objects(report.get("ruledOut")))
            assertFalse(found.contains(ruledOut.get("cause")), "found and ruled out: " + ruledOut);
    }

    @Test
    void a_healthy_host_in_its_own_words() {
        Map<String, Object> report = report(new CalmHost().files());
        Map<String, Object> subject = Json.object(report.get("subject"));
        assertEquals("capture", subject.get("kind"));
        assertEquals(Instant.parse("2026-03-01T10:00:00Z"), Instant.parse((String) subject.get("from")));
        assertEquals(Instant.parse("2026-03-01T10:00:03Z"), Instant.parse((String) subject.get("to")));
        Map<String, Object> verdict = Json.object(report.get("verdict"));
        assertEquals("healthy", verdict.get("status"));
        assertEquals("none", verdict.get("layer"));
        assertEquals("none", verdict.get("cause"));
        Map<String, Object> server = Json.objects(report.get("servers")).getFirst();
        assertEquals("llama.cpp", server.get("engine"));
        assertEquals(812.0, server.get("pid"));
        assertEquals("/models/qwen3-8b-q4_k_m.gguf", server.get("model"));
        assertEquals(List.of(), report.get("findings"));
        assertEquals(Rules.ALL.size(), Json.list(report.get("ruledOut")).size());
        assertEquals(List.of(), report.get("couldNotSee"));
    }

    @Test
    void a_host_without_a_server_has_an_empty_list_of_servers() {
        assertEquals(
                List.of(),
                report(new CalmHost().withoutAtAnyInstant("proc/812/").files()).get("servers"));
    }

    @Test
    void a_sick_host_says_what_where_and_how_to_undo() {
        Map<String, Object> report = report(new CalmHost()
                .with("recorded/statfs", "/\ttype=0xef53 bsize=4096 blocks=1000 bfree=0 bavail=0 files=1 ffree=1\n")
                .files());
        Map<String, Object> verdict = Json.object(report.get("verdict"));
        assertEquals(
                List.of("critical", "storage", "disk-full"),
                List.of(verdict.get("status"), verdict.get("layer"), verdict.get("cause")));
        Map<String, Object> finding = Json.objects(report.get("findings")).getFirst();
        assertEquals("disk-full", finding.get("rule"));
        assertEquals(Map.of("device", "/dev/nvme0n1p1", "path", "/"), Json.object(finding.get("subject")));
        Map<String, Object> remedy = Json.objects(finding.get("remedies")).getFirst();
        assertEquals(
                Map.of(
                        "when", "now",
                        "action", "see what is large on it, and delete or move what is not needed",
                        "command", "du -xh --max-depth=2 / | sort -h | tail -20",
                        "cost", "none",
                        "risk", "data-loss",
                        "verify", "df -h /",
                        "undo", "move it back"),
                remedy);
    }
}
