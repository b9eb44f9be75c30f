// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import java.util.regex.Pattern;

/// Text from a host made visible: what a reader would not see, or what would rearrange what they see, is written as
/// its number.
///
/// A process may call itself `llama\u202egnihton` (right-to-left override) or end its name with an escape sequence;
/// shown as it is, the report would say something else than what is there.
///
/// `\x1b` stands for a control character, `\u202e` for one that formats, hides or is no character at all.
final class Visible {
    private static final Pattern HIDDEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\x{fffe}\\x{ffff}]");

    private Visible() {}

    static String of(String text) {
        return HIDDEN.matcher(text).replaceAll(m -> {
            int c = m.group().codePointAt(0);
            return String.format(c < 0x100 ? "\\\\x%02x" : c < 0x10000 ? "\\\\u%04x" : "\\\\u{%x}", c);
        });
    }
}
