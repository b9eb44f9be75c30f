// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/// The files under `recorded/` that hold one answer a line: what it is about, a tab, the answer.
///
/// ```
/// /models/a.gguf<TAB>dev=254:0 ino=1234 size=943718400 uid=0 kind=file
/// /mnt/a\011b<TAB>type=0xef53 …
/// ```
/// A path may hold tabs and newlines; they are written as the kernel writes them in mountinfo, as octal. A backslash
/// stands for itself unless three octal digits follow it: systemd's `\x2d` stays as it is.
public final class RecordedLines {
    private RecordedLines() {}

    /// A path as a line can hold it.
    public static String key(String path) {
        StringBuilder out = null;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean special = c == '\t' || c == '\n' || c == '\r' || c == '\\' && threeOctal(path, i + 1);
            if (special && out == null) out = new StringBuilder(path.substring(0, i));
            if (out == null) continue;
            if (special) out.append(String.format("\\%03o", (int) c));
            else out.append(c);
        }
        return out == null ? path : out.toString();
    }

    private static boolean threeOctal(String text, int from) {
        if (from + 3 > text.length()) return false;
        for (int i = from; i < from + 3; i++) if (text.charAt(i) < '0' || text.charAt(i) > '7') return false;
        return true;
    }

    static Map<String, String> parse(String text) {
        if (text.isEmpty()) return Collections.emptyMap();
        Map<String, String> answers = new HashMap<>();
        text.lines().forEach(line -> {
            int tab = line.indexOf('\t');
            if (tab > 0) answers.put(KernelEscapes.undo(line.substring(0, tab)), line.substring(tab + 1));
        });
        return answers;
    }
}
