// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import dev.ullage.measure.Bytes;

/// How much memory the data read so far takes, by an estimate that errs upwards, and the most it may take.
///
/// A pickle can ask for far more memory than it has bytes (a list that is appended to itself in a loop costs one byte
/// an
/// item), so the file's size bounds nothing. Every node is charged when it is made and given back when a [Folding] has
/// put something shorter in its place.
public final class Held {
    /// For `-Xmx256m`, the heap `ullage explain` runs in: half of it, since the estimate knows nothing of garbage.
    public static final Bytes USUAL = Bytes.ofMiB(128);

    /// An object's header and fields, roughly: a [Data.Whole] with its long.
    static final int NODE = 24;
    /// A list, dict, tuple with its array.
    static final int CONTAINER = 72;

    static final int REFERENCE = 8;

    private final long limit;
    private long held;

    public Held(Bytes limit) {
        this.limit = limit.bytes();
    }

    public void charge(long bytes) {
        held += bytes;
        if (held > limit)
            throw new Refusal(
                    "more data than " + new Bytes(limit).shown() + " of memory hold",
                    "a snapshot that fits; record it again with a smaller max_entries, or of a shorter time");
    }

    void giveBack(long bytes) {
        held -= bytes;
    }

    /// What a dict or tuple that was folded held by itself: its array, and numbers, which nothing else refers to.
    void giveBack(Iterable<Data> items) {
        long bytes = CONTAINER;
        for (Data item : items)
            bytes += REFERENCE + (item instanceof Data.Whole || item instanceof Data.Real ? NODE : 0);
        held -= bytes;
    }
}
