// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Data;
import dev.ullage.modelfiles.pickle.Held;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Each stack once. Torch writes the sixty frames of a stack for every event, although a program asks for memory in a
/// few hundred places: this is where 500 MB become ten.
final class CallStacks {
    /// Frames kept of a stack, the innermost: the outer ones are the same loop for all.
    private static final int DEEPEST = 48;
    /// A program has thousands; what is beyond is counted together.
    private static final int MOST = 100_000;

    private static final CallStack OTHERS = new CallStack(List.of(CodeFrame.of("(other places)", 0, "")));

    private final Map<CodeFrame, CodeFrame> frames = new HashMap<>();
    private final Map<List<CodeFrame>, CallStack> stacks = new HashMap<>();
    private final Held held;

    CallStacks(Held held) {
        this.held = held;
    }

    CodeFrame frame(CodeFrame frame) {
        CodeFrame known = frames.putIfAbsent(frame, frame);
        if (known == null) held.charge(100);
        return known == null ? frame : known;
    }

    /// The stack of a list of frames, or null when the list is of something else.
    CallStack of(List<Data> items) {
        List<CodeFrame> kept = new ArrayList<>(Math.min(items.size(), DEEPEST));
        boolean python = false;
        for (Data item : items) {
            if (!(item instanceof CodeFrame frame)) return null;
            if (frame.isPython() && !python) {
                // The C++ frames above the first Python one say how torch allocates, not who asked.
                python = true;
                kept.clear();
            }
            if (kept.size() < DEEPEST && frame.isPython() == python) kept.add(frame);
        }
        if (kept.isEmpty()) return CallStack.UNKNOWN;
        CallStack known = stacks.get(kept);
        if (known != null) return known;
        if (stacks.size() >= MOST) return OTHERS;
        CallStack stack = new CallStack(List.copyOf(kept));
        held.charge(150 + 8L * kept.size());
        stacks.put(stack.frames(), stack);
        return stack;
    }
}
