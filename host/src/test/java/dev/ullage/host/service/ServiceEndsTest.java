// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.service;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.host.service.ServiceEnds.End;
import dev.ullage.measure.AbsentCause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServiceEndsTest {
    private static End end(String pairs) {
        return ServiceEnds.parse("unit\ta.service\t" + pairs + "\n").all().getFirst();
    }

    @Test
    void a_unit_and_a_container_that_died_are_told_apart() {
        List<End> ends = ServiceEnds.parse("""
                unit\tllama.service\tcode=killed status=9 result=oom-kill restarts=4 at=2026-03-01T09:56:00Z
                container\tvllm-prod\tid=3f1c runtime=docker exit=137 oom=true running=false restarts=3 at=2026-03-01T09:58:11.5Z
                """).all();
        assertEquals(
                new End(
                        "unit",
                        "llama.service",
                        "",
                        "SIGKILL",
                        true,
                        4,
                        false,
                        Optional.of(Instant.parse("2026-03-01T09:56:00Z"))),
                ends.getFirst());
        assertEquals(
                new End(
                        "container",
                        "vllm-prod",
                        "3f1c",
                        "SIGKILL",
                        true,
                        3,
                        false,
                        Optional.of(Instant.parse("2026-03-01T09:58:11.5Z"))),
                ends.getLast());
    }

    @Test
    void what_it_ended_with_is_a_word_and_137_alone_is_not_out_of_memory() {
        assertEquals("SIGKILL", end("exit=137").exit());
        assertFalse(end("exit=137").oom());
        assertEquals("SIGTERM", end("exit=143").exit());
        assertEquals("SIGSEGV", end("exit=139").exit());
        assertEquals("SIGBUS", end("code=dumped status=7").exit());
        assertEquals("SIGABRT", end("code=killed status=6").exit());
        assertEquals("signal 64", end("code=killed status=64").exit());
        assertEquals("exit status 1", end("code=exited status=1").exit());
        assertEquals("exit status 203", end("code=exited status=203").exit(), "EXEC of systemd");
        assertEquals("exit status 255", end("exit=255").exit());
        assertEquals("no exit status told", end("running=true restarts=3").exit());
        assertFalse(end("result=exit-code").oom());
        assertTrue(end("result=oom-kill").oom());
    }

    @Test
    void one_that_runs_again_says_so_and_a_time_that_is_none_is_unknown() {
        assertTrue(end("running=true").running());
        assertFalse(end("running=maybe").running());
        assertEquals(Optional.empty(), end("at=yesterday").at());
        assertEquals(0, end("restarts=-4").restarts());
        assertEquals(0, end("restarts=many").restarts());
    }

    @Test
    void other_lines_are_passed_over() {
        assertEquals(
                List.of(),
                ServiceEnds.parse("pod\ta\texit=1\nunit a.service exit=1\nunit\ta\n\n")
                        .all());
    }

    @Test
    void a_host_on_which_nothing_died_is_not_one_that_was_not_seen() {
        assertEquals(
                List.of(),
                ServiceEnds.FACT
                        .read(Recorded.host("recorded/service-ends", ""), Host.THE_HOST)
                        .orThrow()
                        .all());
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(ServiceEnds.FACT.read(Recorded.host("a", "b"), Host.THE_HOST)));
        for (String text : HostileText.ALL)
            for (End end : ServiceEnds.parse("container\t" + text + "\t" + text + " exit=" + text + "\n" + text)
                    .all()) assertTrue(end.restarts() >= 0 && !end.exit().isEmpty(), text);
    }
}
