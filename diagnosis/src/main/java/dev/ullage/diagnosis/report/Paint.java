// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.Status;

/// Colours for a terminal, or none (NO_COLOR, a pipe).
record Paint(boolean colour) {
    private static final String END = "\u001b[0m";

    String of(Status status, String text) {
        String code =
                switch (status) {
                    case CRITICAL -> "1;31";
                    case WARNING -> "1;33";
                    case HEALTHY -> "1;32";
                    case UNKNOWN, ABSENT -> "1;35";
                };
        return with(code, text);
    }

    String dim(String text) {
        return with("2", text);
    }

    String bold(String text) {
        return with("1", text);
    }

    private String with(String code, String text) {
        return colour && !text.isEmpty() ? "\u001b[" + code + "m" + text + END : text;
    }

    /// How many columns a text takes, its colours not counted.
    static int length(String text) {
        return text.replaceAll("\u001b\\[[0-9;]*m", "").length();
    }
}
