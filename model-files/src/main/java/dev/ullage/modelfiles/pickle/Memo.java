// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import java.util.Arrays;

/// What a pickle has numbered so as to refer to it again. CPython numbers every container and every text, used again or
/// not; the numbers run from 0 without gaps.
final class Memo {
    private static final int CHUNK = 1 << 12;
    /// Old writers start at 1 and an optimiser leaves some out; a number far beyond is there to make us allocate.
    private static final int FURTHEST = 1 << 16;

    private Data[][] chunks = new Data[16][];
    private long count;
    private final Held held;

    Memo(Held held) {
        this.held = held;
    }

    void add(Data data) {
        put(count, data);
    }

    void put(long index, Data data) {
        if (index < 0 || index > count + FURTHEST || index > Integer.MAX_VALUE - CHUNK)
            throw new Refusal("memo number " + index + " after " + count + " of them", "the next, " + count);
        int chunk = (int) (index / CHUNK);
        if (chunk >= chunks.length) chunks = Arrays.copyOf(chunks, Math.max(chunk + 1, chunks.length * 2));
        if (chunks[chunk] == null) {
            held.charge((long) CHUNK * Held.REFERENCE);
            chunks[chunk] = new Data[CHUNK];
        }
        chunks[chunk][(int) (index % CHUNK)] = data;
        if (data instanceof Composite composite) composite.memoIndex = (int) index;
        count = Math.max(count, index + 1);
    }

    Data get(long index) {
        int chunk = (int) (index / CHUNK);
        Data data = index < 0 || index >= count || chunks[chunk] == null ? null : chunks[chunk][(int) (index % CHUNK)];
        if (data == null) throw new Refusal("a reference to memo number " + index, "one that was set before");
        return data;
    }

    /// From now on, what refers to `original` gets `standIn`.
    void replace(Composite original, Data standIn) {
        if (original.memoIndex >= 0) put(original.memoIndex, standIn);
    }
}
