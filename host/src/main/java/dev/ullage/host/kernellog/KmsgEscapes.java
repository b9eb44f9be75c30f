// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// `/dev/kmsg` writes bytes below 32 and above 126, and the backslash, as `\x0a`: a record is always one line.
///
/// ```
/// anon 66846720\x0afile 0\x0akernel 262144
/// Stra\xc3\x9fe
/// ```
/// The bytes of one character stand next to each other, so runs of escapes are read as UTF-8 together.
final class KmsgEscapes {
    private KmsgEscapes() {}

    static String undo(String text) {
        if (text.indexOf('\\') < 0) return text;
        StringBuilder out = new StringBuilder(text.length());
        ByteArrayOutputStream run = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            int value = escaped(text, i);
            if (value >= 0) {
                run.write(value);
                i += 3;
                continue;
            }
            flush(run, out);
            out.append(text.charAt(i));
        }
        flush(run, out);
        return out.toString();
    }

    /// The byte that is escaped at `i`, or −1.
    private static int escaped(String text, int i) {
        if (text.charAt(i) != '\\' || i + 3 >= text.length() || text.charAt(i + 1) != 'x') return -1;
        int high = Character.digit(text.charAt(i + 2), 16);
        int low = Character.digit(text.charAt(i + 3), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static void flush(ByteArrayOutputStream run, StringBuilder out) {
        if (run.size() == 0) return;
        out.append(run.toString(StandardCharsets.UTF_8));
        run.reset();
    }
}
