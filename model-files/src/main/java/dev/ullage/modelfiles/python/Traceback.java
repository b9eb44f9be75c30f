// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import dev.ullage.modelfiles.pickle.Folded;
import java.util.List;

/// Where memory was asked for: the innermost line first, as many as `tracemalloc.start(N)` was told to keep (one, if
/// nothing was said). Python shows it the other way round.
public record Traceback(List<SourceLine> lines) implements Folded {
    public String shown() {
        return lines.isEmpty() ? "<unknown>" : lines.getFirst().shown();
    }
}
