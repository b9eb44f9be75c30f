// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.io.IOException;
import java.io.InputStream;

/// UTF-16, as PowerShell's `>` and Notepad write it, turned into UTF-8. Half a pair becomes U+FFFD; nothing fails.
final class Utf16 extends InputStream {
    private final InputStream in;
    private final boolean isBigEndian;
    private final byte[] read = new byte[1 << 15];
    private final byte[] out = new byte[(1 << 15) * 2];
    private int at;
    private int end;
    private int odd = -1;
    private char high;

    /// How a text begins.
    enum Order {
        LITTLE_ENDIAN,
        BIG_ENDIAN,
        NONE
    }

    Utf16(InputStream in, Order order) {
        this.in = in;
        this.isBigEndian = order == Order.BIG_ENDIAN;
    }

    /// By its mark, or by the zeros that every other byte of Latin text is. A log that begins with a run of zeros (a
    /// writer that went on where it was after the file was cut to nothing) has them in both places.
    static Order of(byte[] head, int length) {
        if (length >= 2 && head[0] == (byte) 0xff && head[1] == (byte) 0xfe) return Order.LITTLE_ENDIAN;
        if (length >= 2 && head[0] == (byte) 0xfe && head[1] == (byte) 0xff) return Order.BIG_ENDIAN;
        int pairs = length / 2;
        if (pairs < 4) return Order.NONE;
        int even = 0;
        int odd = 0;
        for (int i = 0; i < pairs; i++) {
            if (head[2 * i] == 0) even++;
            if (head[2 * i + 1] == 0) odd++;
        }
        if (odd > pairs * 0.7 && even < pairs * 0.05) return Order.LITTLE_ENDIAN;
        if (even > pairs * 0.7 && odd < pairs * 0.05) return Order.BIG_ENDIAN;
        return Order.NONE;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) return 0;
        while (at == end) if (!fill()) return -1;
        int taken = Math.min(length, end - at);
        System.arraycopy(out, at, bytes, from, taken);
        at += taken;
        return taken;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = 0;
        int length = in.read(read, 0, read.length);
        if (length <= 0) {
            if (high != 0 || odd >= 0) put(0xfffd);
            high = 0;
            odd = -1;
            return end > 0;
        }
        int i = 0;
        if (odd >= 0) {
            unit(odd, read[i++] & 0xff);
            odd = -1;
        }
        for (; i + 1 < length; i += 2) unit(read[i] & 0xff, read[i + 1] & 0xff);
        if (i < length) odd = read[i] & 0xff;
        return true;
    }

    private void unit(int first, int second) {
        char c = (char) (isBigEndian ? first << 8 | second : second << 8 | first);
        if (high != 0) {
            boolean isPair = Character.isLowSurrogate(c);
            put(isPair ? Character.toCodePoint(high, c) : 0xfffd);
            high = 0;
            if (isPair) return;
        }
        if (Character.isHighSurrogate(c)) high = c;
        else put(Character.isLowSurrogate(c) ? 0xfffd : c);
    }

    private void put(int c) {
        if (c < 0x80) {
            out[end++] = (byte) c;
        } else if (c < 0x800) {
            out[end++] = (byte) (0xc0 | c >> 6);
            out[end++] = (byte) (0x80 | c & 0x3f);
        } else if (c < 0x10000) {
            out[end++] = (byte) (0xe0 | c >> 12);
            out[end++] = (byte) (0x80 | c >> 6 & 0x3f);
            out[end++] = (byte) (0x80 | c & 0x3f);
        } else {
            out[end++] = (byte) (0xf0 | c >> 18);
            out[end++] = (byte) (0x80 | c >> 12 & 0x3f);
            out[end++] = (byte) (0x80 | c >> 6 & 0x3f);
            out[end++] = (byte) (0x80 | c & 0x3f);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
