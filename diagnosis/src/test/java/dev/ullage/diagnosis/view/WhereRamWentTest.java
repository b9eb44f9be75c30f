// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.view.MemoryPart.Kind;
import dev.ullage.host.Evidence;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.List;
import org.junit.jupiter.api.Test;

class WhereRamWentTest {
    private static final String MODEL = "/models/qwen3-8b-q4_k_m.gguf";

    private static WhereRamWent of(CalmHost host) {
        return WhereRamWent.of(host.evidence()).orThrow();
    }

    private static MemoryPart part(WhereRamWent ram, String name) {
        return ram.parts().stream()
                .filter(p -> p.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + ram.parts()));
    }

    private static void isWhole(WhereRamWent ram) {
        assertEquals(
                ram.total(),
                Bytes.sum(ram.parts().stream().map(MemoryPart::bytes).toList()));
        assertTrue(ram.parts().stream().allMatch(p -> p.bytes().bytes() > 0), ram.parts()::toString);
        List<Kind> kinds = ram.parts().stream().map(MemoryPart::kind).toList();
        assertEquals(kinds.stream().sorted().toList(), kinds);
    }

    @Test
    void the_parts_are_all_of_the_ram_and_come_in_order() {
        WhereRamWent ram = of(new CalmHost());
        isWhole(ram);
        assertEquals(Bytes.ofKiB(65_536_000), ram.total());
        assertEquals(Bytes.ofKiB(52_428_800), ram.available());
        assertEquals(Bytes.ofKiB(4_096_000), part(ram, "free").bytes());
        assertEquals(Bytes.ofKiB(102_400), part(ram, "shared memory and tmpfs").bytes());
    }

    @Test
    void a_server_is_named_however_small_and_the_rest_is_others() {
        WhereRamWent ram = of(new CalmHost());
        assertEquals(Bytes.ofKiB(307_200), part(ram, "llama-server (pid 812)").bytes());
        assertEquals(
                Bytes.ofKiB(8_192_000 - 307_200), part(ram, "other processes").bytes());
    }

    @Test
    void what_is_shared_after_fork_counts_once() {
        WhereRamWent ram = of(new CalmHost()
                .with("proc/812/smaps_rollup", "Pss: 100000 kB\nPss_Anon: 76800 kB\nAnonymous: 307200 kB\n"));
        assertEquals(Bytes.ofKiB(76_800), part(ram, "llama-server (pid 812)").bytes());
    }

    @Test
    void page_cache_is_told_by_model() {
        WhereRamWent ram = of(new CalmHost());
        MemoryPart model = part(ram, "qwen3-8b-q4_k_m.gguf");
        assertEquals(Kind.MODEL_CACHE, model.kind());
        assertEquals(MODEL, model.detail());
        assertEquals(Bytes.ofPages(1_203_200), model.bytes());
        // Cached and Buffers without Shmem, without the model.
        assertEquals(
                Bytes.ofKiB(49_152_000 + 204_800 - 102_400).minus(model.bytes()),
                part(ram, "page cache of other files").bytes());
    }

    @Test
    void a_model_in_tmpfs_is_shared_memory_that_stays() {
        CalmHost host = new CalmHost()
                .with("proc/self/mountinfo", """
                        25 1 259:1 / / rw,relatime - ext4 /dev/nvme0n1p1 rw
                        26 25 0:44 / /models rw - tmpfs tmpfs rw
                        27 25 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
                        """)
                .with("recorded/stat", MODEL + "\tdev=0:44 ino=1234 size=4928307200 uid=0 kind=file\n")
                .with("proc/812/maps", "7f0000000000-7f0125c00000 r--s 00000000 00:2c 1234 " + MODEL + "\n")
                .with("proc/meminfo", """
                        MemTotal: 65536000 kB
                        MemFree: 4096000 kB
                        MemAvailable: 52428800 kB
                        Cached: 49152000 kB
                        AnonPages: 8192000 kB
                        Shmem: 6000000 kB
                        """);
        WhereRamWent ram = of(host);
        isWhole(ram);
        assertEquals(Kind.SHARED, part(ram, "qwen3-8b-q4_k_m.gguf").kind());
        assertEquals(
                Bytes.ofKiB(6_000_000).minus(Bytes.ofPages(1_203_200)),
                part(ram, "shared memory and tmpfs").bytes());
    }

    @Test
    void the_files_of_a_split_model_are_one_part() {
        CalmHost host = new CalmHost();
        String first = "/models/big-00001-of-00002.gguf";
        String second = "/models/big-00002-of-00002.gguf";
        host.with(
                        "proc/812/maps",
                        "7f0000000000-7f0040000000 r--s 00000000 103:01 1234 " + first
                                + "\n7f0040000000-7f0080000000 r--s 00000000 103:01 1235 " + second + "\n")
                .with(
                        "recorded/stat",
                        first + "\tdev=259:1 ino=1234 size=1073741824 uid=0 kind=file\n" + second
                                + "\tdev=259:1 ino=1235 size=1073741824 uid=0 kind=file\n")
                .with("recorded/head", first + "\t4747554603000000\n" + second + "\t4747554603000000\n")
                .with(
                        "recorded/cachestat",
                        first + "\tcached=200000 dirty=0 writeback=0 by=cachestat\n" + second
                                + "\tcached=100000 dirty=0 writeback=0 by=cachestat\n");
        assertEquals(
                Bytes.ofPages(300_000),
                part(of(host), "big-*-of-00002.gguf (2 files)").bytes());
    }

    @Test
    void huge_pages_nobody_uses_are_set_apart() {
        WhereRamWent ram = of(new CalmHost().with("proc/meminfo", """
                MemTotal: 65536000 kB
                MemFree: 4096000 kB
                MemAvailable: 20000000 kB
                Cached: 20000000 kB
                AnonPages: 8192000 kB
                HugePages_Total: 8192
                HugePages_Free: 6144
                Hugepagesize: 2048 kB
                Hugetlb: 16777216 kB
                """));
        isWhole(ram);
        assertEquals(Bytes.ofGiB(12), part(ram, "huge pages reserved, unused").bytes());
        assertEquals(Bytes.ofGiB(4), part(ram, "huge pages in use").bytes());
    }

    @Test
    void counters_that_say_more_than_there_is_do_not_make_more() {
        WhereRamWent ram = of(new CalmHost().with("proc/meminfo", """
                MemTotal: 1000 kB
                MemFree: 600 kB
                MemAvailable: 5000 kB
                AnonPages: 300 kB
                Shmem: 18446744073709551615 kB
                Cached: 9223372036854775807 kB
                Slab: 400 kB
                """));
        isWhole(ram);
        assertEquals(Bytes.ofKiB(1000), ram.available());
        assertEquals(Bytes.ofKiB(600), part(ram, "free").bytes());
        assertFalse(ram.parts().stream().anyMatch(p -> p.kind() == Kind.SLAB), ram.parts()::toString);
    }

    @Test
    void without_meminfo_there_is_a_reason_and_no_picture() {
        Evidence evidence = new CalmHost().without("proc/meminfo").evidence();
        assertTrue(WhereRamWent.of(evidence) instanceof Reading.Absent<?>);
    }

    @Test
    void a_limit_is_cut_into_what_is_used_and_room() {
        List<WhereLimitWent> all = WhereLimitWent.of(new CalmHost().evidence());
        assertEquals(1, all.size());
        WhereLimitWent unit = all.getFirst();
        assertEquals("/system.slice/llama.service", unit.cgroup().id().path());
        assertEquals(
                unit.limit(),
                Bytes.sum(unit.parts().stream().map(MemoryPart::bytes).toList()));
        assertEquals(
                Bytes.ofGiB(16).minus(new Bytes(5_300_000_000L)),
                unit.parts().getLast().bytes());
        assertEquals("room", unit.parts().getLast().name());
    }

    @Test
    void a_limit_that_is_exceeded_has_no_room() {
        String folder = "sys/fs/cgroup/system.slice/llama.service/";
        WhereLimitWent unit = WhereLimitWent.of(new CalmHost()
                        .with(folder + "memory.high", "4000000000\n")
                        .evidence())
                .getFirst();
        assertEquals(new Bytes(5_300_000_000L), unit.limit());
        assertTrue(unit.parts().stream().noneMatch(p -> p.kind() == Kind.FREE), unit.parts()::toString);
    }

    @Test
    void without_a_limit_there_is_nothing_to_cut() {
        assertEquals(
                List.of(),
                WhereLimitWent.of(new CalmHost()
                        .with("sys/fs/cgroup/system.slice/llama.service/memory.max", "max\n")
                        .evidence()));
    }
}
