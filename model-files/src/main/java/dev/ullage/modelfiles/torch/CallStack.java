// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.modelfiles.pickle.Folded;
import java.util.List;

/// Who asked for memory: lines of code, the innermost first. Python's only, where there are any.
///
/// @param frames empty when the snapshot was taken without stacks (`_record_memory_history` was not called, or only
///     after the allocation)
public record CallStack(List<CodeFrame> frames) implements Folded {
    public static final CallStack UNKNOWN = new CallStack(List.of());

    /// The innermost line that is not torch's own: where to look in one's program.
    public String shown() {
        if (frames.isEmpty()) return "(no stack recorded)";
        for (CodeFrame frame : frames) if (!isOfTorch(frame)) return frame.shown();
        return frames.getFirst().shown();
    }

    private static boolean isOfTorch(CodeFrame frame) {
        return frame.file().contains("/torch/") || frame.file().startsWith("<") || !frame.isPython();
    }
}
