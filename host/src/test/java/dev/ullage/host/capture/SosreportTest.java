// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.FolderTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.TextTree;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.Mounts;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A sosreport of a host that runs vLLM and ollama, whose root file system is full; written after sos 4.7 on RHEL 9.
class SosreportTest {
    private final TextTree folder = folder();
    private final Evidence evidence = Sampler.replay(new RecordedHost(Sosreport.of(folder)), Focus.EVERYTHING);

    private static TextTree folder() {
        try {
            return new FolderTree(
                    Path.of(SosreportTest.class.getResource("/sosreport-gpu7").toURI()));
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_sosreport_is_known_by_its_folders() {
        assertTrue(Sosreport.isOne(folder));
        assertFalse(Sosreport.isOne(TextTree.of(Map.of("proc/meminfo", ""))));
    }

    @Test
    void it_is_one_instant_with_a_time_and_has_no_rates() {
        assertFalse(evidence.hasWindow());
        assertEquals("2026-03-03T10:15:00Z", evidence.to().wall().orElseThrow().toString());
        assertEquals(8_123.45, evidence.to().monotonic().seconds());
    }

    @Test
    void memory_is_the_copy_of_meminfo() {
        assertEquals(
                263_000_000L * 1024,
                evidence.latest(MemInfo.FACT).orThrow().total().bytes());
    }

    @Test
    void mounts_and_room_come_from_mounts_and_df() {
        Mounts mounts = evidence.latest(Mounts.FACT).orThrow();
        assertEquals("8:2", mounts.of("/var/log").orElseThrow().device());
        assertEquals("nfs4", mounts.of("/models/x").orElseThrow().type());
        FileSystemSpace root = evidence.latest(
                        FileSystemSpace.FACT, mounts.of("/").orElseThrow())
                .orThrow();
        assertEquals(103_081_248L * 1024, root.size().bytes());
        assertEquals(0, root.available().bytes());
        assertEquals(6_243_556, root.freeInodes());
    }

    @Test
    void kills_come_from_dmesg() {
        KernelEvents kills = evidence.latest(KernelEvents.FACT).orThrow();
        assertEquals(1, kills.kills().size());
        assertEquals(4711, kills.kills().getFirst().victim().pid());
        assertEquals(
                7_990,
                Math.round(kills.kills().getFirst().sinceBoot().orElseThrow().seconds()));
    }

    @Test
    void servers_come_from_ps_with_the_sizes_it_prints() {
        assertEquals(2, evidence.servers().size(), evidence.workloads().toString());
        var ollama = evidence.servers().getFirst().main();
        assertEquals(2231, ollama.pid());
        assertEquals(
                640_000L * 1024,
                evidence.latest(ProcessStat.FACT, ollama).orThrow().resident().bytes());
        assertEquals(
                "ollama", evidence.latest(CommandLine.FACT, ollama).orThrow().program());
        assertTrue(evidence.subjects(ProcessStat.FACT).stream().anyMatch(id -> id.pid() == 2), "kernel threads too");
    }
}
