// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Seconds;

/// A request that ended in OutOfMemoryError, and what it met. Source: an `oom` event of the trace.
///
/// Torch gives all segments without a block in use back to the GPU before it gives up, so what was reserved and not
/// allocated then lay beside blocks in use: too small pieces, or another stream's or pool's.
///
/// @param asked rounded up as the allocator does (512 B, large ones 2 MiB)
/// @param deviceFree what the driver had left: the request did not fit there either
/// @param allocatedThen in the hands of the program at that moment
/// @param reservedThen taken from the driver by torch at that moment
/// @param beforeEnd how long before the snapshot; absent in traces without times (torch before 2.1)
/// @param movesAfter allocations and frees after it: 0 means that the snapshot shows the very state it met
public record FailedRequest(
        Bytes asked,
        Reading<Bytes> deviceFree,
        Bytes allocatedThen,
        Bytes reservedThen,
        long stream,
        Reading<Seconds> beforeEnd,
        long movesAfter,
        CallStack stack) {
    /// Reserved and in nobody's hands: if this is more than was asked, fragmentation is to blame.
    public Bytes unallocatedThen() {
        return reservedThen.minus(allocatedThen).orNoneIfNegative();
    }
}
