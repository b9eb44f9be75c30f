// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Folded;

/// A piece of a segment: in use, or free for the next request.
record MemoryBlock(long size, long requested, State state, CallStack stack) implements Folded {
    enum State {
        ALLOCATED,
        /// Freed by the program, but a stream may still use it.
        PENDING,
        FREE;

        /// `active_allocated`, `active_pending_free` (in the documentation `active_awaiting_free`), `inactive`.
        static State of(String word) {
            if (word.equals("active_allocated")) return ALLOCATED;
            return word.startsWith("active") ? PENDING : FREE;
        }
    }

    @Override
    public Gathering startGathering() {
        return new BlockTotals();
    }
}
