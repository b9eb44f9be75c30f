// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private static String hang() {
        try {
            NEVER.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "too late";
    }

    @Test
    void answers_come_in_order() {
        List<Integer> things = IntStream.range(0, 1000).boxed().toList();
        assertEquals(things, new Deadline().each(things, n -> n, n -> -1));
    }

    @Test
    void a_thing_that_never_answers_costs_its_own_answer_only() {
        List<String> answers =
                new Deadline().each(List.of(1, 2, 3), n -> n == 2 ? hang() : "answer " + n, n -> "late " + n);
        assertEquals(List.of("answer 1", "late 2", "answer 3"), answers);
    }

    @Test
    void a_hundred_stuck_things_share_one_budget() {
        List<Integer> things = IntStream.range(0, 100).boxed().toList();
        List<String> answers = new Deadline().each(things, n -> hang(), n -> "late");
        assertEquals(100, answers.stream().filter("late"::equals).count());
    }

    @Test
    void our_own_mistakes_are_not_swallowed() {
        assertThrows(IllegalStateException.class, () -> new Deadline()
                .each(
                        List.of(1),
                        n -> {
                            throw new IllegalStateException("a bug");
                        },
                        n -> n));
    }

    @Test
    void nothing_to_do_is_done_at_once() {
        assertEquals(List.of(), new Deadline().each(List.of(), n -> n, n -> n));
    }

    /// What the first statfs is on a host without a free processor: it loads classes for a second.
    @Test
    void a_thing_that_is_slow_because_it_computes_is_not_late() {
        List<String> answers = new Deadline().each(List.of(1, 2), n -> computeFor(800), n -> "late");
        assertEquals(List.of("computed", "computed"), answers);
    }

    @Test
    void a_thing_that_computes_for_ever_is_late_all_the_same() {
        long began = System.nanoTime();
        List<String> answers =
                new Deadline().each(List.of(1, 2), n -> n == 1 ? computeFor(60_000) : "answer " + n, n -> "late " + n);
        assertEquals(List.of("late 1", "answer 2"), answers);
        assertTrue(System.nanoTime() - began < 30_000_000_000L, "it took more than 30 s");
    }

    @Test
    void things_with_a_second_of_their_own_are_waited_for_together() {
        long began = System.nanoTime();
        List<String> answers = new Deadline()
                .together(
                        List.of(1, 2, 3, 4), n -> n == 2 ? sleep(600) : n == 4 ? "answer 4" : hang(), n -> "late " + n);
        assertEquals(List.of("late 1", "slow", "late 3", "answer 4"), answers);
        assertTrue(System.nanoTime() - began < 4_000_000_000L, "it took more than 4 s");
        assertThrows(IllegalStateException.class, () -> new Deadline()
                .together(
                        List.of(1),
                        n -> {
                            throw new IllegalStateException("a bug");
                        },
                        n -> n));
    }

    private static String sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return "slow";
    }

    private static String computeFor(long milliseconds) {
        long end = System.nanoTime() + milliseconds * 1_000_000;
        while (System.nanoTime() < end) Thread.onSpinWait();
        return "computed";
    }
}
