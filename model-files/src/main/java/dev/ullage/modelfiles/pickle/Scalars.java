// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.math.BigInteger;

/// Numbers and text, in all the ways five protocols write them.
final class Scalars {
    static final Data.Truth TRUE = new Data.Truth(true);
    static final Data.Truth FALSE = new Data.Truth(false);

    /// Python can pickle a number of any size; one of more bytes is not a size, an address or a time.
    private static final int BIGGEST = 1024;
    /// How many bytes of a byte string are kept.
    private static final int HEAD = 256;

    private final PickleInput in;
    private final Held held;
    private final Texts texts;

    Scalars(PickleInput in, Held held) {
        this.in = in;
        this.held = held;
        texts = new Texts(held);
    }

    Data whole(long value) {
        if (!Data.Whole.isShared(value)) held.charge(Held.NODE);
        return Data.Whole.of(value);
    }

    /// Two's complement, least byte first, as LONG1 and LONG4 have it.
    Data whole(int length, PickleInput in) {
        if (length < 0 || length > BIGGEST) throw new Refusal("a number of " + length + " bytes", "at most " + BIGGEST);
        if (length == 0) return Data.Whole.of(0);
        byte[] bytes = in.bytes(length);
        if (length <= 8) {
            long value = bytes[length - 1];
            for (int i = length - 2; i >= 0; i--) value = value << 8 | bytes[i] & 0xff;
            return whole(value);
        }
        for (int i = 0, j = length - 1; i < j; i++, j--) {
            byte swap = bytes[i];
            bytes[i] = bytes[j];
            bytes[j] = swap;
        }
        return whole(new BigInteger(bytes));
    }

    private Data whole(BigInteger value) {
        if (value.bitLength() < 64) return whole(value.longValueExact());
        held.charge(3 * Held.NODE + value.bitLength() / 8);
        return new Data.Big(value);
    }

    /// `42`, `42L`; and `00`, `01`, which are False and True in protocol 1 and before.
    Data decimal(String line) {
        if (line.equals("00")) return FALSE;
        if (line.equals("01")) return TRUE;
        String digits = line.endsWith("L") ? line.substring(0, line.length() - 1) : line;
        // 1 KiB is 2,466 digits; turning digits into a number takes the square of their number.
        if (digits.length() > 2466) throw new Refusal("a number of " + digits.length() + " digits", "at most 2466");
        try {
            return whole(new BigInteger(digits));
        } catch (NumberFormatException none) {
            throw new Refusal(shown(line), "a whole number");
        }
    }

    int index(String line) {
        try {
            return Integer.parseInt(line);
        } catch (NumberFormatException none) {
            throw new Refusal(shown(line), "the number of a memo entry");
        }
    }

    Data real(String line) {
        try {
            if (line.length() < 64) return real(Double.parseDouble(line.equals("nan") ? "NaN" : infinite(line)));
        } catch (NumberFormatException none) {
            // Said below.
        }
        throw new Refusal(shown(line), "a number such as 1.5");
    }

    private static String infinite(String line) {
        return line.equals("inf") ? "Infinity" : line.equals("-inf") ? "-Infinity" : line;
    }

    Data real(double value) {
        held.charge(Held.NODE);
        return new Data.Real(value);
    }

    Data text(long length) {
        return texts.read(in, length);
    }

    Data raw(long length) {
        if (length < 0) throw new Refusal("a byte string of 2^63 bytes or more", "one that fits in a file");
        byte[] head = in.bytes((int) Math.min(length, HEAD));
        held.charge(2 * Held.NODE + head.length);
        in.skip(length - head.length);
        return new Data.Raw(length, head);
    }

    /// UNICODE: text in which `\u0041` and `\U00000041` are characters; a line break is written so too.
    Data escaped(String line) {
        return charged(unescaped(line, false));
    }

    /// STRING: `'it\'s'`.
    Data quoted(String line) {
        int last = line.length() - 1;
        if (last < 1 || line.charAt(0) != line.charAt(last) || line.charAt(0) != '\'' && line.charAt(0) != '"')
            throw new Refusal(shown(line), "text in quotes");
        return charged(unescaped(line.substring(1, last), true));
    }

    private Data charged(String text) {
        held.charge(2L * Held.NODE + 2L * text.length());
        return new Data.Text(text);
    }

    private static String unescaped(String line, boolean quoted) {
        StringBuilder text = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next != '\\' || i + 1 == line.length()) {
                text.append(next);
                continue;
            }
            char kind = line.charAt(i + 1);
            int digits = kind == 'u' ? 4 : kind == 'U' ? 8 : kind == 'x' && quoted ? 2 : 0;
            int code = digits == 0 ? -1 : hex(line, i + 2, digits);
            if (code >= 0) {
                text.appendCodePoint(code);
                i += 1 + digits;
            } else if (quoted) {
                text.append(kind == 'n' ? '\n' : kind == 't' ? '\t' : kind == 'r' ? '\r' : kind);
                i++;
            } else {
                text.append(next);
            }
        }
        return text.toString();
    }

    /// The code point in so many hexadecimal digits, or −1.
    private static int hex(String line, int from, int digits) {
        if (from + digits > line.length()) return -1;
        long code = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(line.charAt(i), 16);
            if (digit < 0) return -1;
            code = code << 4 | digit;
        }
        return code <= Character.MAX_CODE_POINT ? (int) code : -1;
    }

    /// Text of a file as a message may show it: short, and without what would steer a terminal.
    static String shown(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.codePoints()
                .limit(60)
                .forEach(code -> shown.appendCodePoint(Character.isISOControl(code) || code > 0xffff ? '?' : code));
        return shown.append(text.length() > 60 ? "…\"" : "\"").toString();
    }
}
