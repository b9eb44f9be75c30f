// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import org.junit.jupiter.api.Test;

class PinnedPagesTest {
    private static Bytes pinned(String text) {
        return PinnedPages.parse(text).orThrow().pinned();
    }

    @Test
    void what_was_pinned_and_not_released_is_pinned_now() {
        assertEquals(Bytes.ofGiB(2), pinned("""
                nr_written 12
                nr_foll_pin_acquired 56432617
                nr_foll_pin_released 55908329
                nr_kernel_stack 3264
                """));
        // This kernel, 6.18, at rest
        assertEquals(Bytes.NONE, pinned("nr_foll_pin_acquired 56432617\nnr_foll_pin_released 56432617\n"));
    }

    @Test
    void counters_that_were_read_in_the_middle_of_a_release_are_no_negative_memory() {
        assertEquals(Bytes.NONE, pinned("nr_foll_pin_acquired 100\nnr_foll_pin_released 101\n"));
        assertEquals(Bytes.NONE, pinned("nr_foll_pin_acquired 9223372036854775807\nnr_foll_pin_released -9\n"));
    }

    @Test
    void a_kernel_before_5_7_does_not_count_and_that_is_not_zero() {
        // Linux 4.18 (RHEL 8)
        assertEquals(AbsentCause.NOT_ON_THIS_KERNEL, causeOf(PinnedPages.parse("nr_free_pages 100\npgmajfault 12\n")));
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(PinnedPages.FACT.read(Recorded.host("a", "b"), Host.THE_HOST)));
        for (String text : HostileText.ALL)
            assertEquals(AbsentCause.NOT_ON_THIS_KERNEL, causeOf(PinnedPages.parse(text)), text);
    }

    @Test
    void the_fact_reads_vmstat() {
        PinnedPages pages = PinnedPages.FACT
                .read(Recorded.host("proc/vmstat", "nr_foll_pin_acquired 3\nnr_foll_pin_released 1\n"), Host.THE_HOST)
                .orThrow();
        assertEquals(Bytes.ofPages(2), pages.pinned());
        assertTrue(PinnedPages.source().contains("/proc/vmstat"));
    }
}
