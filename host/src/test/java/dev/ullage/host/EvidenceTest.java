// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ullage.host.memory.VmStat;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Reading.Absent;
import org.junit.jupiter.api.Test;

class EvidenceTest {
    private static Evidence evidence(String... files) {
        return Sampler.replay(new RecordedHost(Recorded.tree(files)), Focus.EVERYTHING);
    }

    private static String stat(int pid, long start, long ticks) {
        return pid + " (x) S 1 " + pid + " " + pid + " 0 -1 4194304 0 0 0 0 " + ticks + " 0 0 0 20 0 1 0 " + start
                + " 1000 10";
    }

    @Test
    void a_rate_is_the_increase_over_the_time_between() {
        Evidence evidence = evidence(
                "at-0.000/proc/vmstat",
                "pgmajfault 100\npswpin 0\n",
                "at-2.000/proc/vmstat",
                "pgmajfault 300\npswpin 0\n");
        assertEquals(new PerSecond(100), evidence.change(VmStat.FACT).orThrow().rate(VmStat::majorFaults));
    }

    @Test
    void a_counter_that_was_reset_makes_no_negative_rate() {
        Evidence evidence =
                evidence("at-0.000/proc/vmstat", "pgmajfault 1000\n", "at-2.000/proc/vmstat", "pgmajfault 10\n");
        assertEquals(new PerSecond(5), evidence.change(VmStat.FACT).orThrow().rate(VmStat::majorFaults));
    }

    @Test
    void one_instant_has_no_rates_and_says_why() {
        Evidence evidence = evidence("proc/vmstat", "pgmajfault 1000\n");
        assertFalse(evidence.hasWindow());
        assertEquals(AbsentCause.NOT_RECORDED, ((Absent<?>) evidence.change(VmStat.FACT)).cause());
    }

    @Test
    void a_process_that_got_the_number_of_another_is_not_compared_with_it() {
        Evidence evidence =
                evidence("at-0.000/proc/812/stat", stat(812, 100, 5000), "at-3.000/proc/812/stat", stat(812, 900, 7));
        assertFalse(evidence.change(ProcessStat.FACT, new ProcessId(812, 900)).isPresent());
        assertFalse(evidence.change(ProcessStat.FACT, new ProcessId(812, 100)).isPresent());
    }

    @Test
    void a_clock_that_stands_still_makes_no_window() {
        Evidence evidence = evidence(
                "at-0.000/recorded/clock",
                "- 5",
                "at-3.000/recorded/clock",
                "- 5",
                "at-0.000/proc/vmstat",
                "pgmajfault 1\n",
                "at-3.000/proc/vmstat",
                "pgmajfault 2\n");
        assertFalse(evidence.hasWindow());
        assertFalse(evidence.change(VmStat.FACT).isPresent());
    }
}
