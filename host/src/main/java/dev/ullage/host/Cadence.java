// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

/// How often a fact is read in a window.
public enum Cadence {
    /// At the beginning: what does not change in seconds (mounts, a command line).
    ONCE,
    /// At the beginning and at the end: counters whose difference matters but whose course does not.
    ENDS,
    /// At the end: what collects over the window (the kernel log), and what is dear to read.
    END,
    /// At every instant, about once a second: what must be seen growing.
    ALWAYS;

    /// Whether a fact of this cadence is read at an instant.
    ///
    /// A live window does not know its last instant in advance (Ctrl-C ends it early), so `last` is said, not
    /// computed.
    boolean isDue(boolean first, boolean last) {
        return switch (this) {
            case ONCE -> first;
            case ENDS -> first || last;
            case END -> last;
            case ALWAYS -> true;
        };
    }
}
