// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A verdict explains a symptom, or it is a warning at most.
class ExplanationsTest {
    private record Of(Cause cause) implements Rule {
        @Override
        public String name() {
            return cause.word();
        }

        @Override
        public List<Fact<Host, ?>> needs() {
            return List.of();
        }

        @Override
        public Verdict judge(Evidence evidence) {
            throw new UnsupportedOperationException("not asked here");
        }
    }

    private static Finding found(Cause cause, Severity severity, Integer... pids) {
        Subject subject = new Subject(OptionalInt.empty(), "", "", "", "", Set.of(pids));
        return new Finding(new Of(cause), severity, 0.9, cause.word(), List.of(), "", subject, List.of());
    }

    private static Finding explained(CalmHost host, Finding finding) {
        return Explanations.of(host.evidence(), List.of(finding)).getFirst();
    }

    /// llama-server, pid 812, is found waiting whenever it is looked at.
    private static CalmHost waiting() {
        return new CalmHost().with("recorded/thread-states", "812\tpolls=58 waiting=50 running=4 sleeping=4\n");
    }

    private static CalmHost calm() {
        return new CalmHost();
    }

    @Test
    void a_critical_finding_that_nobody_feels_is_a_warning() {
        Finding finding = explained(calm(), found(Cause.CGROUP_LIMIT, Severity.CRITICAL, 812));
        assertEquals(Severity.WARNING, finding.severity());
        assertEquals(List.of(), finding.explains());
    }

    @Test
    void one_whose_server_waits_stays_critical_and_names_what_it_explains() {
        Finding finding = explained(waiting(), found(Cause.CGROUP_LIMIT, Severity.CRITICAL, 812));
        assertEquals(Severity.CRITICAL, finding.severity());
        assertEquals(List.of("llama-server (pid 812) waits 86 % of the time"), finding.explains());
    }

    @Test
    void another_servers_symptoms_are_not_its() {
        Finding finding = explained(waiting(), found(Cause.CGROUP_LIMIT, Severity.CRITICAL, 700));
        assertEquals(Severity.WARNING, finding.severity());
    }

    @Test
    void what_is_about_the_whole_host_explains_the_symptoms_of_all() {
        Finding finding = explained(waiting(), found(Cause.HOST_RAM, Severity.CRITICAL));
        assertEquals(List.of("llama-server (pid 812) waits 86 % of the time"), finding.explains());
    }

    @Test
    void a_full_disk_and_a_full_gpu_make_nobody_wait_in_the_kernel() {
        for (Cause cause : List.of(Cause.DISK_FULL, Cause.MAP_COUNT_LIMIT, Cause.VRAM_KV_CACHE, Cause.NOT_MEMORY)) {
            Finding finding = explained(waiting(), found(cause, Severity.CRITICAL, 812));
            assertEquals(Severity.WARNING, finding.severity(), cause.word());
            assertEquals(List.of(), finding.explains(), cause.word());
        }
    }

    @Test
    void a_failure_that_the_rule_itself_saw_is_enough_and_is_all_it_explains() {
        Finding full = found(Cause.DISK_FULL, Severity.CRITICAL, 812).explaining(true, "writes to /models fail");
        Finding finding = explained(waiting(), full);
        assertEquals(Severity.CRITICAL, finding.severity());
        assertEquals(List.of("writes to /models fail"), finding.explains());
        assertEquals(full, full.explaining(false, "nothing"));
    }

    @Test
    void a_warning_stays_one_and_advice_explains_nothing() {
        assertEquals(
                Severity.WARNING,
                explained(waiting(), found(Cause.CGROUP_LIMIT, Severity.WARNING, 812))
                        .severity());
        Finding advice = explained(waiting(), found(Cause.CGROUP_LIMIT, Severity.ADVICE, 812));
        assertEquals(Severity.ADVICE, advice.severity());
        assertEquals(List.of(), advice.explains());
    }

    @Test
    void the_verdict_explains_what_its_first_cause_does() {
        Diagnosis full = calm().with(
                        "recorded/statfs", "/\ttype=0xef53 bsize=4096 blocks=1000 bfree=0 bavail=0 files=1 ffree=1\n")
                .diagnosis();
        assertEquals(List.of("writes to / fail"), full.explains());
        assertEquals(List.of(), calm().diagnosis().explains());
    }
}
