// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Says of bytes that are no log what they are, so that nobody waits for a model file to be read as one.
final class NotText {
    /// Text has colours, tabs and form feeds, and in a log that a crash cut, runs of zeros. Of the other 25 control
    /// characters it has none; random bytes have one in ten.
    private static final double MOST_CONTROLS = 0.02;

    private NotText() {}

    /// @param head the first bytes, unpacked, as UTF-8
    /// @return what it is and what to do, completing "NAME …"; empty for text
    static Optional<String> why(byte[] head, int length) {
        if (begins(head, length, "\u007fELF")) return Optional.of("is a program");
        if (begins(head, length, "GGUF")) return Optional.of("is a GGUF model, no log; `ullage fit` reads models");
        if (length > 9 && head[8] == '{' && head[6] == 0 && head[7] == 0 && head[5] == 0)
            return Optional.of("is a safetensors model, no log; `ullage fit` reads models");
        if (begins(head, length, "PK\003\004"))
            return Optional.of("is a zip (torch writes its files as such); unpack it and give what is in it");
        if (begins(head, length, "LPKSHHRH"))
            return Optional.of("is a file of the journal; give the output of `journalctl --file FILE -o export`");
        if (length > 262 && new String(head, 257, 5, StandardCharsets.ISO_8859_1).equals("ustar"))
            return Optional.of("is a tar; unpack it and give the folder");
        if (begins(head, length, "SQLite format 3")) return Optional.of("is an SQLite database");
        if (begins(head, length, "%PDF-")) return Optional.of("is a PDF; give the text in it");
        if (begins(head, length, "\u0089PNG")) return Optional.of("is a picture; give the text in it");
        int controls = 0;
        for (int i = 0; i < length; i++) if (isStray(head[i])) controls++;
        if (controls <= 2 || controls <= length * MOST_CONTROLS) return Optional.empty();
        return Optional.of("is binary: of its first " + length + " bytes " + controls
                + " are control characters, of which a log has none");
    }

    private static boolean isStray(byte b) {
        return switch (b) {
            case 0, 7, '\b', '\t', '\n', '\f', '\r', 0x1b -> false;
            default -> b >= 0 && b < ' ' || b == 0x7f;
        };
    }

    private static boolean begins(byte[] head, int length, String magic) {
        byte[] wanted = magic.getBytes(StandardCharsets.ISO_8859_1);
        if (length < wanted.length) return false;
        for (int i = 0; i < wanted.length; i++) if (head[i] != wanted[i]) return false;
        return true;
    }
}
