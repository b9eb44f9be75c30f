// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

/// The state of a host or of one layer of it.
public enum Status {
    CRITICAL("critical"),
    WARNING("warning"),
    /// Looked at, and nothing is wrong.
    HEALTHY("healthy"),
    /// Not all of it could be seen, and what was seen is fine; or something is wrong that no cause explains.
    UNKNOWN("unknown"),
    /// There is no such layer on this host.
    ABSENT("absent");

    private final String word;

    Status(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    static Status of(Severity severity) {
        return switch (severity) {
            case CRITICAL -> CRITICAL;
            case WARNING -> WARNING;
            case ADVICE -> HEALTHY;
        };
    }
}
