// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What happens after a stuck thing was given up.
@Timeout(60)
class DeadlineLateAnswersTest {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private static <T> T hang() {
        while (true) {
            try {
                NEVER.await();
            } catch (InterruptedException e) {
                // A read that is stuck in the kernel is not interrupted either.
                continue;
            }
        }
    }

    @Test
    void an_answer_that_comes_too_late_changes_nothing() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        List<String> answers = new Deadline()
                .each(
                        List.of(1, 2),
                        n -> {
                            if (n == 2) return "ok";
                            try {
                                release.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            done.countDown();
                            return "too late";
                        },
                        n -> "late");
        release.countDown();
        done.await();
        assertEquals(List.of("late", "ok"), answers);
    }

    @Test
    void our_own_mistake_after_a_hung_thing_is_still_ours() {
        IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> new Deadline()
                .each(
                        List.of(1, 2),
                        n -> {
                            if (n == 1) return hang();
                            throw new IllegalStateException("a bug");
                        },
                        n -> n));
        assertEquals("a bug", thrown.getMessage());
    }
}
