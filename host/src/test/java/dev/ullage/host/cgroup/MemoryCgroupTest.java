// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Recorded;
import dev.ullage.host.cgroup.CgroupId.Version;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MemoryCgroupTest {
    private static final CgroupId V1 = new CgroupId(Version.V1, "/c", "/box");
    private static final CgroupId V2 = new CgroupId(Version.V2, "/c", "/box");

    private final Map<String, String> files = new HashMap<>();

    private MemoryCgroupTest with(String file, String text) {
        files.put("c/box/" + file, text);
        return this;
    }

    private Reading<MemoryCgroup> reading(CgroupId id) {
        String[] all = files.entrySet().stream()
                .flatMap(e -> Stream.of(e.getKey(), e.getValue()))
                .toArray(String[]::new);
        return MemoryCgroup.FACT.read(Recorded.host(all), id);
    }

    private MemoryCgroup read(CgroupId id) {
        return reading(id).orThrow();
    }

    @Test
    void page_cache_is_what_lies_on_disks_in_both_versions() {
        with("memory.usage_in_bytes", "1000\n").with("memory.current", "1000\n").with("memory.stat", """
                cache 1
                total_cache 700
                total_shmem 300
                file 500
                shmem 100
                """);
        assertEquals(new Bytes(400), read(V1).pageCache());
        assertEquals(new Bytes(400), read(V2).pageCache());
    }

    @Test
    void v1_counts_with_its_children_whatever_it_holds_itself() {
        MemoryCgroup cgroup = with("memory.usage_in_bytes", "1000\n")
                .with(
                        "memory.stat",
                        "cache 1\nrss 2\nshmem 3\nswap 4\ninactive_file 5\nactive_file 6\n"
                                + "total_rss 200\ntotal_shmem 300\ntotal_swap 400\n"
                                + "total_inactive_file 50\ntotal_active_file 60\n"
                                + "total_workingset_refault_anon 8\ntotal_workingset_refault_file 9\n")
                .read(V1);
        assertEquals(new Bytes(200), cgroup.anonymous());
        assertEquals(new Bytes(300), cgroup.shmem());
        assertEquals(new Bytes(400), cgroup.swapped());
        assertEquals(new Bytes(110), cgroup.reclaimableFile());
        assertEquals(new Bytes(890), cgroup.unreclaimable());
        assertEquals(9, cgroup.refaultedFilePages());
        assertEquals(8, cgroup.refaultedAnonPages());
    }

    @Test
    void v2_takes_its_own_names_and_not_those_of_v1() {
        MemoryCgroup cgroup = with("memory.current", "1000\n")
                .with("memory.stat", "anon 100\nshmem 10\ninactive_file 1\nactive_file 2\ntotal_rss 7\npgscan 55\n")
                .read(V2);
        assertEquals(new Bytes(100), cgroup.anonymous());
        assertEquals(new Bytes(10), cgroup.shmem());
        assertEquals(new Bytes(3), cgroup.reclaimableFile());
        assertEquals(55, cgroup.scannedPages());
    }

    @Test
    void a_v1_limit_is_one_up_to_an_exbibyte() {
        with("memory.usage_in_bytes", "512\n").with("memory.stat", "total_rss 1\n");
        assertEquals(
                Optional.of(Bytes.ofGiB(16)),
                with("memory.limit_in_bytes", "17179869184\n").read(V1).limit());
        // 2^63 - 4096 with 4 KiB pages, 2^63 - 65536 with 64 KiB pages, 2^64 - 1 as old kernels had it.
        for (String none : new String[] {"9223372036854771712", "9223372036854710272", "18446744073709551615", "-1"})
            assertEquals(
                    Optional.empty(),
                    with("memory.limit_in_bytes", none + "\n").read(V1).limit(),
                    none);
    }

    @Test
    void without_swap_accounting_v1_knows_no_swap_limit() {
        with("memory.usage_in_bytes", "512\n").with("memory.stat", "total_rss 1\n");
        with("memory.limit_in_bytes", "1024\n");
        assertEquals(Optional.empty(), read(V1).swapLimit());
        assertEquals(
                Optional.empty(),
                with("memory.memsw.limit_in_bytes", "9223372036854771712\n")
                        .read(V1)
                        .swapLimit());
        assertEquals(
                Optional.of(Bytes.NONE),
                with("memory.memsw.limit_in_bytes", "1024\n").read(V1).swapLimit());
    }

    @Test
    void memory_high_binds_below_max_and_alone_but_not_above_it() {
        with("memory.current", "500\n").with("memory.stat", "anon 100\n").with("memory.max", "1000\n");
        assertEquals(Optional.of(new Bytes(1000)), read(V2).bindingLimit());
        assertEquals(
                Optional.of(new Bytes(800)),
                with("memory.high", "800\n").read(V2).bindingLimit());
        assertEquals(new Ratio(0.625), read(V2).usedShare());
        assertEquals(
                Optional.of(new Bytes(1000)),
                with("memory.high", "2000\n").read(V2).bindingLimit());
        assertEquals(
                Optional.of(new Bytes(1000)),
                with("memory.high", "max\n").read(V2).bindingLimit());
        assertEquals(Optional.empty(), with("memory.max", "max\n").read(V2).bindingLimit());
        assertEquals(Ratio.NONE, read(V2).usedShare());
        assertEquals(Ratio.NONE, read(V2).unreclaimableShare());
    }

    @Test
    void v2_swap_of_max_is_no_limit_and_of_zero_is_no_swap() {
        with("memory.current", "500\n").with("memory.stat", "anon 100\n");
        assertEquals(Optional.empty(), with("memory.swap.max", "max\n").read(V2).swapLimit());
        assertEquals(
                Optional.of(Bytes.NONE), with("memory.swap.max", "0\n").read(V2).swapLimit());
    }

    @Test
    void a_kernel_that_tells_no_events_counts_none() {
        with("memory.current", "500\n").with("memory.stat", "anon 100\n");
        assertEquals(0, read(V2).limitHits());
        assertEquals(0, read(V2).oomKills());
        with("memory.events", "low 1\nhigh 3\nmax 4\noom 5\noom_kill 6\noom_group_kill 7\n");
        assertEquals(7, read(V2).limitHits());
        assertEquals(6, read(V2).oomKills());
    }

    @Test
    void page_cache_beyond_the_usage_does_not_make_a_negative_amount() {
        // The numbers of memory.stat lag behind usage: they are batched per CPU.
        with("memory.current", "500\n").with("memory.stat", "inactive_file 400\nactive_file 300\n");
        assertEquals(Bytes.NONE, read(V2).unreclaimable());
    }

    @Test
    void a_cgroup_that_is_gone_and_one_that_makes_no_sense_say_so() {
        assertEquals(AbsentCause.NOT_RECORDED, ((Absent<?>) reading(V1)).cause());
        with("memory.stat", "total_rss 1\n").with("memory.usage_in_bytes", "lots\n");
        assertEquals(AbsentCause.MALFORMED, ((Absent<?>) reading(V1)).cause());
    }
}
