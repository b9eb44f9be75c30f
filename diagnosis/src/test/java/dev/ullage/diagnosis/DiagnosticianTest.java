// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.rules.CalmHost;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
        Diagnosis diagnosis = new CalmHost().without("proc/812").diagnosis();
        assertEquals(Status.HEALTHY, diagnosis.status());
        assertTrue(
                diagnosis.headline().startsWith("no LLM server found; the host itself is fine"), diagnosis.headline());
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
                "GPU memory could not be seen: 1 NVIDIA GPU not looked at: this version cannot", diagnosis.headline());
    }

    @Test
    void an_empty_folder_is_unknown() {
        assertEquals(Status.UNKNOWN, CalmHost.diagnosisOf(Map.of()).status());
    }

    @Test
    void a_cause_that_was_found_is_not_ruled_out_too() {
        Diagnosis diagnosis = new CalmHost()
                .with("recorded/statfs", "/\ttype=0xef53 bsize=4096 blocks=1000 bfree=0 bavail=0 files=1 ffree=1\n")
                .diagnosis();
        assertEquals("disk-full", diagnosis.causeWord());
        assertTrue(diagnosis.ruledOut().stream().noneMatch(r -> r.rule().cause() == Cause.DISK_FULL));
    }
}
