// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessStatTest {
    private static ProcessStat stat(String text) {
        return ProcessStat.parse(text).orThrow();
    }

    @Test
    void a_line_of_linux_6_18_is_read() {
        ProcessStat head =
                stat("8535 (head) R 8516 8516 13677 0 -1 4194304 103 0 7 0 3 4 0 0 20 0 1 0 997818 2998272 398 "
                        + "18446744073709551615 94451201552384 94451201576489 140722243176800 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 "
                        + "94451201592336 94451201593952 94451629195264 140722243185370 140722243185395 140722243185395 "
                        + "140722243186666 0\n");
        assertEquals(new ProcessId(8535, 997_818), head.id());
        assertEquals('R', head.state());
        assertEquals(8516, head.parent());
        assertEquals(13_677, head.session());
        assertEquals(7, head.majorFaults());
        assertEquals(3, head.userTicks());
        assertEquals(4, head.systemTicks());
        assertEquals(new Bytes(2_998_272), head.virtualSize());
        assertEquals(398, head.residentPages());
        assertEquals(0, head.delayedTicks());
    }

    @Test
    void a_line_of_linux_3_10_is_shorter_at_its_end_only() {
        ProcessStat java = stat(
                "24572 (java) S 1 24572 24572 0 -1 4202496 9918442 0 812 0 1882934 312233 0 0 20 0 187 0 "
                        + "104412 20742791168 1340217 18446744073709551615 4194304 4196484 140736302431008 140736302413536 "
                        + "139706403934967 0 0 0 16800975 18446744073709551615 0 0 17 3 0 0 5512 0 0 6293624 6294260 17371136\n");
        assertEquals(187, java.threads());
        assertEquals(5512, java.delayedTicks(), "delay accounting was on by default");
    }

    @Test
    void names_with_everything_in_them_shift_no_field() {
        String rest = " D 1 2 3 0 -1 4194304 5 0 7 0 11 13 0 0 20 0 9 0 99 4096 1";
        for (String name : List.of("tmux: server", "(sd-pam)", "a) R 7 (b", "", "))((", "python3 -m x", "a\nb", ") S"))
            assertEquals(name, stat("812 (" + name + ")" + rest).command(), name);
        assertEquals(1, stat("812 (a) R 7 (b)" + rest).parent());
    }

    @Test
    void kernel_threads_of_old_and_new_kernels_are_told_by_flag_and_not_by_name() {
        assertTrue(stat("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 4 0 0 18446744073709551615")
                .isKernelThread());
        assertTrue(stat("9 (ksoftirqd/0) S 2 0 0 0 -1 69238848 0 0 0 0 0 1 0 0 20 0 1 0 4 0 0 18446744073709551615")
                .isKernelThread());
        assertFalse(stat("500 (kworker/0:1) S 1 500 500 0 -1 4194560 0 0 0 0 0 1 0 0 20 0 1 0 4 90000000 9000")
                .isKernelThread());
    }

    @Test
    void a_zombie_and_a_process_of_another_session_are_read() {
        ProcessStat zombie =
                stat("77 (sh) Z 1 77 77 0 -1 4227084 0 0 0 0 0 0 0 0 20 0 1 0 500 0 0 18446744073709551615 0");
        assertEquals('Z', zombie.state());
        assertEquals(Bytes.NONE, zombie.resident());
    }

    @Test
    void half_lines_are_malformed_wherever_they_break() {
        String whole = "812 (x) S 1 2 3 0 -1 4194304 5 0 7 0 11 13 0 0 20 0 9 0 99 4096 1";
        for (int end = 0; end < whole.length() - 1; end++) {
            String half = whole.substring(0, end).stripTrailing();
            if (half.endsWith("4096")) break;
            if (half.endsWith("4") || half.endsWith("40") || half.endsWith("409")) continue;
            assertEquals(AbsentCause.MALFORMED, causeOf(ProcessStat.parse(half)), half);
        }
    }

    @Test
    void a_resident_size_beyond_any_memory_stays_positive() {
        ProcessStat stat = stat("812 (x) S 1 2 3 0 -1 4194304 5 0 7 0 11 13 0 0 20 0 9 0 99 4096 9223372036854775807");
        assertTrue(stat.resident().isMoreThan(Bytes.NONE));
    }
}
