// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Folded;
import dev.ullage.modelfiles.pickle.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// The segments of a snapshot, added up by device.
final class SegmentTotals implements Folded.Gathering {
    private static final int MOST_DEVICES = 1024;

    /// Streams and pools told apart on a device; those beyond are added to the device only.
    private static final int MOST_POOLS = 256;

    /// A pool and stream: a free block of one is of no use to a request of another.
    record PoolKey(String pool, long stream) {}

    static final class PoolTotals {
        long reserved;
        long allocated;
        long largestFree;
    }

    static final class Device {
        long reserved;
        long segments;
        long expandable;
        /// Free beside blocks in use: empty_cache cannot give it back to the GPU.
        long stuck;
        /// Segments without a block in use: empty_cache would give them back.
        long releasable;

        final BlockTotals blocks = new BlockTotals();
        final Map<PoolKey, PoolTotals> pools = new LinkedHashMap<>();
    }

    final TreeMap<Integer, Device> devices = new TreeMap<>();

    @Override
    public void add(Folded item) {
        if (!(item instanceof Segment segment)) return;
        Device device = devices.computeIfAbsent(segment.device(), _ -> new Device());
        if (devices.size() > MOST_DEVICES)
            throw new Refusal("segments of more than " + MOST_DEVICES + " devices", "those of one machine's GPUs");
        BlockTotals blocks = segment.blocks();
        long size = Math.max(0, segment.size());
        device.reserved = BlockTotals.sum(device.reserved, size);
        device.segments++;
        if (segment.expandable()) device.expandable++;
        if (blocks.allocated == 0 && blocks.pending == 0)
            device.releasable = BlockTotals.sum(device.releasable, blocks.free);
        else device.stuck = BlockTotals.sum(device.stuck, blocks.free);
        device.blocks.add(blocks);

        PoolKey key = new PoolKey(segment.pool(), segment.stream());
        if (device.pools.size() == MOST_POOLS && !device.pools.containsKey(key)) return;
        PoolTotals pool = device.pools.computeIfAbsent(key, _ -> new PoolTotals());
        pool.reserved = BlockTotals.sum(pool.reserved, size);
        pool.allocated = BlockTotals.sum(pool.allocated, blocks.allocated);
        pool.largestFree = Math.max(pool.largestFree, blocks.largestFree);
    }
}
