// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.host.memory.HugePages.Pool;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.List;
import org.junit.jupiter.api.Test;

class HugePagesTest {
    private static final String FOLDER = "sys/kernel/mm/hugepages/";

    private static Reading<HugePages> reading(String... pathsAndTexts) {
        return HugePages.FACT.read(Recorded.host(pathsAndTexts), Host.THE_HOST);
    }

    private static HugePages pools(String... pathsAndTexts) {
        return reading(pathsAndTexts).orThrow();
    }

    @Test
    void a_pool_that_nobody_uses_is_lost_to_everybody() {
        HugePages pages = pools(
                FOLDER + "hugepages-2048kB/nr_hugepages", "1024\n",
                FOLDER + "hugepages-2048kB/free_hugepages", "1024\n",
                FOLDER + "hugepages-2048kB/resv_hugepages", "0\n",
                FOLDER + "hugepages-2048kB/surplus_hugepages", "0\n",
                FOLDER + "hugepages-1048576kB/nr_hugepages", "0\n",
                FOLDER + "hugepages-1048576kB/free_hugepages", "0\n");
        assertEquals(List.of(new Pool(Bytes.ofMiB(2), 1024, 1024, 0)), pages.pools(), "an empty pool takes nothing");
        assertEquals(Bytes.ofGiB(2), pages.setAside());
        assertEquals(Bytes.ofGiB(2), pages.idle());
        assertEquals(
                "/sys/kernel/mm/hugepages/hugepages-2048kB",
                pages.pools().getFirst().folder());
    }

    @Test
    void pages_of_one_gibibyte_count_though_meminfo_shows_none_of_them() {
        HugePages pages = pools(
                FOLDER + "hugepages-1048576kB/nr_hugepages", "8\n",
                FOLDER + "hugepages-1048576kB/free_hugepages", "3\n",
                FOLDER + "hugepages-1048576kB/resv_hugepages", "1\n",
                FOLDER + "hugepages-2048kB/nr_hugepages", "512\n",
                FOLDER + "hugepages-2048kB/free_hugepages", "0\n",
                FOLDER + "hugepages-2048kB/resv_hugepages", "0\n");
        assertEquals(Bytes.ofGiB(9), pages.setAside());
        assertEquals(Bytes.ofGiB(2), pages.idle(), "what is promised to a mapping is not idle");
        assertEquals(
                "/sys/kernel/mm/hugepages/hugepages-1048576kB",
                pages.pools().getFirst().folder());
    }

    @Test
    void an_arm_kernel_with_pages_of_64_kib_has_other_sizes() {
        HugePages pages = pools(
                FOLDER + "hugepages-524288kB/nr_hugepages", "4\n",
                FOLDER + "hugepages-524288kB/free_hugepages", "4\n",
                FOLDER + "hugepages-2048kB/nr_hugepages", "1\n",
                FOLDER + "hugepages-16777216kB/nr_hugepages", "0\n");
        assertEquals(Bytes.ofGiB(2).plus(Bytes.ofMiB(2)), pages.setAside());
        assertEquals(Bytes.ofGiB(2), pages.idle(), "a file that cannot be read frees nothing");
    }

    @Test
    void a_kernel_without_huge_pages_has_set_none_aside_and_one_that_was_not_looked_at_is_unknown() {
        assertEquals(
                List.of(),
                pools("recorded/absent", "/sys/kernel/mm/hugepages\tnot-on-this-kernel\tlisting it failed\n")
                        .pools());
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(reading("proc/meminfo", "MemTotal: 1 kB\n")));
        assertEquals(
                AbsentCause.NO_PERMISSION,
                causeOf(reading("recorded/absent", "/sys\tno-permission\topening it said EACCES\n")));
    }

    @Test
    void more_free_than_there_are_and_absurd_numbers_stay_within_the_pool() {
        Pool pool = pools(
                        FOLDER + "hugepages-2048kB/nr_hugepages", "10\n",
                        FOLDER + "hugepages-2048kB/free_hugepages", "4000\n",
                        FOLDER + "hugepages-2048kB/resv_hugepages", "9000\n",
                        FOLDER + "hugepages-x/nr_hugepages", "7\n",
                        FOLDER + "hugepages--4kB/nr_hugepages", "7\n",
                        FOLDER + "hugepages-kB/nr_hugepages", "7\n")
                .pools()
                .getFirst();
        assertEquals(10, pool.free());
        assertEquals(Bytes.NONE, pool.idle());
        for (String text : HostileText.ALL) {
            HugePages pages = pools(
                    FOLDER + "hugepages-2048kB/nr_hugepages", text,
                    FOLDER + "hugepages-2048kB/free_hugepages", text,
                    FOLDER + "hugepages-99999999999999999999kB/nr_hugepages", text);
            assertTrue(pages.setAside().bytes() >= 0 && pages.idle().bytes() >= 0, text);
        }
    }
}
