// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import java.io.EOFException;
import java.io.IOException;

/// The bytes at the beginning of a model file, from front to back, little-endian.
public final class HeaderBytes {
    /// Where the bytes come from.
    @FunctionalInterface
    public interface Source {
        /// Fills a buffer from a position of the file.
        ///
        /// @return how many bytes came; 0 or less at the end
        int read(long position, byte[] buffer) throws IOException;
    }

    /// No header is that long: a vocabulary of 250,000 words with its merges takes 15 MiB.
    private static final long MOST_BYTES = 256L << 20;

    private final Source source;
    private final byte[] buffer = new byte[1 << 16];
    private long start;
    private int length;
    private int at;
    private long read;

    public HeaderBytes(Source source) {
        this.source = source;
    }

    long position() {
        return start + at;
    }

    void skip(long count) throws IOException {
        if (count < 0) throw new IOException("a length of " + count);
        if (count <= length - at) {
            at += (int) count;
        } else {
            start = Math.addExact(position(), count);
            length = 0;
            at = 0;
        }
    }

    int next() throws IOException {
        if (at == length) {
            start += length;
            at = 0;
            length = Math.max(0, source.read(start, buffer));
            read += length;
            if (read > MOST_BYTES) throw new IOException("its header does not end within 256 MiB");
            if (length == 0) throw new EOFException("the file ends in its header, at byte " + start);
        }
        return buffer[at++] & 0xff;
    }

    long u32() throws IOException {
        return next() | (long) next() << 8 | (long) next() << 16 | (long) next() << 24;
    }

    long u64() throws IOException {
        // Half a million words of a vocabulary have their length before them, and our code runs cold.
        if (length - at >= 8) {
            byte[] b = buffer;
            int i = at;
            at = i + 8;
            int low = b[i] & 0xff | (b[i + 1] & 0xff) << 8 | (b[i + 2] & 0xff) << 16 | b[i + 3] << 24;
            int high = b[i + 4] & 0xff | (b[i + 5] & 0xff) << 8 | (b[i + 6] & 0xff) << 16 | b[i + 7] << 24;
            return low & 0xffffffffL | (long) high << 32;
        }
        return u32() | u32() << 32;
    }
}
