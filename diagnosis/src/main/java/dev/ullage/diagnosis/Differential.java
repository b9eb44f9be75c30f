// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Orders findings by cause, not by loudness.
///
/// A thrash shows as page faults, a busy disk, a waiting server and IO pressure: four alarms, one trouble. Each rule
/// names the rules whose problems its own accounts for; a finding is a symptom when a finding of such a rule is
/// about the same servers. What is left is the verdict. If two are left that do not explain each other, there are two
/// troubles, and both are said.
public final class Differential {
    /// @param causes findings nothing accounts for, the verdict first
    /// @param symptoms the others, each with its cause
    public record Ranked(List<Finding> causes, List<Symptom> symptoms) {}

    public record Symptom(Finding finding, Finding cause) {}

    private static final Comparator<Finding> WORST_FIRST = Comparator.comparing(Finding::severity)
            .thenComparing(f -> -f.confidence())
            .thenComparing(f -> f.cause())
            .thenComparing(f -> f.subject().pid().orElse(0))
            .thenComparing(Finding::headline);

    private Differential() {}

    public static Ranked rank(List<Finding> findings) {
        List<Finding> sorted = findings.stream().sorted(WORST_FIRST).toList();
        List<Finding> causes = new ArrayList<>();
        List<Symptom> symptoms = new ArrayList<>();
        for (Finding finding : sorted) {
            causeOf(finding, sorted)
                    .ifPresentOrElse(cause -> symptoms.add(new Symptom(finding, cause)), () -> causes.add(finding));
        }
        return new Ranked(causes, symptoms);
    }

    /// The finding at the end of the chain: a duplicate that fills a cgroup that thrashes. Where findings account for
    /// each other in a circle, the worst of the circle is the end.
    private static Optional<Finding> causeOf(Finding finding, List<Finding> all) {
        Finding at = finding;
        List<Finding> passed = new ArrayList<>(List.of(finding));
        while (true) {
            Optional<Finding> above = directCause(at, all);
            if (above.isEmpty()) break;
            int again = indexOf(passed, above.get());
            if (again >= 0) {
                List<Finding> circle = passed.subList(again, passed.size());
                at = all.stream()
                        .filter(f -> indexOf(circle, f) >= 0)
                        .findFirst()
                        .orElse(at);
                break;
            }
            at = above.get();
            passed.add(at);
        }
        return at == finding ? Optional.empty() : Optional.of(at);
    }

    /// By identity: two findings of one rule may be equal in every part.
    private static int indexOf(List<Finding> findings, Finding finding) {
        for (int i = 0; i < findings.size(); i++) if (findings.get(i) == finding) return i;
        return -1;
    }

    private static Optional<Finding> directCause(Finding finding, List<Finding> all) {
        return all.stream()
                .filter(cause -> cause != finding && accountsFor(cause, finding))
                .findFirst();
    }

    /// Advice explains no alarm; it may explain other advice.
    private static boolean accountsFor(Finding cause, Finding symptom) {
        boolean weighsEnough = cause.isAlarm() || !symptom.isAlarm();
        return weighsEnough
                && cause.rule().accountsFor().contains(symptom.rule().name())
                && cause.subject().overlaps(symptom.subject());
    }

    /// The causes of the catalogue that stand beside the first one.
    static List<Cause> independentOf(Cause first, List<Finding> causes) {
        return causes.stream()
                .filter(Finding::isAlarm)
                .map(Finding::cause)
                .distinct()
                .filter(c -> c != first)
                .toList();
    }
}
