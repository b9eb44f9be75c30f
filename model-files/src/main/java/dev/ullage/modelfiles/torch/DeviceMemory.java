// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import dev.ullage.measure.Reading;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// What torch's allocator held on one GPU when the snapshot was taken. Other programs, the CUDA context and libraries
/// that allocate for themselves (NCCL, cuBLAS) are not in it.
///
/// @param reserved taken from the driver: the sum of the segments; what nvidia-smi counts
/// @param allocated in the hands of the program
/// @param pending freed by the program, but a stream may still use it
/// @param requested what the program asked for of `allocated`; the rest is rounding
/// @param stuck free pieces beside blocks in use ("non-releasable", `inactive_split`): not given back by empty_cache
/// @param releasable in segments without a block in use: empty_cache gives it back
/// @param largestFree the largest piece that a request can get without asking the driver
/// @param biggest who holds most, by stack; the first [TorchSnapshot#HOLDERS] of `places`
public record DeviceMemory(
        int device,
        Bytes reserved,
        Bytes allocated,
        Bytes pending,
        Bytes requested,
        Bytes stuck,
        Bytes releasable,
        Bytes largestFree,
        Count freeBlocks,
        Count liveBlocks,
        Count segments,
        boolean expandable,
        List<MemoryPool> pools,
        List<Holder> biggest,
        Count places,
        Reading<History> history) {
    /// Reserved and in nobody's hands.
    public Bytes unallocated() {
        return reserved.minus(allocated).orNoneIfNegative();
    }

    /// The largest free piece that a request on this stream could have got; pools of CUDA graphs do not serve it.
    public Bytes largestFreeFor(long stream) {
        Bytes largest = Bytes.NONE;
        for (MemoryPool pool : pools)
            if (pool.stream() == stream
                    && pool.pool().equals("0,0")
                    && pool.largestFree().isMoreThan(largest)) largest = pool.largestFree();
        return largest;
    }

    static DeviceMemory of(int number, SegmentTotals.Device device, Reading<History> history) {
        BlockTotals blocks = device.blocks;
        return new DeviceMemory(
                number,
                new Bytes(device.reserved),
                new Bytes(blocks.allocated),
                new Bytes(blocks.pending),
                new Bytes(blocks.requested),
                new Bytes(device.stuck),
                new Bytes(device.releasable),
                new Bytes(blocks.largestFree),
                new Count(blocks.freeBlocks),
                new Count(blocks.liveBlocks),
                new Count(device.segments),
                device.expandable > 0,
                device.pools.entrySet().stream()
                        .map(DeviceMemory::pool)
                        .sorted(Comparator.comparing(MemoryPool::reserved).reversed())
                        .toList(),
                blocks.byStack().entrySet().stream()
                        .sorted(Comparator.comparingLong((Map.Entry<CallStack, long[]> held) -> -held.getValue()[0])
                                .thenComparing(held -> held.getKey().shown()))
                        .limit(TorchSnapshot.HOLDERS)
                        .map(held ->
                                new Holder(new Bytes(held.getValue()[0]), new Count(held.getValue()[1]), held.getKey()))
                        .toList(),
                new Count(blocks.places()),
                history);
    }

    private static MemoryPool pool(Map.Entry<SegmentTotals.PoolKey, SegmentTotals.PoolTotals> entry) {
        SegmentTotals.PoolTotals totals = entry.getValue();
        return new MemoryPool(
                entry.getKey().pool(),
                entry.getKey().stream(),
                new Bytes(totals.reserved),
                new Bytes(totals.allocated),
                new Bytes(totals.largestFree));
    }
}
