// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.Differential.Ranked;
import dev.ullage.diagnosis.rules.Rules;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
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
        return sure(rule, severity, 0.9, pids);
    }

    private static Finding sure(Rule rule, Severity severity, double confidence, Integer... pids) {
        Subject subject = new Subject(OptionalInt.empty(), "", "", "", "", Set.of(pids));
        return new Finding(rule, severity, confidence, rule.name(), List.of(), "", subject, List.of());
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

    @Test
    void a_chain_may_pass_through_findings_of_one_server_to_another_only_by_a_shared_one() {
        // The limit is about 1 and 2; the disk of 2 is busy because of it.
        Ranked ranked = Differential.rank(List.of(
                found(LIMIT, Severity.CRITICAL, 1, 2),
                found(THRASH, Severity.CRITICAL, 1),
                found(BUSY_DISK, Severity.WARNING, 2)));
        assertEquals(List.of("limit"), names(ranked.causes()));
        assertEquals(2, ranked.symptoms().size());
    }

    @Test
    void advice_may_explain_advice() {
        Ranked ranked = Differential.rank(List.of(found(LIMIT, Severity.ADVICE, 1), found(THRASH, Severity.ADVICE, 1)));
        assertEquals(List.of("limit"), names(ranked.causes()));
    }

    @Test
    void an_alarm_explains_advice() {
        Ranked ranked =
                Differential.rank(List.of(found(THRASH, Severity.ADVICE, 1), found(LIMIT, Severity.WARNING, 1)));
        assertEquals(List.of("limit"), names(ranked.causes()));
        assertEquals("thrash", ranked.symptoms().getFirst().finding().rule().name());
    }

    @Test
    void causes_come_worst_first_then_surest_then_in_the_order_of_the_catalogue() {
        Ranked ranked = Differential.rank(List.of(
                found(BUSY_DISK, Severity.WARNING, 4),
                found(LIMIT, Severity.ADVICE, 3),
                sure(THRASH, Severity.WARNING, 0.97, 2),
                found(COPIES, Severity.CRITICAL, 1),
                found(LIMIT, Severity.WARNING, 5)));
        assertEquals(List.of("copies", "thrash", "limit", "busy-disk", "limit"), names(ranked.causes()));
    }

    @Test
    void the_order_in_which_rules_were_asked_does_not_matter() {
        List<Finding> findings = List.of(
                found(BUSY_DISK, Severity.CRITICAL, 1),
                found(THRASH, Severity.WARNING, 1),
                found(LIMIT, Severity.WARNING, 2),
                found(COPIES, Severity.WARNING, 3));
        List<Finding> shuffled = new ArrayList<>(findings);
        Ranked ranked = Differential.rank(findings);
        for (int seed = 0; seed < 24; seed++) {
            Collections.shuffle(shuffled, new Random(seed));
            assertEquals(ranked, Differential.rank(shuffled));
        }
    }

    @Test
    void rules_that_account_for_each_other_in_a_circle_still_leave_a_cause() {
        Rule a = new Named("a", Cause.HOST_RAM, Set.of("b"));
        Rule b = new Named("b", Cause.CGROUP_LIMIT, Set.of("c"));
        Rule c = new Named("c", Cause.PAGE_CACHE_THRASH, Set.of("a"));
        Ranked ranked = Differential.rank(
                List.of(found(a, Severity.WARNING), found(b, Severity.CRITICAL, 1), found(c, Severity.WARNING, 1)));
        assertEquals(List.of("b"), names(ranked.causes()));
        assertEquals(2, ranked.symptoms().size());
    }

    @Test
    void every_finding_is_a_cause_or_has_one_that_is_a_cause() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            List<Finding> findings = new ArrayList<>();
            for (Rule rule : Rules.ALL)
                if (random.nextBoolean())
                    findings.add(found(rule, Severity.values()[random.nextInt(3)], random.nextInt(2)));
            Ranked ranked = Differential.rank(findings);
            assertEquals(
                    findings.size(), ranked.causes().size() + ranked.symptoms().size());
            for (var symptom : ranked.symptoms())
                assertTrue(
                        ranked.causes().contains(symptom.cause()),
                        () -> symptom.finding().rule().name() + " has the cause "
                                + symptom.cause().rule().name() + ", which is none, in " + names(findings));
        }
    }
}
