// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class QuantityTest {
    @Test
    void bytes_are_shown_in_binary_units_with_one_decimal() {
        assertEquals("0 B", Bytes.NONE.shown());
        assertEquals("1023 B", new Bytes(1023).shown());
        assertEquals("1.0 KiB", new Bytes(1024).shown());
        assertEquals("600.0 MiB", Bytes.ofMiB(600).shown());
        assertEquals("23.5 GiB", Bytes.ofKiB(24_684_084).shown());
        assertEquals("-3.0 MiB", Bytes.ofMiB(-3).shown());
    }

    @Test
    void an_amount_just_below_the_next_unit_is_not_shown_as_1024_of_the_smaller() {
        assertEquals("1.0 MiB", new Bytes((1 << 20) - 1).shown());
    }

    @Test
    void kib_of_meminfo_are_1024_bytes_and_pages_of_vmstat_4096() {
        assertEquals(1024, Bytes.ofKiB(1).bytes());
        assertEquals(4096, Bytes.ofPages(1).bytes());
    }

    @Test
    void a_share_of_nothing_is_nothing_not_infinity() {
        assertEquals(0, Bytes.ofMiB(5).shareOf(Bytes.NONE).ratio());
        assertEquals(0, new Seconds(3).shareOf(Seconds.NONE).ratio());
        assertEquals(0, Bytes.ofMiB(5).over(Seconds.NONE).bytesPerSecond());
    }

    @Test
    void the_time_for_an_amount_at_no_rate_is_never() {
        assertEquals("never", BytesPerSecond.NONE.timeFor(Bytes.ofGiB(1)).shown());
        assertEquals("20 s", BytesPerSecond.ofMiB(1024).timeFor(Bytes.ofGiB(20)).shown());
    }

    @Test
    void times_are_shown_in_the_unit_a_person_would_say() {
        assertEquals("0.4 ms", new Seconds(0.0004).shown());
        assertEquals("250 ms", new Seconds(0.25).shown());
        assertEquals("3.0 s", new Seconds(3).shown());
        assertEquals("2 min", new Seconds(110).shown());
        assertEquals("2.0 h", new Seconds(7200).shown());
    }

    @Test
    void ratios_are_shown_as_percent_and_small_ones_do_not_vanish() {
        assertEquals("32 %", new Ratio(0.324).shown());
        assertEquals("0.3 %", new Ratio(0.003).shown());
        assertEquals("198 %", new Ratio(1.98).shown());
    }

    @Test
    void absurd_amounts_saturate_and_never_wrap_around() {
        Bytes most = new Bytes(Long.MAX_VALUE);
        Bytes least = new Bytes(Long.MIN_VALUE);
        assertEquals(most, most.plus(most));
        assertEquals(most, Bytes.ofKiB(Long.MAX_VALUE));
        assertEquals(least, Bytes.ofPages(Long.MIN_VALUE));
        assertEquals(most, most.minus(least));
        assertEquals(least, least.minus(most));
        assertEquals(new Bytes(-1), most.plus(least));
    }
}
