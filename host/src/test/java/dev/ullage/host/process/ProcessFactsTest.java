// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Recorded;
import dev.ullage.host.cpu.CpuTime;
import dev.ullage.host.cpu.LoadAverage;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProcessFactsTest {
    private static final ProcessId ID = new ProcessId(812, 51234);

    private static AbsentCause causeOf(Reading<?> reading) {
        return ((Absent<?>) reading).cause();
    }

    @Test
    void a_name_with_spaces_and_brackets_does_not_shift_the_fields() {
        // Linux 6.18, 52 fields
        ProcessStat stat = ProcessStat.parse(
                        "812 (sd (pam) x) D 1 812 813 0 -1 4194304 5012 0 731 0 118 94 0 0 20 0 9 0 51234"
                                + " 8589934592 160000 18446744073709551615 1 1 0 0 0 0 0 4096 0 1 0 0 17 1 0 0 42 0 0 0 0 0 0 0 0 0 0")
                .orThrow();
        assertEquals(ID, stat.id());
        assertEquals("sd (pam) x", stat.command());
        assertEquals('D', stat.state());
        assertEquals(731, stat.majorFaults());
        assertEquals(212, stat.ticks());
        assertEquals(9, stat.threads());
        assertEquals(Bytes.ofGiB(8), stat.virtualSize());
        assertEquals(Bytes.ofPages(160000), stat.resident());
        assertEquals(42, stat.delayedTicks());
        assertFalse(stat.isKernelThread());
    }

    @Test
    void a_kernel_thread_is_told_by_its_flag() {
        // kthreadd's child on Linux 5.15: flags 69238880 = 0x4208060 with PF_KTHREAD 0x200000
        assertTrue(ProcessStat.parse("9 (kworker/0:1) I 2 0 0 0 -1 69238880 0 0 0 0 0 5 0 0 20 0 1 0 6 0 0")
                .orThrow()
                .isKernelThread());
    }

    @Test
    void half_a_line_is_malformed() {
        for (String text : List.of("", "812", "812 (x", "812 (x) S 1 2", "x (y) S 1", ")(", "\u0000"))
            assertEquals(AbsentCause.MALFORMED, causeOf(ProcessStat.parse(text)), text);
    }

    @Test
    void a_command_line_gives_its_flags_however_they_are_written() {
        CommandLine command =
                CommandLine.parse("/usr/bin/llama-server\u0000-m\u0000/m/a.gguf\u0000--ctx-size=4096\u0000");
        assertEquals("llama-server", command.program());
        assertEquals(Optional.of("/m/a.gguf"), command.flag("--model", "-m"));
        assertEquals(Optional.of("4096"), command.flag("--ctx-size", "-c"));
        assertEquals(Optional.empty(), command.flag("--port"));
    }

    @Test
    void a_title_written_over_the_arguments_is_read_as_one() {
        assertEquals(
                "sglang::scheduler",
                CommandLine.parse("sglang::scheduler TP0\u0000\u0000\u0000\u0000")
                        .program());
        assertEquals("", CommandLine.parse("").program());
    }

    @Test
    void memory_is_split_by_kind_and_old_kernels_do_not_split() {
        ProcessMemory now = ProcessMemory.parse("""
                Name:\tllama-server
                State:\tS (sleeping)
                VmRSS:\t  640000 kB
                RssAnon:\t   12000 kB
                RssFile:\t  628000 kB
                RssShmem:\t       0 kB
                VmSwap:\t    3000 kB
                """).orThrow();
        assertEquals(Bytes.ofKiB(15000), now.anonymousAndSwapped());
        assertEquals(Bytes.ofKiB(628000), now.file());
        // RHEL 7, Linux 3.10
        ProcessMemory then = ProcessMemory.parse(
                        "Name:\tx\nState:\tS (sleeping)\nVmRSS:\t  640000 kB\nVmSwap:\t 0 kB\n")
                .orThrow();
        assertEquals(Bytes.ofKiB(640000), then.anonymous());
    }

    @Test
    void a_zombie_has_vanished() {
        assertEquals(AbsentCause.VANISHED, causeOf(ProcessMemory.parse("Name:\tx\nState:\tZ (zombie)\nThreads:\t1\n")));
        assertEquals(AbsentCause.MALFORMED, causeOf(ProcessMemory.parse("junk")));
    }

    @Test
    void io_that_may_not_be_read_says_so() {
        Reading<ProcessIo> reading = ProcessIo.FACT.read(
                Recorded.host("recorded/absent", "/proc/812\tno-permission\topening it said EACCES\n"), ID);
        assertEquals(AbsentCause.NO_PERMISSION, causeOf(reading));
    }

    @Test
    void cancelled_writes_were_never_written() {
        ProcessIo io = ProcessIo.parse("rchar: 9\nread_bytes: 4096\nwrite_bytes: 100\ncancelled_write_bytes: 300\n")
                .orThrow();
        assertEquals(Bytes.NONE, io.writtenToStorage());
        assertEquals(new Bytes(4096), io.readFromStorage());
    }

    @Test
    void limits_are_read_by_column_and_unlimited_is_none() {
        ProcessLimits limits = ProcessLimits.parse("""
                Limit                     Soft Limit           Hard Limit           Units
                Max address space         unlimited            unlimited            bytes
                Max open files            1024                 1048576              files
                Max locked memory         8388608              8388608              bytes
                """).orThrow();
        assertEquals(OptionalLong.of(1024), limits.openFiles());
        assertEquals(OptionalLong.empty(), limits.addressSpace());
        assertEquals(OptionalLong.of(8388608), limits.lockedMemory());
    }

    @Test
    void proportional_memory_without_pss_anon_counts_what_is_private() {
        // Linux 4.18 (RHEL 8) has no Pss_Anon
        ProportionalMemory old = ProportionalMemory.parse(
                        "Rss: 900 kB\nPss: 500 kB\nPrivate_Dirty: 300 kB\nAnonymous: 800 kB\n")
                .orThrow();
        assertEquals(Bytes.ofKiB(300), old.proportionalAnonymous());
        ProportionalMemory now = ProportionalMemory.parse(
                        "Rss: 900 kB\nPss: 500 kB\nPss_Anon: 250 kB\nPrivate_Dirty: 300 kB\nAnonymous: 800 kB\n")
                .orThrow();
        assertEquals(Bytes.ofKiB(250), now.proportionalAnonymous());
    }

    @Test
    void time_in_the_run_queue_is_summed_over_threads() {
        RunQueue queue = RunQueue.FACT
                .read(
                        Recorded.host(
                                "proc/812/task/812/schedstat", "1000000000 500000000 10\n",
                                "proc/812/task/813/schedstat", "2000000000 250000000 10\n"),
                        ID)
                .orThrow();
        assertEquals(3, queue.run().seconds());
        assertEquals(0.75, queue.waited().seconds());
    }

    @Test
    void thread_states_give_the_share_that_waited() {
        assertEquals(
                0.5,
                ThreadStates.parse("polls=58 waiting=29 running=9 sleeping=20")
                        .orThrow()
                        .waitingShare()
                        .ratio());
        assertEquals(AbsentCause.MALFORMED, causeOf(ThreadStates.parse("polls=0")));
    }

    @Test
    void small_files_are_read_and_odd_ones_are_malformed() {
        assertEquals(-1000, OomScoreAdjustment.parse("-1000\n").orThrow().adjustment());
        assertEquals(AbsentCause.MALFORMED, causeOf(OomScoreAdjustment.parse("high")));
        assertFalse(WaitChannel.parse("0").isKnown());
        assertEquals(
                "folio_wait_bit_common",
                WaitChannel.parse("folio_wait_bit_common").function());
        assertEquals(
                0.52, LoadAverage.parse("0.52 0.41 0.30 2/187 4711\n").orThrow().oneMinute());
        assertEquals(AbsentCause.MALFORMED, causeOf(LoadAverage.parse("busy")));
    }

    @Test
    void cpu_time_is_read_with_and_without_steal() {
        // Linux 6.18, two CPUs
        CpuTime now = CpuTime.parse(
                        "cpu  1120 5 395 11829 69 3 23 7 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0 0 0\nprocs_blocked 4\n")
                .orThrow();
        assertEquals(1125, now.user());
        assertEquals(421, now.system());
        assertEquals(7, now.steal());
        assertEquals(2, now.cpus());
        assertEquals(4, now.blocked());
        // Linux 2.6.9 had no steal column
        assertEquals(0, CpuTime.parse("cpu  1 2 3 4 5 6 7\n").orThrow().steal());
        assertEquals(AbsentCause.MALFORMED, causeOf(CpuTime.parse("intr 5\n")));
    }
}
