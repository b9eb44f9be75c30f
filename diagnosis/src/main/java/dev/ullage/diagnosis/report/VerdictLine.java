// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Finding;
import java.util.stream.Collectors;

/// A whole diagnosis in one line, for logs: `critical[cold-start]: …`, `healthy: …`.
public final class VerdictLine {
    private VerdictLine() {}

    public static String of(Diagnosis diagnosis) {
        String rule = diagnosis.ranked().causes().stream()
                .filter(Finding::isAlarm)
                .findFirst()
                .map(finding -> "[" + finding.rule().name() + "]")
                .orElse("");
        String also = diagnosis.also().isEmpty()
                ? ""
                : "; also " + diagnosis.also().stream().map(Cause::word).collect(Collectors.joining(", "));
        return Visible.of(diagnosis.status().word() + rule + ": " + diagnosis.fullHeadline() + also);
    }
}
