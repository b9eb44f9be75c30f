// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Differential.Symptom;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.rules.ExampleHosts;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class MarkdownReportTest {
    private static String report(Diagnosis diagnosis) {
        return MarkdownReport.of(diagnosis, "1.2.3");
    }

    @Test
    void a_calm_host_begins_with_its_verdict_and_numbers() {
        List<String> lines = report(new CalmHost().diagnosis()).lines().toList();
        assertEquals("**healthy:** llama-server (pid 812) lacks neither memory nor disk", lines.getFirst());
        assertEquals("50.0 GiB RAM available, no GPU, disk wait 0 %", lines.get(2));
        assertEquals("<sub>ullage 1.2.3 on test, 2026-03-01 10:00:00 to 10:00:03 UTC (3.0 s)</sub>", lines.getLast());
    }

    @TestFactory
    Stream<DynamicTest> everything_of_every_example_host_is_in_it() throws IOException {
        return ExampleHosts.examples().stream()
                .map(example -> dynamicTest(example.toString(), () -> isWhole(CalmHost.diagnosisOf(example.files()))));
    }

    private static void isWhole(Diagnosis diagnosis) {
        String report = report(diagnosis);
        for (Finding finding : diagnosis.ranked().causes()) {
            assertTrue(
                    report.contains("### " + finding.severity().word() + ": "
                            + finding.rule().name()),
                    report);
            for (Saw saw : finding.saw())
                assertTrue(report.contains("| " + MarkdownText.cell(saw.what()) + " | "), report);
            for (Remedy remedy : finding.remedies())
                assertTrue(
                        report.contains("```sh\n" + remedy.command() + "\n```")
                                || remedy.command().isEmpty(),
                        report);
        }
        for (Symptom symptom : diagnosis.ranked().symptoms()) {
            int cause = report.indexOf(": " + symptom.cause().rule().name() + "\n");
            assertTrue(report.indexOf("- " + symptom.finding().rule().name() + ": ") > cause, report);
        }
        for (Diagnosis.RuledOut ruledOut : diagnosis.ruledOut())
            assertTrue(report.contains("| " + ruledOut.rule().name() + " | "), report);
        assertEquals(count(report, "<details>"), count(report, "</details>"));
        // A table must not be cut by a row of another width.
        int columns = 0;
        for (String line : report.lines().toList()) {
            if (!line.startsWith("| ")) {
                columns = 0;
                continue;
            }
            int here = count(line.replace("\\|", ""), "|");
            assertTrue(columns == 0 || columns == here, line);
            columns = here;
        }
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void names_of_the_host_mention_nobody_and_make_no_markup() {
        Diagnosis diagnosis = new CalmHost()
                .with(
                        "proc/812/cmdline",
                        "/opt/llama-server\n</details>\n# @everyone<script>`|\0-m\0/models/qwen3-8b-q4_k_m.gguf\0")
                .diagnosis();
        String report = report(diagnosis);
        assertFalse(report.lines().anyMatch(l -> l.startsWith("# ")), report);
        // Outside of code there is neither a mention nor a tag but ours.
        String outside = report.replaceAll("(`+)[^`].*?(?<!`)\\1(?!`)", "");
        assertFalse(outside.contains("@"), outside);
        assertEquals("", outside.replaceAll("</?(details|summary|sub)>", "").replaceAll("[^<>]", ""));
    }

    @Test
    void a_host_that_was_looked_at_once_says_so() {
        assertTrue(report(new CalmHost().atOneInstant().diagnosis()).contains("UTC, one instant</sub>"));
    }
}
