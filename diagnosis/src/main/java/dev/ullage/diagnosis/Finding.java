// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import java.util.List;

/// One trouble that a rule found.
///
/// @param headline lower case, no full stop, with the number that decides
/// @param so what it means for the server, in one sentence
/// @param confidence from 0 to 1; see [Signs]
public record Finding(
        Rule rule,
        Severity severity,
        double confidence,
        String headline,
        List<Saw> saw,
        String so,
        Subject subject,
        List<Remedy> remedies) {
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
