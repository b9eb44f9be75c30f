// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostileText;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalEndsTest {
    /// What `journalctl --output=export --output-fields=…` of systemd 252 printed of a journal file: an OOM kill, a
    /// unit of a user's manager, and an entry that a user's program wrote to look like a death.
    private static final String EXPORT = """
            __CURSOR=s=176639c8b8034600aef67e9a7b957447;i=1;b=6ba9bd5d1a1a4a8a8f0a1f0f1f0f1f0f;m=4c48e8;t=6618a3d15a754;x=f15c9e993fc7967a
            __REALTIME_TIMESTAMP=1796096218474324
            __MONOTONIC_TIMESTAMP=4999400
            _BOOT_ID=6ba9bd5d1a1a4a8a8f0a1f0f1f0f1f0f
            _PID=1
            MESSAGE_ID=fe6faa94e7774663a0da52717891d8ef
            UNIT=llama.service

            __CURSOR=s=176639c8b8034600aef67e9a7b957447;i=2;b=6ba9bd5d1a1a4a8a8f0a1f0f1f0f1f0f;m=4c48e9;t=6618a3d24e994;x=2bea73ed460b9103
            __REALTIME_TIMESTAMP=1796096219474324
            __MONOTONIC_TIMESTAMP=4999401
            _BOOT_ID=6ba9bd5d1a1a4a8a8f0a1f0f1f0f1f0f
            _PID=1
            UNIT=llama.service
            MESSAGE_ID=98e322203f7a4ed290d09fe03c09fe15
            EXIT_CODE=killed
            EXIT_STATUS=9

            __REALTIME_TIMESTAMP=1796096219474324
            _PID=1
            UNIT=llama.service
            MESSAGE_ID=d9b373ed55a64feb8242e02dbe79a49c
            UNIT_RESULT=oom-kill

            __REALTIME_TIMESTAMP=1796096224474324
            _PID=1
            UNIT=llama.service
            MESSAGE_ID=5eb03494b6584870a536b337290809b3
            N_RESTARTS=3

            __REALTIME_TIMESTAMP=1796096318474324
            MESSAGE_ID=98e322203f7a4ed290d09fe03c09fe15
            _PID=901
            USER_UNIT=ollama.service
            EXIT_CODE=exited
            EXIT_STATUS=1

            __REALTIME_TIMESTAMP=1796096418474324
            MESSAGE_ID=98e322203f7a4ed290d09fe03c09fe15
            EXIT_CODE=killed
            EXIT_STATUS=9
            _PID=4242
            UNIT=vllm.service

            """;

    private static final Instant LONG_AGO = Instant.EPOCH;

    private static List<String> lines(String export) {
        return JournalEnds.lines(export, LONG_AGO);
    }

    private static String entry(long second, String fields) {
        return "__REALTIME_TIMESTAMP=" + second + "000000\n_PID=1\nUNIT=a.service\n" + fields.replace(' ', '\n')
                + "\n\n";
    }

    @Test
    void an_oom_kill_a_restart_and_a_users_unit_become_one_line_a_unit_and_a_forged_entry_none() {
        assertEquals(
                List.of(
                        "unit\tllama.service\tcode=killed status=9 result=oom-kill restarts=3 at=2026-12-01T03:36:59.474324Z",
                        "unit\tollama.service\tcode=exited status=1 at=2026-12-01T03:38:38.474324Z"),
                lines(EXPORT));
    }

    @Test
    void what_is_older_is_no_news() {
        assertEquals(
                List.of("unit\tollama.service\tcode=exited status=1 at=2026-12-01T03:38:38.474324Z"),
                JournalEnds.lines(EXPORT, Instant.parse("2026-12-01T03:38:00Z")));
    }

    @Test
    void the_last_end_of_a_unit_counts() {
        String exit = "MESSAGE_ID=98e322203f7a4ed290d09fe03c09fe15 EXIT_CODE=";
        String restart = "MESSAGE_ID=5eb03494b6584870a536b337290809b3 N_RESTARTS=";
        assertEquals(
                List.of("unit\ta.service\tcode=exited status=1 restarts=2 at=2026-03-01T09:03:20Z"),
                lines(entry(1772355600, exit + "dumped EXIT_STATUS=11")
                        + entry(1772355700, restart + "1")
                        + entry(1772355800, exit + "exited EXIT_STATUS=1")
                        + entry(1772355830, restart + "2")));
    }

    @Test
    void a_start_that_timed_out_and_a_helper_that_was_killed_have_a_time_too() {
        assertEquals(
                List.of("unit\ta.service\tresult=timeout at=2026-03-01T09:00:00Z"),
                lines(entry(1772355600, "MESSAGE_ID=d9b373ed55a64feb8242e02dbe79a49c UNIT_RESULT=timeout")));
        assertEquals(
                List.of("unit\ta.service\tresult=oom-kill at=2026-03-01T09:00:00Z"),
                lines(entry(1772355600, "MESSAGE_ID=fe6faa94e7774663a0da52717891d8ef")));
        assertEquals(
                List.of("unit\ta.service\trestarts=7 at=2026-03-01T09:00:00Z"),
                lines(entry(1772355600, "MESSAGE_ID=5eb03494b6584870a536b337290809b3 N_RESTARTS=7")));
    }

    @Test
    void ends_that_are_none_and_units_that_are_no_services_are_left_out() {
        String exit = "MESSAGE_ID=98e322203f7a4ed290d09fe03c09fe15 EXIT_CODE=exited EXIT_STATUS=";
        assertEquals(List.of(), lines(entry(1772355600, exit + "0")));
        assertEquals(List.of(), lines(entry(1772355600, exit + "1").replace("a.service", "mnt-models.mount")));
        assertEquals(List.of(), lines(entry(1772355600, "MESSAGE_ID=39f53479d3a045ac8e11786248231fbf")));
        assertEquals(List.of(), lines(""));
    }

    @Test
    void a_name_of_several_words_stays_one_and_hostile_text_makes_no_line_of_its_own() {
        String exit = "MESSAGE_ID=98e322203f7a4ed290d09fe03c09fe15\nEXIT_CODE=exited\nEXIT_STATUS=1 at=x\n\n";
        assertEquals(
                List.of("unit\ta_b_c.service\tcode=exited status=1_at=x at=2026-03-01T09:00:00Z"),
                lines("__REALTIME_TIMESTAMP=1772355600000000\n_PID=1\nUNIT=a b\tc.service\n" + exit));
        for (String text : HostileText.ALL)
            for (String line : lines(text + "\n" + entry(1772355600, "EXIT_CODE=" + text) + text + EXPORT))
                assertEquals(3, line.split("\t", -1).length, text);
    }

    @Test
    void the_command_asks_for_the_fields_that_are_read_and_bounds_its_answer() {
        String command = String.join(" ", JournalEnds.COMMAND);
        for (String field : List.of(
                "MESSAGE_ID", "UNIT", "USER_UNIT", "EXIT_CODE", "EXIT_STATUS", "UNIT_RESULT", "N_RESTARTS", "_PID"))
            assertTrue(command.contains(field), field);
        // 344 bytes an entry in the export above.
        assertTrue(command.contains("--lines=1000") && 1000 * 500 < HostPrograms.LONGEST_OUTPUT);
    }

    @Test
    void the_journal_of_this_host_is_asked_where_there_is_one() {
        List<String> lines =
                JournalEnds.read(Instant.now().minusSeconds(86_400)).orElse(List.of());
        for (String line : lines) assertTrue(line.startsWith("unit\t") && line.contains("at="), line);
        assertTrue(
                JournalEnds.read(Instant.now().plusSeconds(60))
                        .orElse(List.of())
                        .isEmpty(),
                "nothing has ended yet");
    }
}
