// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProportionalMemoryTest {
    private static final String LINUX_6_18 = """
            55eb4ef2e000-7fff94e54000 ---p 00000000 00:00 0                          [rollup]
            Rss:             1100000 kB
            Pss:              312000 kB
            Pss_Dirty:        250000 kB
            Pss_Anon:         250000 kB
            Pss_File:          62000 kB
            Pss_Shmem:             0 kB
            Shared_Clean:     100000 kB
            Shared_Dirty:    1000000 kB
            Private_Clean:         0 kB
            Private_Dirty:         0 kB
            Referenced:      1100000 kB
            Anonymous:       1000000 kB
            KSM:                   0 kB
            Swap:                  0 kB
            SwapPss:               0 kB
            """;

    /// Ubuntu 18.04.
    private static final String LINUX_4_15 = """
            5581b2c33000-7ffe3a9f6000 ---p 00000000 00:00 0                          [rollup]
            Rss:              900000 kB
            Pss:              700000 kB
            Shared_Clean:     100000 kB
            Shared_Dirty:          0 kB
            Private_Clean:    100000 kB
            Private_Dirty:    600000 kB
            Anonymous:        650000 kB
            Swap:                  0 kB
            """;

    @Test
    void four_workers_that_forked_share_what_they_did_not_write() {
        assertEquals(
                new ProportionalMemory(Bytes.ofKiB(312_000), Bytes.ofKiB(250_000), Bytes.ofKiB(1_000_000)),
                ProportionalMemory.parse(LINUX_6_18).orThrow());
    }

    @Test
    void before_5_9_what_is_private_and_dirty_stands_for_its_share() {
        assertEquals(
                new ProportionalMemory(Bytes.ofKiB(700_000), Bytes.ofKiB(600_000), Bytes.ofKiB(650_000)),
                ProportionalMemory.parse(LINUX_4_15).orThrow());
    }

    @Test
    void private_file_pages_are_not_counted_as_anonymous() {
        assertEquals(
                Bytes.ofKiB(10),
                ProportionalMemory.parse("Pss: 500 kB\nPrivate_Dirty: 400 kB\nAnonymous: 10 kB\n")
                        .orThrow()
                        .proportionalAnonymous());
    }

    @Test
    void what_has_no_pss_is_malformed() {
        // A process that ended while its smaps_rollup was open gives an empty file.
        for (String text : List.of("", "Rss: 1 kB\n", "Pss_Anon: 1 kB\n", "Pss:\n"))
            assertEquals(AbsentCause.MALFORMED, causeOf(ProportionalMemory.parse(text)), text);
    }
}
