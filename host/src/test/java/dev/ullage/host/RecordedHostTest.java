// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedHostTest {
    private static AbsentCause causeOf(Reading<?> reading) {
        return ((Absent<?>) reading).cause();
    }

    @Test
    void a_file_that_a_later_instant_lacks_is_unchanged() {
        RecordedHost host = new RecordedHost(Recorded.tree(
                "proc/sys/vm/swappiness", "60",
                "at-0.000/proc/vmstat", "old",
                "at-0.000/proc/meminfo", "same",
                "at-3.000/proc/vmstat", "new"));
        assertEquals(2, host.instants());
        assertEquals("old", host.at(0).text("/proc/vmstat").orThrow());
        assertEquals("new", host.at(1).text("/proc/vmstat").orThrow());
        assertEquals("same", host.at(1).text("/proc/meminfo").orThrow());
        assertEquals("60", host.at(1).text("/proc/sys/vm/swappiness").orThrow());
    }

    @Test
    void instants_are_in_the_order_of_their_seconds() {
        RecordedHost host =
                new RecordedHost(Recorded.tree("at-10.000/x", "last", "at-9.000/x", "first", "at-work/x", "no"));
        assertEquals(2, host.instants());
        assertEquals("last", host.at(1).text("/x").orThrow());
    }

    @Test
    void a_recorded_absence_holds_for_everything_below_it_until_it_is_there_again() {
        RecordedHost host = new RecordedHost(Recorded.tree(
                "at-0.000/proc/812/stat", "812",
                "at-3.000/recorded/absent", "/proc/812\tvanished\tit ended\n",
                "at-6.000/proc/812/stat", "another"));
        assertEquals(AbsentCause.VANISHED, causeOf(host.at(1).text("/proc/812/stat")));
        assertEquals(
                List.of(),
                host.at(1).names("/proc").orElse(List.of("something")).stream()
                        .filter("812"::equals)
                        .toList());
        assertEquals("another", host.at(2).text("/proc/812/stat").orThrow());
    }

    @Test
    void what_was_not_recorded_says_so() {
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(Recorded.host("a", "b").text("/proc/vmstat")));
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(Recorded.host("a", "b").ask(Call.STATFS, "/")));
        assertEquals("/dev/kmsg", ((Absent<?>) Recorded.host("a", "b").ask(Call.KERNEL_LOG, "-")).source());
    }

    @Test
    void answers_of_calls_are_lines_by_what_they_are_about() {
        HostRoot host = Recorded.host("recorded/statfs", "/\tbsize=1\n/mnt/a b\tbsize=2\n");
        assertEquals("bsize=2", host.ask(Call.STATFS, "/mnt/a b").orThrow());
    }

    @Test
    void a_folder_is_read_and_never_left(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "password");
        Path root = Files.createDirectory(folder.resolve("root"));
        Files.createDirectory(root.resolve("proc"));
        Files.writeString(root.resolve("proc/meminfo"), "MemTotal: 1 kB");
        Files.createSymbolicLink(root.resolve("proc/link"), secret);
        Files.createSymbolicLink(root.resolve("out"), folder);
        FolderTree tree = new FolderTree(root);
        assertEquals(Optional.of("MemTotal: 1 kB"), tree.text("proc/meminfo"));
        assertEquals(Optional.empty(), tree.text("proc/link"));
        assertEquals(Optional.empty(), tree.text("out/secret"));
        assertEquals(Optional.empty(), tree.text("../secret"));
        assertEquals(Optional.empty(), tree.text("proc"));
        assertEquals(List.of("link", "meminfo"), tree.names("proc"));
        assertEquals(List.of(), tree.names("out"));
    }

    @Test
    void a_huge_file_is_read_to_the_limit_only(@TempDir Path folder) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve("big").toFile(), "rw")) {
            file.setLength(10L << 30);
        }
        assertEquals(
                FolderTree.LONGEST,
                new FolderTree(folder).text("big").orElseThrow().length());
    }

    @Test
    void a_window_comes_from_the_monotonic_clock_whatever_the_wall_does() {
        Evidence evidence = Sampler.replay(
                new RecordedHost(Recorded.tree(
                        "at-0.000/recorded/clock", "2026-03-01T10:00:00Z 100.0",
                        "at-3.000/recorded/clock", "2026-03-01T09:00:00Z 103.0")),
                Focus.EVERYTHING);
        assertEquals(3, evidence.window().seconds());
        assertTrue(evidence.hasWindow());
    }
}
