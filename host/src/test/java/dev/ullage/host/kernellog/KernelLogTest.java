// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.ullage.host.Host;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.TextTree;
import dev.ullage.host.kernellog.KernelLog.Entry;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Seconds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KernelLogTest {
    static KernelLog log(String text) {
        return KernelLog.parse(text).orThrow();
    }

    private static void isRead(String line, Optional<Double> seconds, String text) {
        assertEquals(
                List.of(new Entry(seconds.map(Seconds::new), text)), log(line).entries(), line);
    }

    @Test
    void a_record_of_dev_kmsg_is_its_time_and_its_text() {
        isRead("6,339,5140900,-;oom-kill:constraint=X", Optional.of(5.1409), "oom-kill:constraint=X");
        isRead("4,7,99000000,-,caller=T812; semi;colons", Optional.of(99.0), "semi;colons");
    }

    @Test
    void the_properties_below_a_record_are_no_lines_of_the_log() {
        List<Entry> entries = log(Linux618Text.LINUX_6_18).entries();
        assertEquals(
                "virtio_blk virtio1: [vda] new size: 536870912 512-byte logical blocks (275 GB/256 GiB)",
                entries.get(0).text());
        assertEquals("tokio-rt-worker (70): drop_caches: 3", entries.get(1).text());
    }

    @Test
    void a_record_of_several_lines_is_several_entries_of_one_time() {
        Optional<Seconds> time = Optional.of(new Seconds(2));
        assertEquals(
                List.of(new Entry(time, "anon 66846720"), new Entry(time, "file 0")),
                log("6,379,2000000,-;anon 66846720\\x0afile 0\\x0a").entries());
    }

    @Test
    void escaped_bytes_are_utf_8_and_what_only_looks_escaped_stays() {
        isRead("6,1,0,-;Stra\\xc3\\x9fe \\x5c \\x5", Optional.of(0.0), "Straße \\ \\x5");
        isRead("6,1,0,-;\\xzz\\x", Optional.of(0.0), "\\xzz\\x");
    }

    @Test
    void fragments_of_one_line_are_put_together() {
        String text = "6,1,3000000,c;Task in \n6,2,3000001,+;/a\n6,3,3000002,+; killed as a result of limit of \n"
                + "6,4,3000003,+;/b\n6,5,3000004,-;memory: usage 4kB\n";
        assertEquals(
                List.of("Task in /a killed as a result of limit of /b", "memory: usage 4kB"),
                log(text).entries().stream().map(Entry::text).toList());
    }

    @Test
    void dmesg_syslog_and_journal_are_read_without_their_prefixes() {
        isRead("[26002.108918] text: a", Optional.of(26002.108918), "text: a");
        isRead("[    5.140900][  T812] text", Optional.of(5.1409), "text");
        isRead("[    5.140900 <    0.000001>] text", Optional.of(5.1409), "text");
        isRead("kern  :err   : [    5.140900] text", Optional.of(5.1409), "text");
        isRead("<4>[    5.140900] text", Optional.of(5.1409), "text");
        isRead("May 16 17:44:49 host kernel: [26002.108918] text", Optional.of(26002.108918), "text");
        isRead("[26002.108918] host kernel: text", Optional.of(26002.108918), "text");
    }

    @Test
    void the_wall_clock_is_no_time_since_boot() {
        isRead("[Mon May  5 10:00:00 2025] text", Optional.empty(), "text");
        isRead("2025-05-05T10:00:00,123456+00:00 text", Optional.empty(), "text");
        isRead("[2026-09-12 10:14:02 UTC] kernel: text", Optional.empty(), "text");
        isRead("May 16 17:44:49 host kernel: text", Optional.empty(), "text");
        isRead("2025-05-16T17:44:49.123456+02:00 host kernel: text", Optional.empty(), "text");
        isRead("Fri 2025-05-16 17:44:49 UTC host kernel: text", Optional.empty(), "text");
        isRead("kernel: text", Optional.empty(), "text");
        isRead("text", Optional.empty(), "text");
    }

    @Test
    void what_looks_like_a_prefix_and_is_none_stays() {
        isRead("[   4159]     0  4159     1122 bash", Optional.empty(), "[   4159]     0  4159     1122 bash");
        isRead("usb 1-1: kernel: text", Optional.empty(), "usb 1-1: kernel: text");
        isRead("BUG: kernel NULL pointer dereference", Optional.empty(), "BUG: kernel NULL pointer dereference");
        isRead("6,339;text", Optional.empty(), "6,339;text");
    }

    @Test
    void lines_that_dmesg_indents_have_the_time_of_the_line_above() {
        Optional<Seconds> time = Optional.of(new Seconds(1.5));
        assertEquals(
                List.of(new Entry(time, "active_anon:1"), new Entry(time, "active_file:2")),
                log("[    1.500000] active_anon:1\n                active_file:2\n")
                        .entries());
    }

    @Test
    void of_a_long_log_the_end_is_kept() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 30_000; i++)
            text.append("[").append(i).append(".0] line ").append(i).append('\n');
        KernelLog log = log(text.toString());
        assertEquals(20_000, log.entries().size());
        assertEquals("line 29999", log.entries().getLast().text());
        assertEquals(Optional.of(new Seconds(10_000)), log.reachesBackTo());
    }

    @Test
    void an_empty_buffer_was_looked_at_and_holds_nothing() {
        assertEquals(List.of(), log("").entries());
        assertFalse(log("\n\n").reachesBackTo().isPresent());
    }

    @Test
    void a_capture_without_the_right_to_read_it_is_no_empty_log() {
        Reading<KernelLog> refused = KernelLog.parse("dmesg: read kernel buffer failed: Operation not permitted\n");
        assertEquals(
                AbsentCause.NO_PERMISSION,
                assertInstanceOf(Absent.class, refused).cause());
    }

    @Test
    void it_is_read_from_a_recorded_host_and_absent_where_none_was_recorded() {
        TextTree tree = TextTree.of(Map.of("recorded/kmsg", "6,339,5140900,-;text\n"));
        assertEquals(
                "text",
                KernelLog.FACT
                        .read(new RecordedHost(tree).at(0), Host.THE_HOST)
                        .orThrow()
                        .entries()
                        .getFirst()
                        .text());
        Reading<KernelLog> none = KernelLog.FACT.read(new RecordedHost(TextTree.of(Map.of())).at(0), Host.THE_HOST);
        assertEquals(
                AbsentCause.NOT_RECORDED, assertInstanceOf(Absent.class, none).cause());
    }
}
