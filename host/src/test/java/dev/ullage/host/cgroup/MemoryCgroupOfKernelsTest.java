// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryCgroupOfKernelsTest {
    private static Reading<MemoryCgroup> read(CgroupId.Version version, String... namesAndTexts) {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            files.add("c/box/" + namesAndTexts[i]);
            files.add(namesAndTexts[i + 1]);
        }
        return MemoryCgroup.FACT.read(Recorded.host(files.toArray(String[]::new)), new CgroupId(version, "/c", "/box"));
    }

    private static MemoryCgroup v1(String... namesAndTexts) {
        return read(CgroupId.Version.V1, namesAndTexts).orThrow();
    }

    private static MemoryCgroup v2(String... namesAndTexts) {
        return read(CgroupId.Version.V2, namesAndTexts).orThrow();
    }

    /// CentOS 7. A container at its limit that is page cache to the brim.
    private static final String STAT_3_10 = """
            cache 943718400
            rss 104857600
            rss_huge 0
            mapped_file 900000000
            swap 0
            pgpgin 1000
            pgpgout 2000
            pgfault 3000
            pgmajfault 4000
            inactive_anon 0
            active_anon 104857600
            inactive_file 500000000
            active_file 400000000
            unevictable 0
            hierarchical_memory_limit 1073741824
            hierarchical_memsw_limit 2147483648
            total_cache 943718400
            total_rss 104857600
            total_swap 8192
            total_inactive_anon 0
            total_active_anon 104857600
            total_inactive_file 500000000
            total_active_file 400000000
            """;

    private static final String STAT_6_18 = """
            anon 104857600
            file 943718400
            kernel 5000000
            kernel_stack 32768
            pagetables 4096
            sock 0
            shmem 43718400
            file_mapped 900000000
            inactive_anon 148576000
            active_anon 0
            inactive_file 500000000
            active_file 400000000
            unevictable 0
            slab_reclaimable 2000000
            slab_unreclaimable 1000000
            workingset_refault_anon 12
            workingset_refault_file 350000
            pgscan 77
            pgscan_kswapd 7
            pgscan_direct 70
            pgfault 3000
            pgmajfault 4000
            """;

    @Test
    void page_cache_at_the_limit_is_no_memory_in_use() {
        MemoryCgroup old = v1(
                "memory.stat",
                STAT_3_10,
                "memory.usage_in_bytes",
                "1073741824\n",
                "memory.limit_in_bytes",
                "1073741824\n");
        assertEquals(1, old.usedShare().ratio());
        assertEquals(new Bytes(1_073_741_824 - 900_000_000), old.unreclaimable());
        MemoryCgroup now = v2("memory.stat", STAT_6_18, "memory.current", "1073741824\n", "memory.max", "1073741824\n");
        assertEquals(1, now.usedShare().ratio());
        assertEquals(new Bytes(1_073_741_824 - 900_000_000 - 2_000_000), now.unreclaimable());
        assertEquals(new Bytes(43_718_400), now.shmem());
    }

    @Test
    void refaults_are_counted_where_the_kernel_counts_them() {
        assertEquals(
                0, v1("memory.stat", STAT_3_10, "memory.usage_in_bytes", "1\n").refaultedFilePages());
        assertEquals(350_000, v2("memory.stat", STAT_6_18).refaultedFilePages());
        // Linux 5.4: one counter, of file pages
        assertEquals(9, v2("memory.stat", "anon 1\nworkingset_refault 9\n").refaultedFilePages());
        // Linux 6.1, v1: own and with children
        assertEquals(
                8,
                v1(
                                "memory.stat",
                                "workingset_refault_file 3\ntotal_workingset_refault_file 8\n",
                                "memory.usage_in_bytes",
                                "1\n")
                        .refaultedFilePages());
        assertEquals(77, v2("memory.stat", STAT_6_18).scannedPages());
    }

    @Test
    void no_limit_is_none_in_every_spelling() {
        for (String limit : List.of("9223372036854771712\n", "9223372036854710272\n", "18446744073709551615\n"))
            assertEquals(
                    Optional.empty(),
                    v1("memory.stat", STAT_3_10, "memory.usage_in_bytes", "5\n", "memory.limit_in_bytes", limit)
                            .limit(),
                    "with pages of 4 and of 64 KiB: " + limit);
        MemoryCgroup v2 =
                v2("memory.stat", STAT_6_18, "memory.max", "max\n", "memory.high", "max\n", "memory.swap.max", "max\n");
        assertEquals(Optional.empty(), v2.limit());
        assertEquals(Optional.empty(), v2.high());
        assertEquals(Optional.empty(), v2.swapLimit());
        assertEquals(0, v2.usedShare().ratio());
        assertEquals(0, v2.unreclaimableShare().ratio());
    }

    @Test
    void what_was_swapped_out_is_told_by_both_interfaces() {
        assertEquals(
                new Bytes(8192),
                v1("memory.stat", STAT_3_10, "memory.usage_in_bytes", "5\n").swapped());
        assertEquals(
                new Bytes(409_600),
                v2("memory.stat", STAT_6_18, "memory.swap.current", "409600\n").swapped());
    }

    @Test
    void hits_of_the_limit_and_kills_are_counted() {
        MemoryCgroup v2 = v2(
                "memory.stat",
                STAT_6_18,
                "memory.events",
                "low 0\nhigh 0\nmax 1234\noom 5\noom_kill 2\noom_group_kill 1\n");
        assertEquals(1234, v2.limitHits());
        assertEquals(2, v2.oomKills());
        // Linux 3.10 counts no kills
        MemoryCgroup v1 = v1(
                "memory.stat",
                STAT_3_10,
                "memory.usage_in_bytes",
                "5\n",
                "memory.failcnt",
                "267\n",
                "memory.oom_control",
                "oom_kill_disable 0\nunder_oom 0\n");
        assertEquals(267, v1.limitHits());
        assertEquals(0, v1.oomKills());
    }

    @Test
    void a_controller_that_is_not_enabled_for_a_cgroup_is_no_cgroup_that_uses_nothing() {
        // v2: memory.stat is there only where the parent's cgroup.subtree_control has memory
        var host = Recorded.host("recorded/absent", "/c/box/memory.stat\tnot-present\tno such file\n");
        assertEquals(
                AbsentCause.NOT_PRESENT,
                causeOf(MemoryCgroup.FACT.read(host, new CgroupId(CgroupId.Version.V2, "/c", "/box"))));
    }
}
