// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Folded;
import java.util.ArrayDeque;
import java.util.Deque;

/// The events of a device, played through: what was allocated and reserved when.
///
/// The trace is a ring that may have lost its beginning, so all amounts are counted from an unknown start. The end is
/// known: it is the state that the snapshot's segments show. [History] puts the two together.
final class Replay implements Folded.Gathering {
    /// Failed requests that are kept, the last.
    private static final int FAILURES = 8;

    record Failure(TraceEvent event, long allocated, long reserved, long number) {}

    long events;
    /// Events without the allocator's own `snapshot`, and whatever does not allocate or free.
    long moves;

    long allocated;
    long reserved;
    long lowestAllocated;
    long lowestReserved;
    long highestAllocated;
    long highestReserved;
    long firstTime = -1;
    long lastTime = -1;
    long failures;
    final Deque<Failure> lastFailures = new ArrayDeque<>();
    final Timeline timeline = new Timeline();

    @Override
    public void add(Folded item) {
        if (!(item instanceof TraceEvent event)) return;
        events++;
        long size = Math.clamp(event.size(), 0, Long.MAX_VALUE >> 20);
        boolean moved = true;
        switch (event.action()) {
            case ALLOC -> allocated = clamped(allocated + size);
            // What the program calls free; another stream may use it until the free is completed.
            case FREE_REQUESTED -> allocated = clamped(allocated - size);
            case SEGMENT_ALLOC -> reserved = clamped(reserved + size);
            case SEGMENT_FREE -> reserved = clamped(reserved - size);
            case OOM -> {
                failures++;
                lastFailures.addLast(new Failure(event, allocated, reserved, moves));
                if (lastFailures.size() > FAILURES) lastFailures.removeFirst();
                moved = false;
            }
            case FREE_COMPLETED, SNAPSHOT, OTHER -> moved = false;
        }
        if (moved) moves++;
        if (event.timeMicros() >= 0) {
            if (firstTime < 0) firstTime = event.timeMicros();
            lastTime = event.timeMicros();
        }
        lowestAllocated = Math.min(lowestAllocated, allocated);
        lowestReserved = Math.min(lowestReserved, reserved);
        highestAllocated = Math.max(highestAllocated, allocated);
        highestReserved = Math.max(highestReserved, reserved);
        timeline.add(event.timeMicros(), allocated, reserved);
    }

    private static long clamped(long amount) {
        return Math.clamp(amount, -(Long.MAX_VALUE >> 2), Long.MAX_VALUE >> 2);
    }
}
