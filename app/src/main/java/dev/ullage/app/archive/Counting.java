// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app.archive;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Knows how many bytes were read, so that a message can say where.
final class Counting extends FilterInputStream {
    private long count;
    private long marked;

    Counting(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int read = in.read();
        if (read >= 0) count++;
        return read;
    }

    @Override
    public int read(byte[] bytes, int start, int length) throws IOException {
        int read = in.read(bytes, start, length);
        if (read > 0) count += read;
        return read;
    }

    @Override
    public void mark(int limit) {
        in.mark(limit);
        marked = count;
    }

    @Override
    public void reset() throws IOException {
        in.reset();
        count = marked;
    }
}
