// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Data;
import dev.ullage.modelfiles.pickle.DictOf;
import dev.ullage.modelfiles.pickle.Folding;
import dev.ullage.modelfiles.pickle.Held;
import dev.ullage.modelfiles.pickle.ListOf;
import dev.ullage.modelfiles.pickle.Refusal;
import dev.ullage.modelfiles.pickle.TupleOf;

/// Knows the dicts of a torch memory snapshot by their keys, whatever version of torch wrote them, and keeps of each
/// the
/// little that is reported. Shape: the docstring of `torch.cuda.memory._snapshot`.
public final class TorchFolding implements Folding {
    private final CallStacks stacks;
    private final Held held;

    public TorchFolding(Held held) {
        this.held = held;
        stacks = new CallStacks(held);
    }

    @Override
    public Data dict(DictOf dict) {
        if (dict.get("filename") instanceof Data.Text(String file) && dict.get("name") != null)
            return stacks.frame(CodeFrame.of(file, intOf(dict.number("line", 0)), dict.text("name", "")));
        if (dict.get("action") instanceof Data.Text(String action) && dict.get("size") != null)
            return event(action, dict);
        if (dict.get("state") instanceof Data.Text(String state) && dict.get("size") != null) return block(state, dict);
        if (dict.get("blocks") instanceof ListOf blocks && dict.get("total_size") != null) return segment(blocks, dict);
        return dict;
    }

    @Override
    public Data listUnder(String key, ListOf list) {
        if (!key.equals("frames") || list.gathered() != null) return list;
        CallStack stack = stacks.of(list.items());
        if (stack == null) return list;
        list.standIn(stack);
        return stack;
    }

    private TraceEvent event(String action, DictOf dict) {
        return new TraceEvent(
                TraceEvent.Action.of(action),
                dict.number("size", 0),
                dict.number("device_free", -1),
                dict.number("stream", 0),
                dict.number("time_us", -1),
                stackOf(dict));
    }

    private MemoryBlock block(String state, DictOf dict) {
        long size = dict.number("size", 0);
        long requested = dict.number("requested_size", size);
        CallStack stack = stackOf(dict);
        // Torch 1.13 to 2.0: the stack and the size asked for lie in the newest entry of the block's history.
        if (dict.get("history") instanceof ListOf history
                && !history.items().isEmpty()
                && history.items().getFirst() instanceof DictOf newest) {
            requested = newest.number("real_size", requested);
            stack = stackOf(newest);
        }
        return new MemoryBlock(size, requested, MemoryBlock.State.of(state), stack);
    }

    private Segment segment(ListOf blocks, DictOf dict) {
        // Two segments that share one list would count its blocks twice, or a million times.
        BlockTotals totals = blocks.gathered() instanceof BlockTotals gathered ? gathered : new BlockTotals();
        if (!totals.take()) throw new Refusal("two segments with the same list of blocks", "a list for each");
        held.charge(150 + 80L * totals.places());
        String pool =
                dict.get("segment_pool_id") instanceof TupleOf id && id.items().size() == 2
                        ? id.items().get(0).orElse(0) + "," + id.items().get(1).orElse(0)
                        : "0,0";
        return new Segment(
                intOf(dict.number("device", 0)),
                dict.number("total_size", 0),
                dict.number("stream", 0),
                pool,
                dict.number("is_expandable", 0) != 0,
                totals);
    }

    private static CallStack stackOf(DictOf dict) {
        return dict.get("frames") instanceof CallStack stack ? stack : CallStack.UNKNOWN;
    }

    private static int intOf(long value) {
        return Math.clamp(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
}
