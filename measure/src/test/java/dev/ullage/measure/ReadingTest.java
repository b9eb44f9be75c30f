// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ReadingTest {
    private static final Reading<Integer> REFUSED =
            Reading.absent("/proc/1/io", AbsentCause.NO_PERMISSION, "opening it said EACCES");

    @Test
    void the_reason_of_an_absence_survives_every_step_of_a_computation() {
        Reading<String> after = REFUSED.map(n -> n + 1).flatMap(n -> Reading.of("n=" + n));
        assertEquals(REFUSED.<String>map(String::valueOf), after);
    }

    @Test
    void asking_an_absent_reading_for_its_value_says_what_is_missing_and_why() {
        String said =
                assertThrows(IllegalStateException.class, REFUSED::orThrow).getMessage();
        assertEquals("/proc/1/io is absent (no-permission): opening it said EACCES", said);
    }

    @Test
    void a_malformed_reading_quotes_what_was_found_shortly() {
        Reading<Integer> reading = Reading.malformed("/proc/loadavg", "x".repeat(500), "three numbers");
        String detail = ((Reading.Absent<Integer>) reading).detail();
        assertEquals("found \"" + "x".repeat(60) + "…\", expected three numbers", detail);
    }

    @Test
    void what_is_not_there_is_none_and_what_was_not_looked_at_stays_absent() {
        for (AbsentCause cause : AbsentCause.values()) {
            Reading<String> absent = Reading.absent("/proc/mdstat", cause, "opening it said so");
            boolean isNone = cause == AbsentCause.NOT_PRESENT || cause == AbsentCause.NOT_ON_THIS_KERNEL;
            assertEquals(isNone ? Reading.of("none") : absent, absent.orIfThereIsNone("none"), cause.word());
        }
        assertEquals(Reading.of("some"), Reading.of("some").orIfThereIsNone("none"));
    }
}
