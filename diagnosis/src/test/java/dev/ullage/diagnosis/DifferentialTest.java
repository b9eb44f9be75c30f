// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.diagnosis.Differential.Ranked;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DifferentialTest {
    private record Named(String name, Cause cause, Set<String> accountsFor) implements Rule {
        @Override
        public List<Fact<Host, ?>> needs() {
            return List.of();
        }

        @Override
        public Verdict judge(Evidence evidence) {
            return new Verdict.Clear("never asked");
        }
    }

    private static final Rule COPIES = new Named("copies", Cause.DUPLICATE_COPIES, Set.of("limit"));
    private static final Rule LIMIT = new Named("limit", Cause.CGROUP_LIMIT, Set.of("thrash", "busy-disk"));
    private static final Rule THRASH = new Named("thrash", Cause.PAGE_CACHE_THRASH, Set.of("busy-disk"));
    private static final Rule BUSY_DISK = new Named("busy-disk", Cause.SLOW_DISK, Set.of());

    private static Finding found(Rule rule, Severity severity, Integer... pids) {
        Subject subject = new Subject(OptionalInt.empty(), "", "", "", "", Set.of(pids));
        return new Finding(rule, severity, 0.9, rule.name(), List.of(), "", subject, List.of());
    }

    private static List<String> names(List<Finding> findings) {
        return findings.stream().map(f -> f.rule().name()).toList();
    }

    @Test
    void the_cause_comes_first_however_loud_its_symptoms_are() {
        Ranked ranked = Differential.rank(List.of(
                found(BUSY_DISK, Severity.CRITICAL, 1),
                found(THRASH, Severity.CRITICAL, 1),
                found(LIMIT, Severity.WARNING, 1)));
        assertEquals(List.of("limit"), names(ranked.causes()));
        assertEquals(2, ranked.symptoms().size());
    }

    @Test
    void a_chain_of_causes_ends_at_its_beginning() {
        Ranked ranked = Differential.rank(List.of(
                found(COPIES, Severity.WARNING, 1),
                found(LIMIT, Severity.WARNING, 1),
                found(THRASH, Severity.WARNING, 1)));
        assertEquals(List.of("copies"), names(ranked.causes()));
        assertEquals(
                Set.of("copies"),
                Set.copyOf(ranked.symptoms().stream()
                        .map(s -> s.cause().rule().name())
                        .toList()));
    }

    @Test
    void a_cause_explains_only_what_its_own_servers_suffer() {
        Ranked ranked =
                Differential.rank(List.of(found(LIMIT, Severity.CRITICAL, 1), found(BUSY_DISK, Severity.WARNING, 2)));
        assertEquals(List.of("limit", "busy-disk"), names(ranked.causes()));
        assertEquals(List.of(Cause.SLOW_DISK), Differential.independentOf(Cause.CGROUP_LIMIT, ranked.causes()));
    }

    @Test
    void a_finding_about_the_whole_host_is_about_every_server() {
        Ranked ranked = Differential.rank(List.of(found(LIMIT, Severity.CRITICAL), found(THRASH, Severity.WARNING, 2)));
        assertEquals(List.of("limit"), names(ranked.causes()));
    }

    @Test
    void advice_explains_no_alarm() {
        Ranked ranked =
                Differential.rank(List.of(found(LIMIT, Severity.ADVICE, 1), found(THRASH, Severity.CRITICAL, 1)));
        assertEquals(List.of("thrash", "limit"), names(ranked.causes()));
    }

    @Test
    void the_same_cause_twice_is_no_second_cause() {
        Ranked ranked =
                Differential.rank(List.of(found(LIMIT, Severity.CRITICAL, 1), found(LIMIT, Severity.WARNING, 2)));
        assertEquals(List.of(), Differential.independentOf(Cause.CGROUP_LIMIT, ranked.causes()));
    }
}
