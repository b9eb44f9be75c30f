// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.KernelEscapes;
import dev.ullage.host.RecordedLines;
import java.util.List;
import java.util.stream.Collectors;

/// What one of the four methods of [dev.ullage.host.HostRoot] was asked.
///
/// @param word of the call; empty for the others
/// @param about a path, mostly
record Question(Kind kind, String word, String about) {
    enum Kind {
        TEXT,
        NAMES,
        LINK,
        CALL
    }

    /// The path under which an absence is written down.
    String absentKey() {
        return kind == Kind.CALL ? "/recorded/" + word + (isWhole() ? "" : ":" + about) : about;
    }

    /// Whether its answer is a file of its own: the clock, the kernel log.
    boolean isWhole() {
        return kind == Kind.CALL && about.equals("-");
    }

    /// Names as one line holds them.
    static String joined(List<String> names) {
        return names.stream().map(RecordedLines::key).collect(Collectors.joining("/"));
    }

    static List<String> split(String joined) {
        return joined.isEmpty()
                ? List.of()
                : List.of(joined.split("/")).stream().map(KernelEscapes::undo).toList();
    }
}
