// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.measure.Reading.Absent;
import java.util.List;

/// One rule's verdict in plain words, as the examples on its page give it.
public final class VerdictText {
    private VerdictText() {}

    public static String of(Rule rule, Verdict verdict) {
        StringBuilder text = new StringBuilder();
        switch (verdict) {
            case Verdict.Problem(List<Finding> findings) -> findings.forEach(finding -> finding(text, finding));
            case Verdict.Clear(String because) -> line(text, "clear[" + rule.name() + "]: " + because);
            case Verdict.NotApplicable(String because) -> line(text, "not applicable[" + rule.name() + "]: " + because);
            case Verdict.CannotTell(List<Absent<?>> missing) ->
                missing.forEach(absent -> line(
                        text,
                        "cannot tell[" + rule.name() + "]: " + absent.source() + " ("
                                + absent.cause().word() + ")"));
        }
        return text.toString();
    }

    private static void finding(StringBuilder text, Finding finding) {
        line(text, finding.severity().word() + "[" + finding.rule().name() + "]: " + finding.headline());
        for (Saw saw : finding.saw()) line(text, "  saw: " + saw.what() + " " + saw.text());
        line(text, "  confidence: " + finding.confidence());
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }
}
