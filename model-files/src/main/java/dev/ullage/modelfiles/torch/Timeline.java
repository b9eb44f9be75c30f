// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

/// A line of at most [#POINTS] points out of any number of events: when it is full, each two neighbours become one. Of
/// the events of a point the one with the most allocated is kept, so no peak is lost.
final class Timeline {
    static final int POINTS = 512;

    final long[] time = new long[POINTS];
    final long[] allocated = new long[POINTS];
    final long[] reserved = new long[POINTS];
    int size;
    private long perPoint = 1;
    private long inLast;

    void add(long timeMicros, long allocatedNow, long reservedNow) {
        if (size > 0 && inLast < perPoint) {
            inLast++;
            if (allocatedNow >= allocated[size - 1]) set(size - 1, timeMicros, allocatedNow, reservedNow);
            return;
        }
        if (size == POINTS) halve();
        set(size++, timeMicros, allocatedNow, reservedNow);
        inLast = 1;
    }

    private void halve() {
        for (int i = 0; i < POINTS / 2; i++) {
            int higher = allocated[2 * i + 1] >= allocated[2 * i] ? 2 * i + 1 : 2 * i;
            set(i, time[higher], allocated[higher], reserved[higher]);
        }
        size = POINTS / 2;
        perPoint *= 2;
    }

    private void set(int point, long timeMicros, long allocatedNow, long reservedNow) {
        time[point] = timeMicros;
        allocated[point] = allocatedNow;
        reserved[point] = reservedNow;
    }
}
