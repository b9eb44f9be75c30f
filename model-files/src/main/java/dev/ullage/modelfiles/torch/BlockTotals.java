// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Folded;
import java.util.IdentityHashMap;
import java.util.Map;

/// The blocks of a segment, or of a device, added up.
final class BlockTotals implements Folded.Gathering {
    long allocated;
    long pending;
    long free;
    long requested;
    long largestFree;
    long freeBlocks;
    long liveBlocks;
    private boolean taken;
    private final Map<CallStack, long[]> byStack = new IdentityHashMap<>(4);

    @Override
    public void add(Folded item) {
        if (!(item instanceof MemoryBlock block)) return;
        long size = Math.max(0, block.size());
        switch (block.state()) {
            case ALLOCATED -> {
                allocated = sum(allocated, size);
                requested = sum(requested, Math.max(0, block.requested()));
                liveBlocks++;
                add(block.stack(), size, 1);
            }
            case PENDING -> pending = sum(pending, size);
            case FREE -> {
                free = sum(free, size);
                freeBlocks++;
                largestFree = Math.max(largestFree, size);
            }
        }
    }

    void add(BlockTotals other) {
        allocated = sum(allocated, other.allocated);
        pending = sum(pending, other.pending);
        free = sum(free, other.free);
        requested = sum(requested, other.requested);
        freeBlocks += other.freeBlocks;
        liveBlocks += other.liveBlocks;
        largestFree = Math.max(largestFree, other.largestFree);
        other.byStack.forEach((stack, held) -> add(stack, held[0], held[1]));
    }

    private void add(CallStack stack, long bytes, long count) {
        long[] held = byStack.computeIfAbsent(stack, _ -> new long[2]);
        held[0] = sum(held[0], bytes);
        held[1] += count;
    }

    /// Places of the program, and what is held for each: bytes, blocks.
    Map<CallStack, long[]> byStack() {
        return byStack;
    }

    int places() {
        return byStack.size();
    }

    /// True the first time: a segment's blocks belong to it alone.
    boolean take() {
        boolean first = !taken;
        taken = true;
        return first;
    }

    /// Sums of a hostile file end at the largest number instead of turning negative.
    static long sum(long a, long b) {
        long sum = a + b;
        return a >= 0 && b >= 0 && sum < 0 ? Long.MAX_VALUE : sum;
    }
}
