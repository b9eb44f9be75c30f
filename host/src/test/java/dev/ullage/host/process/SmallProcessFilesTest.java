// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostRoot;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Seconds;
import java.util.List;
import org.junit.jupiter.api.Test;

/// [WaitChannel], [OomScoreAdjustment], [RunQueue] and [OpenFiles]: one word, one number, three numbers, a folder.
class SmallProcessFilesTest {
    private static final ProcessId ID = new ProcessId(812, 1);

    @Test
    void a_wait_channel_is_a_function_of_the_kernel() {
        // Linux 6.18; CentOS 7, Linux 3.10; hidden by kptr_restrict or running
        assertEquals(
                "folio_wait_bit_common",
                WaitChannel.parse("folio_wait_bit_common").function());
        assertEquals("sleep_on_page", WaitChannel.parse("sleep_on_page\n").function());
        assertFalse(WaitChannel.parse("0").isKnown());
        assertFalse(WaitChannel.parse("").isKnown());
        assertTrue(WaitChannel.parse("rpc_wait_bit_killable").isKnown());
    }

    @Test
    void a_wait_channel_that_may_not_be_seen_says_so() {
        HostRoot host = Recorded.host("recorded/absent", "/proc/812/wchan\tno-permission\topening it said EPERM\n");
        assertEquals(AbsentCause.NO_PERMISSION, causeOf(WaitChannel.FACT.read(host, ID)));
    }

    @Test
    void an_oom_score_adjustment_is_a_number_between_the_two_thousand() {
        assertEquals(-999, OomScoreAdjustment.parse("-999\n").orThrow().adjustment());
        assertEquals(1000, OomScoreAdjustment.parse("1000\n").orThrow().adjustment());
        assertEquals(0, OomScoreAdjustment.parse("0\n").orThrow().adjustment());
        for (String text : List.of("", "-", "1001", "-1001", "99999999999", "4294966296", "1 2"))
            assertEquals(AbsentCause.MALFORMED, causeOf(OomScoreAdjustment.parse(text)), text);
    }

    @Test
    void a_thread_that_ends_while_others_are_summed_costs_its_own_time_only() {
        HostRoot host = Recorded.host(
                "proc/812/task/812/schedstat", "1893412345 20311234 412\n",
                "proc/812/task/813/stat", "813 (x) Z",
                "proc/812/task/814/schedstat", "1000000000 9000000000 1\n",
                "recorded/absent", "/proc/812/task/813/schedstat\tvanished\tit ended\n");
        RunQueue queue = RunQueue.FACT.read(host, ID).orThrow();
        assertEquals(2.893412345, queue.run().seconds(), 1e-9);
        assertEquals(9.020311234, queue.waited().seconds(), 1e-9);
    }

    @Test
    void many_threads_that_each_waited_a_little_held_nobody_up() {
        RunQueue before = RunQueue.FACT
                .read(
                        Recorded.host(
                                "proc/812/task/812/schedstat", "0 5000000000 1\n",
                                "proc/812/task/813/schedstat", "0 1000000000 1\n"),
                        ID)
                .orThrow();
        RunQueue after = RunQueue.FACT
                .read(
                        Recorded.host(
                                "proc/812/task/812/schedstat", "0 5200000000 1\n",
                                "proc/812/task/813/schedstat", "0 1300000000 1\n",
                                "proc/812/task/814/schedstat", "0 9000000000 1\n"),
                        ID)
                .orThrow();
        assertEquals(0.3, after.longestWaitSince(before).seconds(), 1e-9);
        assertEquals(0, before.longestWaitSince(after).seconds(), 1e-9);
    }

    @Test
    void a_kernel_without_schedstat_is_no_process_that_never_waited() {
        HostRoot none = Recorded.host(
                "proc/812/task/812/stat", "812 (x) S",
                "recorded/absent", "/proc/812/task/812/schedstat\tnot-on-this-kernel\tno such file\n");
        assertEquals(AbsentCause.NOT_ON_THIS_KERNEL, causeOf(RunQueue.FACT.read(none, ID)));
        HostRoot odd = Recorded.host("proc/812/task/812/schedstat", "what\n");
        assertEquals(AbsentCause.MALFORMED, causeOf(RunQueue.FACT.read(odd, ID)));
        // A kernel booted with schedstats off still counts these three.
        HostRoot zero = Recorded.host("proc/812/task/812/schedstat", "0 95635 1\n");
        assertEquals(
                new Seconds(0.000095635), RunQueue.FACT.read(zero, ID).orThrow().waited());
    }

    @Test
    void numbers_that_are_none_make_no_time_up() {
        HostRoot odd = Recorded.host("proc/812/task/812/schedstat", "a b c\n");
        assertEquals(AbsentCause.MALFORMED, causeOf(RunQueue.FACT.read(odd, ID)));
    }

    @Test
    void open_files_are_the_entries_of_the_folder() {
        HostRoot host = Recorded.host(
                "proc/812/fd/0", "/dev/null", "proc/812/fd/1", "pipe:[5]", "proc/812/fd/17", "socket:[9]");
        assertEquals(3, OpenFiles.FACT.read(host, ID).orThrow().open().count());
        HostRoot refused = Recorded.host("recorded/absent", "/proc/812/fd\tno-permission\tlisting it failed\n");
        assertEquals(AbsentCause.NO_PERMISSION, causeOf(OpenFiles.FACT.read(refused, ID)));
    }
}
