// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DeadlineLimitsTest {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private static int hang() {
        try {
            NEVER.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return -1;
    }

    private static double secondsOf(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e9;
    }

    @Test
    void order_is_kept_around_things_that_never_answer() {
        List<Integer> things = IntStream.range(0, 200).boxed().toList();
        List<Integer> answers = new Deadline().each(things, n -> n % 50 == 7 ? hang() : n, n -> -n);
        for (int n : things) assertEquals(n % 50 == 7 ? -n : n, answers.get(n));
    }

    @Test
    void the_first_and_the_last_may_be_the_stuck_ones() {
        assertEquals(List.of(-1, 2, -3), new Deadline().each(List.of(1, 2, 3), n -> n == 2 ? n : hang(), n -> -n));
    }

    @Test
    void sixty_stuck_things_cost_about_two_seconds_and_a_healthy_one_among_them_is_answered() {
        List<Integer> things = IntStream.range(0, 60).boxed().toList();
        double seconds = secondsOf(() -> {
            List<Integer> answers = new Deadline().each(things, n -> n == 59 ? n : hang(), n -> -1);
            assertEquals(59, answers.get(59));
        });
        assertTrue(seconds < 5, () -> seconds + " s");
    }

    @Test
    void the_budget_is_shared_by_all_calls() {
        Deadline deadline = new Deadline();
        double seconds = secondsOf(() -> {
            for (int i = 0; i < 30; i++)
                assertEquals(List.of("late"), deadline.each(List.of(i), n -> "answer " + hang(), n -> "late"));
        });
        assertTrue(seconds < 5, () -> seconds + " s");
    }

    @Test
    void a_slow_thing_that_answers_in_time_is_not_late() {
        List<String> answers = new Deadline()
                .each(
                        List.of(1, 2, 3),
                        n -> {
                            try {
                                Thread.sleep(60);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            return "answer " + n;
                        },
                        n -> "late");
        assertEquals(List.of("answer 1", "answer 2", "answer 3"), answers);
    }

    @Test
    void healthy_things_are_done_once_each() {
        AtomicInteger done = new AtomicInteger();
        new Deadline().each(IntStream.range(0, 5000).boxed().toList(), n -> done.incrementAndGet(), n -> 0);
        assertEquals(5000, done.get());
    }

    @Test
    void a_mistake_after_healthy_things_is_thrown_as_it_is() {
        IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> new Deadline()
                .each(
                        List.of(1, 2, 3),
                        n -> {
                            if (n == 2) throw new IllegalStateException("a bug");
                            return n;
                        },
                        n -> -n));
        assertEquals("a bug", thrown.getMessage());
    }

    @Test
    void an_error_of_ours_is_no_thing_that_hangs() {
        // Syscalls throws AssertionError; it must not come out as "timed-out".
        assertThrows(AssertionError.class, () -> new Deadline()
                .each(
                        List.of(1),
                        n -> {
                            throw new AssertionError("a bug");
                        },
                        n -> n));
    }
}
