// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.host.server.Workload;
import dev.ullage.measure.Ratio;

/// How bad a finding is, the worst first.
public enum Severity {
    /// A server fails, was killed, or waited for half of the window or more; or will within ten minutes.
    CRITICAL("critical"),
    /// It waited for a tenth of the window or more, fails within a day, or a hard limit is 95 % used by what cannot be
    /// reclaimed.
    WARNING("warning"),
    /// Worth knowing; never changes the status.
    ADVICE("advice");

    /// From here on waiting is critical, from there on worth a warning.
    public static final double CRITICAL_STALL = 0.5;

    public static final double WARNING_STALL = 0.1;

    private final String word;

    Severity(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /// The severity of having waited for a share of the window.
    public static Severity ofStall(Ratio waited) {
        if (waited.isAtLeast(CRITICAL_STALL)) return CRITICAL;
        return waited.isAtLeast(WARNING_STALL) ? WARNING : ADVICE;
    }

    /// Critical is for servers: another process that thrashes is worth a warning.
    public Severity forWhat(Workload workload) {
        return workload.isServer() ? this : atMost(WARNING);
    }

    public boolean isAlarm() {
        return this != ADVICE;
    }

    public Severity atMost(Severity ceiling) {
        return compareTo(ceiling) < 0 ? ceiling : this;
    }
}
