// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cpu;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostileText;
import dev.ullage.measure.AbsentCause;
import java.util.List;
import org.junit.jupiter.api.Test;

class CpuTimeTest {
    @Test
    void a_host_of_two_cpus_is_read_whatever_follows() {
        // Linux 6.18
        CpuTime cpu = CpuTime.parse("""
                cpu  347462 0 176125 1352536 98440 0 3610 14368 0 0
                cpu0 176083 0 97046 656675 58586 0 837 7161 0 0
                cpu1 171378 0 79079 695861 39853 0 2773 7207 0 0
                intr 17643714 0 0 0 0 0
                ctxt 21989825
                btime 1796077630
                processes 786455
                procs_running 7
                procs_blocked 3
                softirq 5411505 0 312760 7 16394
                """).orThrow();
        assertEquals(new CpuTime(347_462, 176_125 + 3_610, 1_352_536, 98_440, 14_368, 2, 3), cpu);
    }

    @Test
    void guests_are_part_of_user_already() {
        // A KVM host on Linux 4.18: columns 9 and 10 are guest and guest_nice.
        CpuTime cpu = CpuTime.parse(
                        "cpu  5000 100 300 9000 10 0 5 0 4000 50\ncpu0 5000 100 300 9000 10 0 5 0 4000 50\n")
                .orThrow();
        assertEquals(5_100, cpu.user());
    }

    @Test
    void a_host_with_offline_cpus_counts_the_ones_that_run() {
        assertEquals(
                2,
                CpuTime.parse("cpu  4 0 0 0 0 0 0 0 0 0\ncpu0 2 0 0 0 0 0 0 0 0 0\ncpu63 2 0 0 0 0 0 0 0 0 0\n")
                        .orThrow()
                        .cpus());
    }

    @Test
    void a_file_without_cpu_lines_has_one_cpu_at_least() {
        // lxcfs while the cpuacct controller is missing
        assertEquals(1, CpuTime.parse("cpu  0 0 0 0 0 0 0 0 0 0\n").orThrow().cpus());
    }

    @Test
    void half_a_line_is_malformed() {
        for (String text : List.of("", "cpu", "cpu ", "cpu  1 2 3", "cpu0 1 2 3 4 5 6 7", "intr 1 2 3 4 5"))
            assertEquals(AbsentCause.MALFORMED, causeOf(CpuTime.parse(text)), text);
    }

    @Test
    void hostile_numbers_never_become_negative_time() {
        for (String text : HostileText.ALL) {
            CpuTime.parse("cpu " + text);
            if (CpuTime.parse(text).isPresent()) {
                CpuTime cpu = CpuTime.parse(text).orThrow();
                assertTrue(cpu.user() >= 0 && cpu.system() >= 0 && cpu.idle() >= 0, text);
            }
        }
    }
}
