// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.memory.VmStat;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Seconds;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeTest {
    private static final Seconds TWO = new Seconds(2);

    @Test
    void a_counter_that_was_reset_counts_from_zero() {
        Change<Long> change = new Change<>(1_000_000L, 30L, TWO);
        assertEquals(30, change.increase(n -> n));
        assertEquals(new PerSecond(15), change.rate(n -> n));
        assertEquals(new Bytes(30), change.moved(Bytes::new));
        assertEquals(new BytesPerSecond(15), change.movedRate(Bytes::new));
    }

    @Test
    void an_amount_may_shrink_and_a_counter_may_not() {
        Change<Bytes> change = new Change<>(Bytes.ofMiB(10), Bytes.ofMiB(4), TWO);
        assertEquals(Bytes.ofMiB(-6), change.growth(b -> b));
        assertEquals(Bytes.ofMiB(4), change.moved(b -> b));
    }

    @Test
    void a_share_of_the_window_lies_between_nothing_and_all() {
        assertEquals(new Ratio(0.25), new Change<>(1.0, 1.5, TWO).share(Seconds::new));
        assertEquals(new Ratio(1), new Change<>(1.0, 9.0, TWO).share(Seconds::new));
        assertEquals(new Ratio(0), new Change<>(9.0, 1.0, TWO).share(Seconds::new));
    }

    private static Evidence evidence(String firstClock, String lastClock) {
        return Sampler.replay(
                new RecordedHost(Recorded.tree(
                        "at-0.000/recorded/clock",
                        firstClock,
                        "at-1.000/recorded/clock",
                        lastClock,
                        "at-0.000/proc/vmstat",
                        "pgmajfault 100\n",
                        "at-1.000/proc/vmstat",
                        "pgmajfault 400\n")),
                Focus.EVERYTHING);
    }

    @Test
    void a_step_of_the_wall_clock_makes_no_rate() {
        for (String wall : new String[] {"2036-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "-", "yesterday"}) {
            Evidence evidence = evidence("2026-11-30T22:00:00Z 100", wall + " 103.0");
            assertEquals(
                    new PerSecond(100), evidence.change(VmStat.FACT).orThrow().rate(VmStat::majorFaults), wall);
        }
        assertEquals(
                Optional.of(Instant.parse("2026-11-30T22:00:00Z")),
                evidence("2026-11-30T22:00:00Z 100", "- 1").from().wall());
    }

    @Test
    void a_monotonic_clock_that_goes_back_makes_no_rate_and_no_window() {
        Evidence evidence = evidence("- 103", "- 100");
        assertFalse(evidence.hasWindow());
        assertFalse(evidence.change(VmStat.FACT).isPresent());
        assertTrue(evidence.latest(VmStat.FACT).isPresent());
    }

    private static String stat(long start, long ticks) {
        return "812 (x) S 1 812 812 0 -1 4194304 0 0 0 0 " + ticks + " 0 0 0 20 0 1 0 " + start + " 1000 10";
    }

    @Test
    void a_process_number_that_was_given_again_is_another_process() {
        RecordedHost host = new RecordedHost(Recorded.tree(
                "at-0.000/proc/812/stat", stat(100, 5000),
                "at-1.000/proc/812/stat", stat(100, 5100),
                "at-2.000/proc/812/stat", stat(900, 7),
                "at-3.000/proc/812/stat", stat(900, 9)));
        Evidence evidence = Sampler.replay(host, Focus.EVERYTHING);
        assertFalse(evidence.change(ProcessStat.FACT, new ProcessId(812, 900)).isPresent());
        assertEquals(
                5000,
                evidence.lastSeen(ProcessStat.FACT, new ProcessId(812, 100))
                        .orThrow()
                        .ticks());
    }
}
