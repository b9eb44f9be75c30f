// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ullage.host.Host;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryFactsTest {
    private static final List<String> HOSTILE = List.of(
            "",
            "\u0000\u0001\u00ff",
            "MemTotal",
            "MemTotal: kB",
            "cpu ",
            "some total=",
            "x 999999999999999999999999999999");

    private static AbsentCause causeOf(Reading<?> reading) {
        return ((Absent<?>) reading).cause();
    }

    @Test
    void meminfo_counts_in_kib_and_available_is_what_the_kernel_says() {
        // Linux 6.18
        MemInfo mem = MemInfo.parse("""
                MemTotal:       24684084 kB
                MemFree:        24166216 kB
                MemAvailable:   24358308 kB
                Buffers:           32104 kB
                Cached:           363776 kB
                SwapTotal:       2097148 kB
                SwapFree:        1097148 kB
                Shmem:              8872 kB
                HugePages_Total:       0
                """).orThrow();
        assertEquals(24684084L * 1024, mem.total().bytes());
        assertEquals(Bytes.ofKiB(24358308), mem.available());
        assertEquals(Bytes.ofKiB(1000000), mem.swapUsed());
        assertEquals(Bytes.ofKiB(32104 + 363776 - 8872), mem.pageCache());
    }

    @Test
    void before_linux_3_14_available_is_free_plus_file_pages_that_are_not_shared_memory() {
        // RHEL 6, Linux 2.6.32
        MemInfo mem = MemInfo.parse("""
                MemTotal:       16330588 kB
                MemFree:         1000000 kB
                Buffers:          100000 kB
                Cached:          5000000 kB
                Shmem:           2000000 kB
                """).orThrow();
        assertEquals(Bytes.ofKiB(1000000 + 100000 + 5000000 - 2000000), mem.available());
    }

    @Test
    void vmstat_sums_zones_and_kinds_whatever_the_kernel_calls_them() {
        // Linux 6.18
        VmStat now = VmStat.parse("""
                workingset_refault_anon 7
                workingset_refault_file 115712
                pswpin 3
                pswpout 4
                allocstall_dma 1
                allocstall_normal 2
                allocstall_movable 3
                pgmajfault 168
                pgscan_kswapd 10
                pgscan_direct 20
                pgscan_direct_throttle 5
                oom_kill 1
                """).orThrow();
        assertEquals(115712, now.refaultedFilePages());
        assertEquals(7, now.refaultedAnonPages());
        assertEquals(6, now.allocationStalls());
        assertEquals(30, now.scannedPages(), "throttled is no page");
        // RHEL 7, Linux 3.10: one line a zone, one refault counter, one allocstall
        VmStat then = VmStat.parse("""
                workingset_refault 500
                allocstall 9
                pgmajfault 12
                pgscan_kswapd_dma 1
                pgscan_kswapd_normal 2
                pgscan_direct_normal 4
                """).orThrow();
        assertEquals(500, then.refaultedFilePages());
        assertEquals(9, then.allocationStalls());
        assertEquals(7, then.scannedPages());
        assertEquals(0, then.oomKills());
    }

    @Test
    void pressure_is_read_from_totals_and_a_missing_full_line_is_no_time() {
        PressureStall memory = PressureStall.parse("/proc/pressure/memory", """
                some avg10=0.27 avg60=1.04 avg300=0.35 total=1448314
                full avg10=0.00 avg60=0.00 avg300=0.00 total=90
                """).orThrow();
        assertEquals(1.448314, memory.some().seconds());
        assertEquals(0.00009, memory.full().seconds(), 1e-9);
        // cpu before 5.13
        PressureStall cpu = PressureStall.parse(
                        "/proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n")
                .orThrow();
        assertEquals(0, cpu.full().seconds());
    }

    @Test
    void pressure_that_is_off_is_not_configured_and_odd_text_is_malformed() {
        assertEquals(AbsentCause.NOT_CONFIGURED, causeOf(PressureStall.parse("/proc/pressure/io", "")));
        assertEquals(AbsentCause.MALFORMED, causeOf(PressureStall.parse("/proc/pressure/io", "nothing to see")));
    }

    @Test
    void swap_areas_are_told_apart() {
        Swaps swaps = Swaps.parse("""
                Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority
                /swap.img                               file\t\t2097148\t\t1024\t\t-2
                /dev/zram0                              partition\t1048572\t\t0\t\t100
                /dev/sda2                               partition\t8388604\t\t12\t\t-3
                /old\\040(deleted)                      file\t\t1024\t\t0\t\t-4
                """).orThrow();
        assertEquals(
                List.of(Swaps.Kind.FILE, Swaps.Kind.ZRAM, Swaps.Kind.PARTITION, Swaps.Kind.FILE),
                swaps.areas().stream().map(Swaps.Swap::kind).toList());
        assertEquals(Bytes.ofKiB(1024), swaps.areas().getFirst().used());
        assertEquals(
                List.of(),
                Swaps.parse("Filename Type Size Used Priority\n").orThrow().areas());
    }

    @Test
    void settings_that_a_kernel_lacks_are_missing_and_do_not_hide_the_others() {
        Sysctls sysctls = Sysctls.FACT
                .read(
                        Recorded.host(
                                "proc/sys/vm/swappiness",
                                "60\n",
                                "proc/sys/fs/file-nr",
                                "1024\t0\t9223372036854775807\n"),
                        Host.THE_HOST)
                .orThrow();
        assertEquals(60, sysctls.number("vm.swappiness").orElse(-1));
        assertEquals(1024, sysctls.number("fs.file-nr").orElse(-1));
        assertFalse(sysctls.get("kernel.task_delayacct").isPresent());
    }

    @Test
    void hostile_text_is_malformed_or_empty_and_never_throws() {
        for (String text : HOSTILE) {
            MemInfo.parse(text);
            VmStat.parse(text);
            PressureStall.parse("x", text);
            Swaps.parse(text);
        }
        assertEquals(AbsentCause.MALFORMED, causeOf(MemInfo.parse("MemFree: 12 kB\n")));
        assertEquals(AbsentCause.MALFORMED, causeOf(VmStat.parse("\u0000\u0001")));
    }
}
