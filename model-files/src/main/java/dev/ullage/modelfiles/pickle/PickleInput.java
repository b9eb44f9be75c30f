// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The bytes of a pickle, one after the other, and how far we are. Never holds more than a buffer and what is asked
/// for;
/// no length is believed before the bytes are there.
final class PickleInput {
    private static final int BUFFER = 1 << 16;
    /// A line of protocol 0 (a number, a name): what is longer is not one.
    private static final int LONGEST_LINE = 1 << 16;

    private final InputStream in;
    private byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;
    private long before;

    PickleInput(InputStream in) {
        this.in = in;
    }

    long offset() {
        return before + at;
    }

    int u1() {
        if (at == end) need(1);
        return buffer[at++] & 0xff;
    }

    int u2() {
        need(2);
        int value = buffer[at] & 0xff | (buffer[at + 1] & 0xff) << 8;
        at += 2;
        return value;
    }

    int s4() {
        need(4);
        int value = 0;
        for (int i = 3; i >= 0; i--) value = value << 8 | buffer[at + i] & 0xff;
        at += 4;
        return value;
    }

    long s8() {
        need(8);
        long value = 0;
        for (int i = 7; i >= 0; i--) value = value << 8 | buffer[at + i] & 0xff;
        at += 8;
        return value;
    }

    double bigEndianDouble() {
        return Double.longBitsToDouble(Long.reverseBytes(s8()));
    }

    /// So many bytes, of which the buffer's are valid from [#start] until the next call. For lengths up to the
    /// buffer's.
    byte[] view(int length) {
        need(length);
        at += length;
        return buffer;
    }

    /// Where the bytes of the last [#view] begin.
    int start(int length) {
        return at - length;
    }

    /// So many bytes as their own array, read piece by piece: the length may be a lie.
    byte[] bytes(int length) {
        byte[] bytes = new byte[Math.min(length, BUFFER)];
        int got = 0;
        while (got < length) {
            int piece = Math.min(length - got, BUFFER);
            if (got + piece > bytes.length) bytes = Arrays.copyOf(bytes, (int) Math.min(length, bytes.length * 2L));
            need(piece);
            System.arraycopy(buffer, at, bytes, got, piece);
            at += piece;
            got += piece;
        }
        return bytes;
    }

    void skip(long length) {
        for (long left = length; left > 0; ) {
            if (at == end) need(1);
            int piece = (int) Math.min(left, end - at);
            at += piece;
            left -= piece;
        }
    }

    /// Up to the line's end, without it. Text of protocol 0 is ASCII, or Latin-1 by mistake.
    String line() {
        return line(LONGEST_LINE);
    }

    /// The same for text, which may be longer than a name.
    String line(int longest) {
        StringBuilder line = new StringBuilder();
        for (int next = u1(); next != '\n'; next = u1()) {
            if (line.length() == longest)
                throw new Refusal("a line of more than " + longest + " bytes", "a number, a name or a short text");
            line.append((char) next);
        }
        return line.toString();
    }

    String utf8(int length) {
        if (length <= BUFFER) {
            byte[] bytes = view(length);
            return new String(bytes, start(length), length, StandardCharsets.UTF_8);
        }
        return new String(bytes(length), StandardCharsets.UTF_8);
    }

    private void need(int length) {
        if (end - at >= length) return;
        System.arraycopy(buffer, at, buffer, 0, end - at);
        before += at;
        end -= at;
        at = 0;
        try {
            while (end < length) {
                int got = in.read(buffer, end, buffer.length - end);
                if (got < 0)
                    throw new Refusal(
                            "the end of the file, with " + (length - end) + " more bytes due",
                            "a whole pickle; this one was cut off (a full disk, a process killed while it wrote)");
                end += got;
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
