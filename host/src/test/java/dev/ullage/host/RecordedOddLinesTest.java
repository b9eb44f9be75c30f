// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static dev.ullage.host.Absence.causeOf;
import static dev.ullage.host.Absence.detailOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.AbsentCause;
import org.junit.jupiter.api.Test;

/// What may stand in a recorded root that nobody expected there.
class RecordedOddLinesTest {
    private static final RecordedHost HOST = new RecordedHost(Recorded.tree(
            "proc/1/stat", "always",
            "at-0.000/proc/812/stat", "first",
            "at-0.000/proc/900/stat", "first",
            "at-1.500/recorded/absent", "/proc/812\tvanished\tit ended\n/proc/900/io\tno-permission\n",
            "at-3.000/proc/812/stat", "another",
            "at-3.000/proc/1000/stat", "late"));

    @Test
    void an_absence_without_a_detail_still_says_something() {
        assertTrue(detailOf(HOST.at(1).text("/proc/900/io")).length() > 3);
    }

    @Test
    void odd_lines_among_the_absences_harm_nobody() {
        HostRoot host = Recorded.host(
                "recorded/absent",
                "\n\t\n/\n/proc/1\n\tvanished\n/proc/2\t\n\0\n/proc/3\tvanished\n",
                "proc/1/stat",
                "1");
        assertEquals("1", host.text("/proc/1/stat").orThrow());
        assertEquals(AbsentCause.VANISHED, causeOf(host.text("/proc/3/stat")));
    }

    @Test
    void an_absence_of_a_path_says_nothing_of_the_answer_of_a_call_about_it_elsewhere() {
        HostRoot host = Recorded.host(
                "recorded/absent",
                "/recorded/statfs:/mnt\ttimed-out\tit hung\n",
                "recorded/stat",
                "/mnt\tdev=1:2 ino=1 size=1 kind=other\n");
        assertTrue(host.ask(Call.STAT, "/mnt").isPresent());
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(host.ask(Call.STATFS, "/mnt2")));
    }

    @Test
    void a_root_with_a_folder_that_is_called_like_an_instant_and_is_none_has_one_instant() {
        RecordedHost host = new RecordedHost(Recorded.tree("at-work/x", "1", "atlas/y", "2", "proc/z", "3"));
        assertEquals(1, host.instants());
        assertEquals("3", host.at(0).text("/proc/z").orThrow());
    }
}
