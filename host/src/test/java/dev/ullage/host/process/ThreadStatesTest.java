// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadStatesTest {
    @Test
    void shares_are_of_the_looks() {
        ThreadStates states =
                ThreadStates.parse("polls=60 waiting=45 running=12 sleeping=3").orThrow();
        assertEquals(0.75, states.waitingShare().ratio());
        assertEquals(0.2, states.runningShare().ratio());
    }

    @Test
    void a_process_nobody_looked_at_has_no_shares() {
        for (String text : List.of("", "polls=0 waiting=0", "polls=-1", "waiting=5"))
            assertEquals(AbsentCause.MALFORMED, causeOf(ThreadStates.parse(text)), text);
    }

    @Test
    void no_text_makes_more_than_all_of_the_time() {
        for (String text : HostileText.ALL)
            ThreadStates.parse(text).map(ThreadStates::waitingShare).map(share -> {
                assertTrue(share.ratio() >= 0 && share.ratio() <= 1, text);
                return share;
            });
        double share = ThreadStates.parse("polls=5 waiting=40 running=-3")
                .map(s -> s.waitingShare().ratio())
                .orElse(0.0);
        assertTrue(share <= 1, () -> "share " + share);
    }

    @Test
    void it_is_asked_by_the_number_of_the_process() {
        var host = Recorded.host("recorded/thread-states", "812\tpolls=2 waiting=1 running=1 sleeping=0\n");
        assertEquals(
                1, ThreadStates.FACT.read(host, new ProcessId(812, 1)).orThrow().waiting());
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(ThreadStates.FACT.read(host, new ProcessId(81, 1))));
    }
}
