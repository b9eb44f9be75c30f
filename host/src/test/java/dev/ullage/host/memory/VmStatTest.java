// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.AbsentCause;
import org.junit.jupiter.api.Test;

class VmStatTest {
    /// As this kernel gives it, in its order, with what surrounds the names we read and begins like them.
    private static final String LINUX_6_18 = """
            nr_free_pages 4745004
            nr_free_pages_blocks 4559872
            workingset_nodes 3559
            workingset_refault_anon 43066521
            workingset_refault_file 57828155
            workingset_activate_file 1451932
            workingset_restore_file 637505
            pgpgin 707340933
            pswpin 2209756
            pswpout 3040809
            allocstall_dma 0
            allocstall_dma32 0
            allocstall_normal 461
            allocstall_movable 37967
            allocstall_device 0
            pgfault 267271596
            pgmajfault 43806656
            pgsteal_kswapd 70612675
            pgsteal_direct 2611124
            pgscan_kswapd 133583369
            pgscan_direct 8696818
            pgscan_khugepaged 0
            pgscan_proactive 0
            pgscan_direct_throttle 12
            pgscan_anon 93809819
            pgscan_file 184929212
            oom_kill 53
            swpin_zero 40856765
            """;

    /// Ubuntu 18.04: counters by node, one refault counter.
    private static final String LINUX_4_15 = """
            workingset_refault 1234567
            workingset_activate 4567
            workingset_nodereclaim 0
            pswpin 10
            pswpout 20
            allocstall_dma 0
            allocstall_normal 3
            allocstall_movable 4
            pgmajfault 999
            pgscan_kswapd 100
            pgscan_direct 50
            pgscan_direct_throttle 7
            oom_kill 2
            """;

    @Test
    void counters_with_longer_names_that_begin_alike_are_not_mixed_in() {
        VmStat vm = VmStat.parse(LINUX_6_18).orThrow();
        assertEquals(57_828_155, vm.refaultedFilePages());
        assertEquals(43_066_521, vm.refaultedAnonPages());
        assertEquals(38_428, vm.allocationStalls());
        assertEquals(8_696_818, vm.directlyScannedPages());
        assertEquals(133_583_369 + 8_696_818, vm.scannedPages());
        assertEquals(53, vm.oomKills());
        assertEquals(2_209_756, vm.swappedInPages());
        assertEquals(3_040_809, vm.swappedOutPages());
    }

    @Test
    void the_one_refault_counter_of_older_kernels_is_of_file_pages() {
        VmStat vm = VmStat.parse(LINUX_4_15).orThrow();
        assertEquals(1_234_567, vm.refaultedFilePages());
        assertEquals(0, vm.refaultedAnonPages());
        assertEquals(7, vm.allocationStalls());
        assertEquals(50, vm.directlyScannedPages());
        assertEquals(2, vm.oomKills());
    }

    @Test
    void a_kernel_that_does_not_count_something_counts_nothing_of_it() {
        VmStat vm = VmStat.parse("pgmajfault 1\n").orThrow();
        assertEquals(0, vm.scannedPages());
        assertEquals(0, vm.refaultedFilePages());
        assertEquals(0, vm.oomKills());
    }

    @Test
    void sums_of_absurd_counters_do_not_become_negative() {
        VmStat vm = VmStat.parse(
                        "pgmajfault 1\npgscan_kswapd 18446744073709551615\npgscan_direct 18446744073709551615\n"
                                + "allocstall_normal 18446744073709551615\nallocstall_dma 18446744073709551615\n")
                .orThrow();
        assertTrue(vm.scannedPages() >= 0, () -> "scanned " + vm.scannedPages());
        assertTrue(vm.allocationStalls() >= 0, () -> "stalls " + vm.allocationStalls());
    }

    @Test
    void a_file_without_page_faults_is_none() {
        assertEquals(AbsentCause.MALFORMED, causeOf(VmStat.parse("")));
        assertEquals(AbsentCause.MALFORMED, causeOf(VmStat.parse("nr_free_pages 5\npgmajfault\n")));
    }
}
