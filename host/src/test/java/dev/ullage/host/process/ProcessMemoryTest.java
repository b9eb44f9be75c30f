// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import org.junit.jupiter.api.Test;

class ProcessMemoryTest {
    /// A server that mapped 20 GiB on a host that swaps; Linux 6.8.
    private static final String LINUX_6_8 = """
            Name:\tllama-server
            Umask:\t0022
            State:\tD (disk sleep)
            Tgid:\t812
            Pid:\t812
            PPid:\t1
            Uid:\t1000\t1000\t1000\t1000
            Gid:\t1000\t1000\t1000\t1000
            Groups:\t4 24 27
            VmPeak:\t22020096 kB
            VmSize:\t22020096 kB
            VmLck:\t  524288 kB
            VmPin:\t       0 kB
            VmHWM:\t 9437184 kB
            VmRSS:\t 8912896 kB
            RssAnon:\t 1048576 kB
            RssFile:\t 7340032 kB
            RssShmem:\t  524288 kB
            VmData:\t 1100000 kB
            VmSwap:\t  262144 kB
            HugetlbPages:\t       0 kB
            Threads:\t17
            """;

    /// CentOS 7; no split of VmRSS before 4.5.
    private static final String LINUX_3_10 = """
            Name:\tpython
            State:\tS (sleeping)
            Tgid:\t4000
            Uid:\t0\t0\t0\t0
            VmPeak:\t  904512 kB
            VmSize:\t  904512 kB
            VmLck:\t       0 kB
            VmHWM:\t  204800 kB
            VmRSS:\t  204800 kB
            VmData:\t  500000 kB
            VmSwap:\t    1024 kB
            """;

    @Test
    void each_kind_is_read() {
        ProcessMemory memory = ProcessMemory.parse(LINUX_6_8).orThrow();
        assertEquals(Bytes.ofKiB(8_912_896), memory.resident());
        assertEquals(Bytes.ofGiB(1), memory.anonymous());
        assertEquals(Bytes.ofGiB(7), memory.file());
        assertEquals(Bytes.ofMiB(512), memory.shmem());
        assertEquals(Bytes.ofMiB(256), memory.swapped());
        assertEquals(Bytes.ofMiB(1280), memory.anonymousAndSwapped());
        assertEquals(Bytes.ofMiB(512), memory.locked());
        assertEquals("1000", memory.user());
    }

    @Test
    void an_old_kernel_does_not_split_and_everything_counts_as_its_own() {
        ProcessMemory memory = ProcessMemory.parse(LINUX_3_10).orThrow();
        assertEquals(Bytes.ofMiB(200), memory.anonymous());
        assertEquals(Bytes.NONE, memory.file());
        assertEquals(Bytes.ofMiB(201), memory.anonymousAndSwapped());
    }

    @Test
    void a_process_that_ends_while_it_is_read_has_vanished() {
        assertEquals(
                AbsentCause.VANISHED,
                causeOf(ProcessMemory.parse("Name:\tpython3\nState:\tX (dead)\nTgid:\t812\nThreads:\t1\n")));
    }

    @Test
    void a_name_cannot_pretend_to_be_memory() {
        // The kernel escapes a newline in a name, so it stays on its line.
        ProcessMemory memory = ProcessMemory.parse(LINUX_6_8.replace("llama-server", "VmRSS: 5 kB\\nRssAnon: 9"))
                .orThrow();
        assertEquals(Bytes.ofKiB(8_912_896), memory.resident());
    }

    @Test
    void half_a_file_is_malformed_and_absurd_numbers_stay_positive() {
        assertEquals(AbsentCause.MALFORMED, causeOf(ProcessMemory.parse("Name:\tllama-server\nUma")));
        assertEquals(AbsentCause.MALFORMED, causeOf(ProcessMemory.parse("")));
        ProcessMemory absurd = ProcessMemory.parse(
                        "VmRSS:\t99999999999999999999 kB\nRssAnon:\t99999999999999999999 kB\n"
                                + "VmSwap:\t99999999999999999999 kB\n")
                .orThrow();
        assertTrue(absurd.anonymousAndSwapped().isMoreThan(Bytes.NONE));
    }
}
