// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CounterTest {
    @Test
    void an_increase_is_the_difference() {
        assertEquals(7, Counter.increase(3, 10));
    }

    @Test
    void a_counter_that_was_reset_counts_from_zero() {
        assertEquals(10, Counter.increase(1_000, 10));
    }

    @Test
    void an_increase_is_never_negative_whatever_the_kernel_says() {
        Random random = new Random(25);
        for (int i = 0; i < 10_000; i++) {
            long before = Math.abs(random.nextLong());
            assertTrue(Counter.increase(before, Math.abs(random.nextLong())) >= 0);
            assertTrue(Counter.increase(before, random.nextLong()) >= 0);
        }
    }
}
