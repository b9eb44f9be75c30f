// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.rules.ExampleHosts;
import dev.ullage.diagnosis.rules.Rules;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class DiagnosticianTest {
    @Test
    void a_calm_host_is_healthy_and_says_its_numbers() {
        Diagnosis diagnosis = new CalmHost().diagnosis();
        assertEquals(Status.HEALTHY, diagnosis.status());
        assertEquals("none", diagnosis.causeWord());
        assertEquals(
                "llama-server (pid 812) lacks neither memory nor disk; 50.0 GiB RAM available, no GPU, disk wait 0 %",
                diagnosis.fullHeadline());
    }

    @Test
    void a_host_without_a_server_is_healthy_and_says_so() {
        Diagnosis diagnosis = new CalmHost().withoutAtAnyInstant("proc/812/").diagnosis();
        assertEquals(Status.HEALTHY, diagnosis.status());
        assertEquals("no LLM server found; the host itself is fine", diagnosis.headline());
        assertTrue(diagnosis.evidence().servers().isEmpty());
    }

    @Test
    void a_layer_that_was_not_seen_is_unknown_never_healthy() {
        Diagnosis diagnosis = new CalmHost().without("proc/diskstats").diagnosis();
        assertEquals(Status.UNKNOWN, diagnosis.status());
        assertEquals("unknown", diagnosis.causeWord());
        assertEquals("storage could not be seen: /proc/diskstats: not-recorded", diagnosis.headline());
    }

    @Test
    void what_else_is_missing_is_said_and_changes_no_status() {
        Diagnosis diagnosis = new CalmHost().without("proc/pressure/").diagnosis();
        assertEquals(Status.HEALTHY, diagnosis.status());
        assertTrue(
                diagnosis.couldNotSee().stream()
                        .anyMatch(c -> c.source().equals("/proc/pressure/memory")
                                && c.cause().equals("not-recorded")),
                () -> diagnosis.couldNotSee().toString());
    }

    @Test
    void a_server_that_waits_for_no_known_cause_is_unknown_not_healthy() {
        Diagnosis diagnosis = new CalmHost()
                .with("recorded/thread-states", "812\tpolls=58 waiting=50 running=4 sleeping=4\n")
                .diagnosis();
        assertEquals(Status.UNKNOWN, diagnosis.status());
        assertTrue(
                diagnosis.headline().startsWith("none of these: llama-server (pid 812) waits 86 %"),
                diagnosis.headline());
    }

    @Test
    void a_gpu_that_nobody_looked_at_is_never_healthy() {
        Diagnosis diagnosis = new CalmHost()
                .with("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: NVIDIA H100\n")
                .diagnosis();
        assertEquals(Status.UNKNOWN, diagnosis.status());
        assertEquals(
                "GPU memory could not be seen: 1 NVIDIA GPU, libnvidia-ml.so.1: not-recorded", diagnosis.headline());
    }

    @Test
    void an_empty_folder_is_unknown() {
        assertEquals(Status.UNKNOWN, CalmHost.diagnosisOf(Map.of()).status());
    }

    @Test
    void a_host_on_which_no_mount_answered_is_unknown() {
        Diagnosis diagnosis = new CalmHost()
                .without("recorded/statfs")
                .with(
                        "recorded/absent",
                        "/recorded/statfs\ttimed-out\tit did not answer before the deadline\n"
                                + "/recorded/statfs:/\ttimed-out\tit did not answer before the deadline\n")
                .diagnosis();
        assertEquals(Status.UNKNOWN, diagnosis.status());
        assertEquals("storage could not be seen: statfs /: timed-out", diagnosis.headline());
    }

    @Test
    void a_cause_that_was_found_is_not_ruled_out_too() {
        Diagnosis diagnosis = new CalmHost()
                .with("recorded/statfs", "/\ttype=0xef53 bsize=4096 blocks=1000 bfree=0 bavail=0 files=1 ffree=1\n")
                .diagnosis();
        assertEquals("disk-full", diagnosis.causeWord());
        assertTrue(diagnosis.ruledOut().stream().noneMatch(r -> r.rule().cause() == Cause.DISK_FULL));
    }

    /// Where the facts that rules need come from on a recorded host.
    private static final Map<String, String> FILES_OF_A_NEED = Map.ofEntries(
            entry("/proc/meminfo", "proc/meminfo"),
            entry("/proc/vmstat", "proc/vmstat"),
            entry("/proc/vmstat nr_foll_pin_acquired", "proc/vmstat"),
            entry("/proc/swaps", "proc/swaps"),
            entry("/proc/stat", "proc/stat"),
            entry("/proc/diskstats", "proc/diskstats"),
            entry("/proc/self/mountinfo", "proc/self/mountinfo"),
            entry("/proc/buddyinfo", "proc/buddyinfo"),
            entry("/proc/sys", "proc/sys/"),
            entry("/sys/block", "sys/block/"),
            entry("/sys/kernel/mm/hugepages", "sys/kernel/mm/hugepages/"),
            entry("/sys/kernel/mm/transparent_hugepage/enabled", "sys/kernel/mm/transparent_hugepage/enabled"),
            entry("/sys/devices/system/node", "sys/devices/system/node/"),
            entry("libnvidia-ml.so.1, nvidia-smi, /sys/class/drm", "recorded/nvml"),
            entry("/dev/kmsg", "recorded/kmsg"));

    @TestFactory
    Stream<DynamicTest> a_rule_whose_need_is_absent_cannot_tell_and_is_never_clear() {
        return Rules.ALL.stream().flatMap(rule -> rule.needs().stream()
                .map(need -> dynamicTest(rule.name() + " without " + need.source(), () -> {
                    String file = FILES_OF_A_NEED.get(need.source());
                    assertNotNull(file, "the test does not know where this need comes from");
                    CalmHost whole = file.equals("recorded/nvml") ? CalmHost.named("vllm") : new CalmHost();
                    CalmHost host = whole.withoutAtAnyInstant(file);
                    assertInstanceOf(Verdict.CannotTell.class, Diagnostician.ask(rule, host.evidence()));
                    assertTrue(host.diagnosis().ruledOut().stream().noneMatch(r -> r.rule() == rule));
                })));
    }

    @TestFactory
    Stream<DynamicTest> a_rule_that_needs_rates_cannot_tell_from_one_instant() {
        CalmHost host = new CalmHost().atOneInstant();
        return Rules.ALL.stream()
                .map(rule -> dynamicTest(rule.name(), () -> {
                    Verdict verdict = Diagnostician.ask(rule, host.evidence());
                    assertEquals(rule.needsWindow(), verdict instanceof Verdict.CannotTell, verdict::toString);
                }));
    }

    @TestFactory
    Stream<DynamicTest> a_host_is_healthy_only_when_the_deciding_facts_of_each_layer_were_seen() {
        return Stream.of("proc/meminfo", "proc/vmstat", "proc/diskstats", "proc/self/mountinfo")
                .map(file -> dynamicTest("without " + file, () -> {
                    Diagnosis diagnosis =
                            new CalmHost().withoutAtAnyInstant(file).diagnosis();
                    assertEquals(Status.UNKNOWN, diagnosis.status());
                    assertTrue(diagnosis.headline().endsWith("/" + file + ": not-recorded"), diagnosis.headline());
                    assertTrue(diagnosis.couldNotSee().stream()
                            .anyMatch(c -> c.source().equals("/" + file)));
                }));
    }

    @TestFactory
    Stream<DynamicTest> a_host_is_healthy_only_when_the_limits_above_its_servers_were_seen() {
        return Stream.of("proc/812/cgroup", "sys/fs/cgroup/system.slice/llama.service/memory")
                .map(file -> dynamicTest("without " + file, () -> {
                    Diagnosis diagnosis = new CalmHost().without(file).diagnosis();
                    assertEquals(Status.UNKNOWN, diagnosis.status());
                    assertTrue(
                            diagnosis.headline().startsWith("host memory could not be seen: "), diagnosis.headline());
                }));
    }

    @Test
    void a_host_without_cgroups_has_no_limits_to_see() {
        Diagnosis diagnosis = new CalmHost()
                .with("proc/self/mountinfo", "25 1 259:1 / / rw,relatime - ext4 /dev/nvme0n1p1 rw\n")
                .without("proc/812/cgroup")
                .without("sys/fs/cgroup")
                .diagnosis();
        assertEquals(Status.HEALTHY, diagnosis.status());
    }

    @Test
    void a_host_of_cgroup_v1_is_as_healthy_as_one_of_v2() {
        Diagnosis diagnosis = CalmHost.named("calm-v1").diagnosis();
        assertEquals(Status.HEALTHY, diagnosis.status());
        assertEquals("none", diagnosis.causeWord());
    }

    @Test
    void advice_that_does_not_explain_a_wait_does_not_make_it_healthy() {
        CalmHost host =
                new CalmHost().with("recorded/thread-states", "812\tpolls=58 waiting=50 running=4 sleeping=4\n");
        // A kill of two hours ago, in the cgroup of the server that waits now.
        host.with("recorded/kmsg", """
                6,902,79200000000,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/system.slice/llama.service,task_memcg=/system.slice/llama.service,task=llama-server,pid=700,uid=0
                3,903,79200000200,-;Memory cgroup out of memory: Killed process 700 (llama-server) total-vm:7000000kB, anon-rss:4100000kB, file-rss:100kB, shmem-rss:0kB, UID:0 pgtables:12000kB oom_score_adj:0
                """);
        Diagnosis diagnosis = host.diagnosis();
        assertEquals(
                List.of("killed-by-cgroup-oom"),
                diagnosis.findings().stream().map(f -> f.rule().name()).toList());
        assertEquals(Status.UNKNOWN, diagnosis.status());
        assertTrue(diagnosis.headline().startsWith("none of these: "), diagnosis.headline());
    }

    @Test
    void two_independent_causes_are_both_said() {
        Diagnosis diagnosis = new CalmHost()
                .with("recorded/statfs", "/\ttype=0xef53 bsize=4096 blocks=1000 bfree=0 bavail=0 files=1 ffree=1\n")
                .with("recorded/kmsg", """
                6,901,86283000100,-;oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/system.slice/llama.service,task=llama-server,pid=700,uid=1000
                3,902,86283000200,-;Out of memory: Killed process 700 (llama-server) total-vm:70000000kB, anon-rss:61000000kB, file-rss:100kB, shmem-rss:0kB, UID:1000 pgtables:120000kB oom_score_adj:0
                """)
                .diagnosis();
        assertEquals(Status.CRITICAL, diagnosis.status());
        assertEquals("host-ram", diagnosis.causeWord());
        assertEquals(List.of(Cause.DISK_FULL), diagnosis.also());
    }

    /// The worst a host can be: no RAM left, the limit used up, the model read in a circle. Each accounts for another.
    @Test
    void a_host_with_every_memory_trouble_at_once_has_a_verdict() {
        Diagnosis diagnosis = new CalmHost()
                .with("proc/meminfo", "MemTotal: 65536000 kB\nMemAvailable: 900000 kB\n")
                .with("at-3.000/proc/812/io", "rchar: 1000000\nread_bytes: 7928307200\nwrite_bytes: 0\n")
                .with("sys/fs/cgroup/system.slice/llama.service/memory.max", "62000000000\n")
                .with("sys/fs/cgroup/system.slice/llama.service/memory.current", "61900000000\n")
                .with(
                        "sys/fs/cgroup/system.slice/llama.service/memory.stat",
                        "anon 60500000000\ninactive_file 500000000\nactive_file 500000000\n")
                .with(
                        "at-3.000/sys/fs/cgroup/system.slice/llama.service/memory.stat",
                        "anon 60500000000\ninactive_file 500000000\nactive_file 500000000\nworkingset_refault_file 700000\n")
                .with(
                        "recorded/cachestat",
                        "/models/qwen3-8b-q4_k_m.gguf\tcached=200000 dirty=0 writeback=0 evicted=1000 recently_evicted=0 by=cachestat\n")
                .with("recorded/thread-states", "812\tpolls=58 waiting=40 running=10 sleeping=8\n")
                .diagnosis();
        long alarms = diagnosis.findings().stream().filter(Finding::isAlarm).count();
        assertEquals(3, alarms, () -> diagnosis.findings().toString());
        assertEquals(Status.CRITICAL, diagnosis.status());
    }

    @TestFactory
    Stream<DynamicTest> where_a_rule_finds_an_alarm_the_whole_diagnosis_has_one_and_names_its_cause()
            throws IOException {
        return ExampleHosts.examples().stream()
                .filter(ExampleHosts.Example::fires)
                .map(example -> dynamicTest(example.toString(), () -> {
                    Verdict.Problem problem = assertInstanceOf(
                            Verdict.Problem.class,
                            Diagnostician.ask(example.rule(), CalmHost.evidenceOf(example.files())));
                    Diagnosis diagnosis = CalmHost.diagnosisOf(example.files());
                    if (problem.findings().stream().anyMatch(Finding::isAlarm)) {
                        assertTrue(
                                diagnosis.status() == Status.CRITICAL || diagnosis.status() == Status.WARNING,
                                diagnosis::headline);
                        assertEquals(example.rule().cause().word(), diagnosis.causeWord(), diagnosis::headline);
                    } else {
                        assertEquals(Status.HEALTHY, diagnosis.status(), diagnosis::headline);
                    }
                }));
    }
}
