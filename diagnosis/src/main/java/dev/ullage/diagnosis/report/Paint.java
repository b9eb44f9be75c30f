// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.Status;

/// Colours for a terminal, or none (NO_COLOR, a pipe).
record Paint(boolean colour) {
    /// Stand for a colour until the text is whole: escapes that are in it before came from the host.
    private static final char FROM = '\ue000';

    private static final char TO = '\ue001';
    private static final String END = FROM + "0" + TO;

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
        return colour && !text.isEmpty() ? FROM + code + TO + text + END : text;
    }

    /// How many columns a text takes, its colours not counted.
    static int length(String text) {
        return text.replaceAll(FROM + "[0-9;]*" + TO, "").length();
    }

    /// The colours as a terminal wants them.
    static String applied(String text) {
        return text.replaceAll(FROM + "([0-9;]*)" + TO, "\u001b[$1m");
    }
}
