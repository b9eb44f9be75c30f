// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static dev.ullage.host.Absence.causeOf;
import static dev.ullage.host.Absence.detailOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import org.junit.jupiter.api.Test;

class MemInfoTest {
    /// A machine of 8 GiB with swap, page cache and a big tmpfs.
    private static final String LINUX_6_8 = """
            MemTotal:        8123456 kB
            MemFree:          204800 kB
            MemAvailable:    3072000 kB
            Buffers:          102400 kB
            Cached:          4096000 kB
            SwapCached:        10240 kB
            Active(anon):    1024000 kB
            Inactive(anon):  1536000 kB
            Active(file):     900000 kB
            Inactive(file):  1100000 kB
            Unevictable:       16588 kB
            Mlocked:           15508 kB
            SwapTotal:       2097148 kB
            SwapFree:        1048576 kB
            AnonPages:       2500000 kB
            Mapped:          1200000 kB
            Shmem:           2048000 kB
            KReclaimable:     102400 kB
            SReclaimable:     102400 kB
            FileHugePages:         0 kB
            HugePages_Total:     512
            HugePages_Free:      512
            Hugepagesize:       2048 kB
            Hugetlb:         1048576 kB
            """;

    /// An aarch64 server with pages of 64 KiB (RHEL 8): the file counts in KiB there too.
    private static final String LINUX_4_18_AARCH64 = """
            MemTotal:       267619840 kB
            MemFree:        11534336 kB
            MemAvailable:   225443840 kB
            Buffers:            4096 kB
            Cached:         209715200 kB
            SwapTotal:       4194240 kB
            SwapFree:        4194240 kB
            AnonPages:      31457280 kB
            Shmem:             65536 kB
            VmallocTotal:   133009506240 kB
            CmaTotal:              0 kB
            HugePages_Total:       0
            Hugepagesize:     524288 kB
            """;

    /// CentOS 7.
    private static final String LINUX_3_10 = """
            MemTotal:       16266496 kB
            MemFree:          233308 kB
            MemAvailable:   12086452 kB
            Buffers:            2116 kB
            Cached:         11992172 kB
            Shmem:            124440 kB
            SwapTotal:             0 kB
            SwapFree:              0 kB
            """;

    @Test
    void tmpfs_counts_as_cached_and_is_no_cache() {
        MemInfo mem = MemInfo.parse(LINUX_6_8).orThrow();
        assertEquals(Bytes.ofKiB(2_048_000), mem.shmem());
        assertEquals(Bytes.ofKiB(4_096_000 + 102_400 - 2_048_000), mem.pageCache());
        assertEquals(Bytes.ofKiB(2_500_000), mem.anonymous());
        assertEquals(0.378, mem.availableShare().ratio(), 0.001);
        assertEquals(Bytes.ofKiB(1_048_572), mem.swapUsed());
    }

    @Test
    void pages_of_64_kib_change_no_unit() {
        MemInfo mem = MemInfo.parse(LINUX_4_18_AARCH64).orThrow();
        assertEquals("255.2 GiB", mem.total().shown());
        assertEquals("215.0 GiB", mem.available().shown());
        assertEquals(Bytes.NONE, mem.swapUsed());
    }

    @Test
    void what_the_kernel_says_is_available_is_believed_where_it_says_so() {
        assertEquals(
                Bytes.ofKiB(12_086_452), MemInfo.parse(LINUX_3_10).orThrow().available());
    }

    @Test
    void a_line_this_kernel_does_not_have_is_nothing() {
        assertEquals(Bytes.NONE, MemInfo.parse(LINUX_3_10).orThrow().get("FileHugePages"));
    }

    @Test
    void the_number_of_huge_pages_is_no_amount_of_kib() {
        MemInfo mem = MemInfo.parse(LINUX_6_8).orThrow();
        assertEquals(512, mem.kib().orZero("HugePages_Total"));
        assertEquals(Bytes.ofGiB(1), mem.get("Hugetlb"));
    }

    @Test
    void a_file_that_breaks_off_after_its_first_line_is_still_a_total() {
        MemInfo mem = MemInfo.parse("MemTotal:       24684084 kB\nMemFr").orThrow();
        assertEquals(Bytes.ofKiB(24_684_084), mem.total());
        assertEquals(Bytes.NONE, mem.available());
    }

    @Test
    void numbers_too_large_for_any_machine_stay_large_and_positive() {
        MemInfo mem = MemInfo.parse("MemTotal: 99999999999999999999 kB\nMemAvailable: 9223372036854775807 kB\n")
                .orThrow();
        assertTrue(mem.total().isMoreThan(Bytes.NONE));
        assertTrue(mem.availableShare().ratio() <= 1);
    }

    @Test
    void what_was_expected_is_said_of_a_file_that_is_none() {
        assertEquals(AbsentCause.MALFORMED, causeOf(MemInfo.parse("MemTotal: 0 kB\n")));
        assertEquals(
                "found \"total used free\", expected a line \"MemTotal: <number> kB\"",
                detailOf(MemInfo.parse("total used free\n1 2 3\n")));
        assertEquals("found \"nothing\", expected a line \"MemTotal: <number> kB\"", detailOf(MemInfo.parse("\n")));
    }
}
