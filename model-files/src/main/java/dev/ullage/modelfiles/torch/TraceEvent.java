// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Folded;

/// Something the allocator did: `{'action': 'alloc', 'addr': 139…, 'size': 2097152, 'stream': 0, 'time_us': 17…,
/// 'frames': […]}`. An `oom` has `device_free` instead of an address; −1 here when there is none.
record TraceEvent(Action action, long size, long deviceFree, long stream, long timeMicros, CallStack stack)
        implements Folded {
    enum Action {
        ALLOC,
        FREE_REQUESTED,
        FREE_COMPLETED,
        SEGMENT_ALLOC,
        SEGMENT_FREE,
        OOM,
        SNAPSHOT,
        /// `annotate`, and what later versions add.
        OTHER;

        static Action of(String word) {
            return switch (word) {
                case "alloc" -> ALLOC;
                case "free_requested" -> FREE_REQUESTED;
                case "free_completed", "free" -> FREE_COMPLETED;
                // Expandable segments grow and shrink by mapping pages.
                case "segment_alloc", "segment_map" -> SEGMENT_ALLOC;
                case "segment_free", "segment_unmap" -> SEGMENT_FREE;
                case "oom" -> OOM;
                case "snapshot" -> SNAPSHOT;
                default -> OTHER;
            };
        }
    }

    @Override
    public Gathering startGathering() {
        return new Replay();
    }
}
