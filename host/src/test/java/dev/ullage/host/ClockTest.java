// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.measure.Seconds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClockTest {
    @Test
    void wall_and_monotonic_are_read() {
        assertEquals(
                new Clock(Optional.of(Instant.parse("2026-11-30T22:28:17.123Z")), new Seconds(4567.891)),
                Clock.parse("2026-11-30T22:28:17.123Z 4567.891\n"));
    }

    @Test
    void half_a_clock_is_half_a_clock() {
        assertEquals(new Clock(Optional.empty(), new Seconds(5)), Clock.parse("- 5"));
        assertEquals(
                Optional.of(Instant.EPOCH), Clock.parse("1970-01-01T00:00:00Z").wall());
        assertEquals(new Seconds(7), Clock.parse("tomorrow 7").monotonic());
    }

    @Test
    void no_clock_is_no_clock() {
        for (String text : List.of("", " ", "\0", "- x", "x y z"))
            assertEquals(new Clock(Optional.empty(), Seconds.NONE), Clock.parse(text), text);
    }
}
