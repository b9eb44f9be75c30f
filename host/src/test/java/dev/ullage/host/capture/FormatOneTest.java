// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.PressureStall;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.OpenFiles;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessIo;
import dev.ullage.host.process.ThreadStates;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading.Absent;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The first capture there was, written by ullage 0.1.0. It is never changed: whoever cannot read it any more has
/// broken
/// everybody's captures.
class FormatOneTest {
    private final MemoryTree tree = read();
    private final RecordedHost host = new RecordedHost(tree);
    private final Evidence evidence = Sampler.replay(
            host, CaptureNote.parse(tree.text(CaptureNote.FILE).orElseThrow()).focus());
    private final ProcessId server = new ProcessId(812, 51234);

    private static MemoryTree read() {
        try {
            return CaptureFolder.read(Path.of(
                    FormatOneTest.class.getResource("/captures/format-1").toURI()));
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void its_window_its_question_and_its_name_are_read() {
        assertEquals(3, evidence.window().seconds());
        assertEquals("2026-03-01T10:00:03Z", evidence.to().wall().orElseThrow().toString());
        assertEquals(Focus.EVERYTHING, evidence.focus());
        assertEquals("gpu7\n", host.at(1).text("/proc/sys/kernel/hostname").orThrow());
    }

    @Test
    void its_server_is_found_with_its_model() {
        assertEquals(server, evidence.servers().getFirst().main());
        ModelFiles models = evidence.latest(ModelFiles.FACT, server).orThrow();
        assertEquals("/home/user1/qwen.gguf", models.uses().getFirst().file().path());
        assertEquals(1, models.mappings());
        assertEquals(
                List.of(
                        "/usr/bin/llama-server",
                        "-m",
                        "/home/user1/qwen.gguf",
                        "--api-key",
                        "redacted1",
                        "--port",
                        "8080"),
                evidence.latest(CommandLine.FACT, server).orThrow().arguments());
    }

    @Test
    void its_counters_have_rates() {
        assertEquals(
                300_000,
                evidence.change(ProcessIo.FACT, server)
                        .orThrow()
                        .growth(ProcessIo::readFromStorage)
                        .bytes());
        var model = evidence.servers().getFirst().models().getFirst();
        assertEquals(
                3_000 * 4_096,
                evidence.change(PageCache.FACT, model)
                        .orThrow()
                        .growth(PageCache::resident)
                        .bytes());
        assertEquals(40, evidence.latest(ThreadStates.FACT, server).orThrow().waiting());
        assertTrue(evidence.change(MemInfo.FACT).isPresent());
    }

    @Test
    void its_cgroups_names_links_and_absences_are_read() {
        var cgroup = evidence.subjects(MemoryCgroup.FACT).iterator().next();
        assertEquals(
                1_073_741_824,
                evidence.latest(MemoryCgroup.FACT, cgroup)
                        .orThrow()
                        .limit()
                        .orElseThrow()
                        .bytes());
        assertEquals(4, evidence.latest(OpenFiles.FACT, server).orThrow().open().count());
        assertEquals("999", host.at(0).link("/proc/self").orThrow());
        assertEquals(List.of(), host.at(0).names("/sys/block/vda/slaves").orThrow());
        assertEquals(AbsentCause.NOT_ON_THIS_KERNEL, ((Absent<?>) evidence.latest(PressureStall.MEMORY)).cause());
        assertEquals(AbsentCause.NO_PERMISSION, ((Absent<?>) host.at(0).text("/proc/500/io")).cause());
    }
}
