// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Puts the records of `journalctl -o export` together. Source: systemd, "Journal Export Formats".
///
/// ```
/// __CURSOR=s=739ad463…
/// __REALTIME_TIMESTAMP=1764568522123456
/// _COMM=ollama
/// MESSAGE=text
/// (an empty line)
/// ```
/// A field whose value has newlines or colours stands as its name alone, then eight bytes of length, lowest first, then
/// the value. The length may itself hold the byte of a newline, so lines are joined before it is read.
final class JournalExport {
    private static final Set<String> WANTED =
            Set.of("__REALTIME_TIMESTAMP", "MESSAGE", "SYSLOG_IDENTIFIER", "_COMM", "_PID", "SYSLOG_PID", "_TRANSPORT");
    private static final int LONGEST_VALUE = 1 << 20;
    private static final byte[] FIRST = "__CURSOR=".getBytes(StandardCharsets.US_ASCII);

    private final Map<String, String> fields = new HashMap<>();
    private boolean isOpen;
    private String name;
    private final ByteArrayOutputStream value = new ByteArrayOutputStream();
    private int lines;
    private long length;
    private long number;
    private long offset;

    /// @param number the line of its message
    record Record(Wrapping wrapping, long number, long offset) {}

    static boolean begins(byte[] bytes, int from, int to) {
        if (to - from < FIRST.length) return false;
        for (int i = 0; i < FIRST.length; i++) if (bytes[from + i] != FIRST[i]) return false;
        return true;
    }

    boolean isOpen() {
        return isOpen;
    }

    /// Takes the next line of a record, or the first of one.
    ///
    /// @return the record, at its end
    Optional<Record> take(byte[] bytes, int from, int to, long number, long offset) {
        if (name != null) {
            valueGoesOn(bytes, from, to);
            return Optional.empty();
        }
        if (from == to) return end();
        Optional<Record> before = isOpen && begins(bytes, from, to) ? end() : Optional.empty();
        isOpen = true;
        int equals = from;
        while (equals < to && bytes[equals] != '=') equals++;
        String field = new String(bytes, from, Math.min(equals - from, 64), StandardCharsets.US_ASCII);
        if (field.equals("MESSAGE")) {
            this.number = number;
            this.offset = offset;
        }
        if (equals == to) {
            name = field;
            value.reset();
            lines = 0;
            length = -1;
        } else if (WANTED.contains(field)) {
            fields.put(field, new String(bytes, equals + 1, to - equals - 1, StandardCharsets.UTF_8));
        }
        return before;
    }

    private void valueGoesOn(byte[] bytes, int from, int to) {
        if (lines++ > 0) value.write('\n');
        value.write(bytes, from, to - from);
        if (value.size() < Long.BYTES) return;
        if (length < 0) {
            byte[] head = value.toByteArray();
            length = 0;
            for (int i = Long.BYTES - 1; i >= 0; i--) length = length << 8 | head[i] & 0xff;
            if (length < 0 || length > LONGEST_VALUE) length = 0; // no length: the line is all we take
        }
        if (value.size() - Long.BYTES < length) return;
        if (WANTED.contains(name)) {
            byte[] whole = value.toByteArray();
            fields.put(name, new String(whole, Long.BYTES, (int) length, StandardCharsets.UTF_8));
        }
        name = null;
    }

    /// The record so far, when the input ends or the next one begins.
    Optional<Record> end() {
        boolean hasMessage = isOpen && fields.containsKey("MESSAGE");
        Optional<Record> record =
                hasMessage ? Optional.of(new Record(Wrapping.journal(fields), number, offset)) : Optional.empty();
        fields.clear();
        name = null;
        isOpen = false;
        return record;
    }
}
