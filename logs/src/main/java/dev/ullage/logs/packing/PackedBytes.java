// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.packing;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// A stream that can be looked at before it is read and knows how far it was read.
///
/// [#available] tells the truth about the end: GZIPInputStream takes "nothing available" for "no further member", and
/// half of what `cat a.gz b.gz` made would be lost without a word.
final class PackedBytes extends InputStream {
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int end;
    private long count;

    PackedBytes(InputStream in) {
        this.in = in;
    }

    /// Bytes handed out.
    long count() {
        return count;
    }

    /// The next bytes, without taking them; fewer only at the end.
    byte[] peek(int length) throws IOException {
        while (end - at < length && fill() > 0) continue;
        return Arrays.copyOfRange(buffer, at, Math.min(end, at + length));
    }

    private int fill() throws IOException {
        if (at > 0) {
            System.arraycopy(buffer, at, buffer, 0, end - at);
            end -= at;
            at = 0;
        }
        int read = in.read(buffer, end, buffer.length - end);
        if (read > 0) end += read;
        return read;
    }

    @Override
    public int read() throws IOException {
        if (at == end && fill() <= 0) return -1;
        count++;
        return buffer[at++] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) return 0;
        if (at == end && fill() <= 0) return -1;
        int taken = Math.min(length, end - at);
        System.arraycopy(buffer, at, bytes, from, taken);
        at += taken;
        count += taken;
        return taken;
    }

    @Override
    public int available() throws IOException {
        if (at == end) fill();
        return end - at;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
