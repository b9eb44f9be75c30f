// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Folded;

/// What one cudaMalloc gave, or a growing range of addresses (`expandable_segments`).
record Segment(int device, long size, long stream, String pool, boolean expandable, BlockTotals blocks)
        implements Folded {
    @Override
    public Gathering startGathering() {
        return new SegmentTotals();
    }
}
