// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import java.util.List;

/// One trouble that a rule found.
///
/// @param headline lower case, no full stop, with the number that decides
/// @param so what it means for the server, in one sentence
/// @param confidence from 0 to 1; see [Signs]
/// @param explains the symptoms that it explains: `llama-server (pid 812) waits 63 % of the time`
public record Finding(
        Rule rule,
        Severity severity,
        double confidence,
        String headline,
        List<Saw> saw,
        String so,
        Subject subject,
        List<Remedy> remedies,
        List<String> explains) {
    /// Of a rule that sees no symptom itself: what the servers show is added later.
    public Finding(
            Rule rule,
            Severity severity,
            double confidence,
            String headline,
            List<Saw> saw,
            String so,
            Subject subject,
            List<Remedy> remedies) {
        this(rule, severity, confidence, headline, saw, so, subject, remedies, List.of());
    }

    /// With a failure that the rule itself saw, or one that it foretells within ten minutes: what makes it critical
    /// whatever the servers show.
    ///
    /// @param isSo whether it is; else nothing is added
    public Finding explaining(boolean isSo, String symptom) {
        return isSo ? explaining(List.of(symptom)) : this;
    }

    Finding explaining(List<String> symptoms) {
        return new Finding(rule, severity, confidence, headline, saw, so, subject, remedies, List.copyOf(symptoms));
    }

    Finding atMost(Severity ceiling) {
        return new Finding(rule, severity.atMost(ceiling), confidence, headline, saw, so, subject, remedies, explains);
    }

    public Cause cause() {
        return rule.cause();
    }

    public Layer layer() {
        return rule.layer();
    }

    public boolean isAlarm() {
        return severity.isAlarm();
    }
}
