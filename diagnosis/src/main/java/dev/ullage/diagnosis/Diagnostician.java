// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.diagnosis.Diagnosis.CouldNotSee;
import dev.ullage.diagnosis.Diagnosis.RuledOut;
import dev.ullage.diagnosis.Differential.Ranked;
import dev.ullage.host.Cadence;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading.Absent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Asks every rule, ranks what they found, and says what is left.
///
/// It is the engine that says "cannot tell", not the rule: a rule whose needs are absent is not asked, so no rule can
/// take "not seen" for "not there".
public final class Diagnostician {
    private final List<Rule> rules;

    public Diagnostician(List<Rule> rules) {
        this.rules = rules;
    }

    /// What one rule says, its needs looked after.
    public static Verdict ask(Rule rule, Evidence evidence) {
        List<Absent<?>> missing = new ArrayList<>();
        for (Fact<Host, ?> need : rule.needs())
            if (evidence.latest(need) instanceof Absent<?> absent) missing.add(absent);
        if (missing.isEmpty() && rule.needsWindow() && !evidence.hasWindow())
            missing.add(new Absent<>("a window", AbsentCause.NOT_RECORDED, "rates need two instants; there was one"));
        if (missing.isEmpty() && rule.needsWindow())
            for (Fact<Host, ?> need : rule.needs())
                if (need.cadence() != Cadence.ONCE
                        && need.cadence() != Cadence.END
                        && evidence.change(need) instanceof Absent<?> absent) missing.add(absent);
        return missing.isEmpty() ? rule.judge(evidence) : new Verdict.CannotTell(missing);
    }

    /// @param kind `live`, `capture`, `recording`
    /// @param name what the host is called
    public Diagnosis diagnose(Evidence evidence, String kind, String name) {
        List<Finding> findings = new ArrayList<>();
        List<RuledOut> ruledOut = new ArrayList<>();
        Map<String, CouldNotSee> couldNotSee = new LinkedHashMap<>();
        for (Rule rule : rules) {
            switch (ask(rule, evidence)) {
                case Verdict.Problem(List<Finding> found) -> findings.addAll(found);
                case Verdict.Clear(String because) -> ruledOut.add(new RuledOut(rule, because, true));
                case Verdict.NotApplicable(String because) -> ruledOut.add(new RuledOut(rule, because, false));
                case Verdict.CannotTell(List<Absent<?>> missing) ->
                    missing.forEach(absent -> couldNotSee.putIfAbsent(
                            absent.source(),
                            new CouldNotSee(
                                    absent.source(),
                                    absent.source(),
                                    absent.cause().word(),
                                    helpFor(absent))));
            }
        }
        Visibility visibility = new Visibility(evidence);
        visibility.couldNotSee().forEach(c -> couldNotSee.put(c.source(), c));
        Ranked ranked = Differential.rank(Explanations.of(evidence, findings));
        Summary summary = Summary.of(evidence, ranked, visibility);
        return new Diagnosis(
                evidence,
                kind,
                name,
                summary.status(),
                summary.cause(),
                summary.confidence(),
                summary.headline(),
                summary.numbers(),
                summary.cause()
                        .map(c -> Differential.independentOf(c, ranked.causes()))
                        .orElse(List.of()),
                summary.layers(),
                ranked,
                withoutFound(ruledOut, findings, summary.cause()),
                List.copyOf(couldNotSee.values()),
                Death.in(evidence));
    }

    /// A cause that one rule found is not ruled out by another rule of the same cause. Advice finds no cause: a host
    /// without swap is not out of memory; but the verdict may be advice, of a server that is idle.
    private static List<RuledOut> withoutFound(
            List<RuledOut> ruledOut, List<Finding> findings, Optional<Cause> verdict) {
        List<Cause> found = new ArrayList<>(
                findings.stream().filter(Finding::isAlarm).map(Finding::cause).toList());
        verdict.ifPresent(found::add);
        return ruledOut.stream().filter(r -> !found.contains(r.rule().cause())).toList();
    }

    private static String helpFor(Absent<?> absent) {
        return switch (absent.cause()) {
            case NO_PERMISSION -> "run as root";
            case NOT_RECORDED -> "look for a while: ullage diagnose --for 10s";
            case NOT_ON_THIS_KERNEL, NOT_PRESENT, NOT_CONFIGURED, VANISHED, MALFORMED, TIMED_OUT -> "";
        };
    }

    static Optional<Finding> worst(Ranked ranked) {
        return ranked.causes().stream().filter(Finding::isAlarm).findFirst();
    }
}
