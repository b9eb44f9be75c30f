// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.rules.ExampleHosts;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TerminalReportTest {
    private static String report(Diagnosis diagnosis) {
        return TerminalReport.of(diagnosis, false, 80, false);
    }

    @Test
    void a_calm_host_gets_two_lines_of_eighty_columns_and_its_server_another_two() {
        assertEquals("""
                healthy: llama-server (pid 812) lacks neither memory nor disk
                50.0 GiB RAM available, no GPU, disk wait 0 %; 34 ruled out (-v)
                server: llama.cpp (pid 812), qwen3-8b-q4_k_m.gguf; host: 4.6 GiB of the model
                        cached, 300.0 MiB anonymous
                """, report(new CalmHost().diagnosis()));
    }

    @Test
    void a_host_without_a_server_gets_two_lines() {
        assertEquals("""
                healthy: no LLM server found; the host itself is fine
                50.0 GiB RAM available, no GPU, disk wait 0 %; 33 ruled out (-v)
                """, report(new CalmHost().withoutAtAnyInstant("proc/812/").diagnosis()));
    }

    private static CalmHost withDeadUnit() {
        return new CalmHost()
                .with(
                        "recorded/service-ends",
                        "unit\tvllm.service\tcode=killed status=9 restarts=4 at=2026-03-01T09:56:03Z\n"
                                + "container\told\tid=3f runtime=docker exit=1 oom=false running=false restarts=0 at=2026-03-01T02:00:00Z\n");
    }

    @Test
    void a_unit_that_died_lately_is_listed_on_a_calm_host_and_leads_on() {
        Diagnosis diagnosis = withDeadUnit().diagnosis();
        assertEquals("""
                healthy: llama-server (pid 812) lacks neither memory nor disk
                50.0 GiB RAM available, no GPU, disk wait 0 %; 34 ruled out (-v)
                server: llama.cpp (pid 812), qwen3-8b-q4_k_m.gguf; host: 4.6 GiB of the model
                        cached, 300.0 MiB anonymous
                died: unit vllm.service: SIGKILL 4 min ago, started again 4 times; ullage
                      explain --unit vllm.service
                """, report(diagnosis));
        assertTrue(MarkdownReport.of(diagnosis, "1").contains("SIGKILL 4 min ago"));
        assertTrue(HtmlReport.of(diagnosis, "1").contains("SIGKILL 4 min ago"));
    }

    @Test
    void a_unit_whose_process_the_kernel_killed_leads_to_the_kill() {
        String report = report(withDeadUnit().with("recorded/kmsg", """
                        6,1,86163000000,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/system.slice/vllm.service,task_memcg=/system.slice/vllm.service,task=vllm,pid=700,uid=0
                        3,2,86163000100,-;Memory cgroup out of memory: Killed process 700 (vllm) total-vm:100kB, anon-rss:90kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:1kB oom_score_adj:0
                        """).diagnosis());
        assertTrue(report.startsWith("critical[killed-by-cgroup-oom]"), report);
        assertTrue(report.contains("died: unit vllm.service: SIGKILL 4 min ago"), report);
        assertTrue(report.contains("OOM killer ended it"), report.replaceAll("\\s+", " "));
    }

    @TestFactory
    Stream<DynamicTest> the_report_of_every_example_host_fits_a_small_terminal() throws IOException {
        return ExampleHosts.examples().stream()
                .map(example -> dynamicTest(example.toString(), () -> fits(CalmHost.diagnosisOf(example.files()))));
    }

    private static void fits(Diagnosis diagnosis) {
        Set<String> commands = diagnosis.findings().stream()
                .flatMap(f -> f.remedies().stream())
                .map(Remedy::command)
                .collect(Collectors.toSet());
        String report = report(diagnosis);
        assertTrue(report.lines().count() <= 24, report);
        assertFalse(report.contains("\u001b"), report);
        for (String line : report.lines().toList()) {
            String text = line.strip();
            // What must be copied whole, and one word that is longer than the terminal is wide, stay as they are.
            boolean isWhole = commands.contains(text) || !text.contains(" ");
            assertTrue(line.length() <= 80 || isWhole, line);
            assertFalse(text.endsWith("."), line);
        }
    }

    @TestFactory
    Stream<DynamicTest> the_verdict_comes_first_with_its_number_and_its_cure() throws IOException {
        return ExampleHosts.examples().stream()
                .filter(ExampleHosts.Example::fires)
                .map(example -> dynamicTest(example.toString(), () -> leads(CalmHost.diagnosisOf(example.files()))));
    }

    private static void leads(Diagnosis diagnosis) {
        List<Finding> alarms =
                diagnosis.ranked().causes().stream().filter(Finding::isAlarm).toList();
        if (alarms.isEmpty()) return;
        Finding first = alarms.getFirst();
        List<String> lines = report(diagnosis).lines().toList();
        assertTrue(
                lines.getFirst()
                        .startsWith(first.severity().word() + "[" + first.rule().name() + "]: "),
                lines.getFirst());
        String report = String.join(" ", lines).replaceAll(" +", " ");
        assertTrue(report.contains(first.headline()), report);
        assertTrue(report.contains(" so: " + first.so()), report);
        assertTrue(report.contains(" try: " + first.remedies().getFirst().action()), report);
        assertTrue(report.contains("ullage rules show " + first.rule().name()), report);
    }

    @Test
    void with_v_everything_is_there() {
        Diagnosis diagnosis = new CalmHost()
                .with("recorded/statfs", "/\ttype=0xef53 bsize=4096 blocks=1000 bfree=0 bavail=0 files=1 ffree=1\n")
                .without("proc/pressure/")
                .diagnosis();
        String report = TerminalReport.of(diagnosis, false, 200, true);
        for (Diagnosis.RuledOut ruledOut : diagnosis.ruledOut())
            assertTrue(report.contains("ruled out: " + ruledOut.rule().name() + ": "), report);
        for (Diagnosis.CouldNotSee unseen : diagnosis.couldNotSee())
            assertTrue(report.contains("could not see: " + unseen.what()), report);
        for (Finding finding : diagnosis.findings())
            for (Remedy remedy : finding.remedies()) {
                assertTrue(report.contains("verify: " + remedy.verify()), report);
                assertTrue(report.contains(remedy.action()), report);
            }
    }

    @Test
    void colours_are_there_only_when_wanted() {
        Diagnosis diagnosis = new CalmHost().diagnosis();
        assertFalse(TerminalReport.of(diagnosis, false, 80, true).contains("\u001b"));
        assertTrue(TerminalReport.of(diagnosis, true, 80, false).contains("\u001b[1;32mhealthy"));
    }

    @Test
    void what_a_process_calls_itself_cannot_paint_or_forge_the_report() {
        Diagnosis diagnosis = new CalmHost()
                .with(
                        "proc/812/cmdline",
                        "/opt/llama-\u001b[2J\u001b[32mx\nhealthy:\0-m\0/models/qwen3-8b-q4_k_m.gguf\0")
                .diagnosis();
        String report = report(diagnosis);
        assertFalse(report.contains("\u001b"), report);
        assertEquals(
                1, report.lines().filter(line -> line.startsWith("healthy:")).count(), report);
    }

    @Test
    void a_very_narrow_terminal_does_no_harm() {
        for (int width : new int[] {0, 1, 20, 40})
            assertFalse(TerminalReport.of(new CalmHost().diagnosis(), true, width, true)
                    .isBlank());
    }
}
