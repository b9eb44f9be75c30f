// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.Call;
import dev.ullage.host.KernelEscapes;
import dev.ullage.host.RecordedLines;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What one of the four methods of [dev.ullage.host.HostRoot] was asked.
///
/// @param call empty for the others
/// @param about a path, mostly
record Question(Kind kind, Optional<Call> call, String about) {
    enum Kind {
        TEXT,
        NAMES,
        LINK,
        CALL
    }

    Question(Kind kind, String about) {
        this(kind, Optional.empty(), about);
    }

    Question(Call call, String about) {
        this(Kind.CALL, Optional.of(call), about);
    }

    /// The path under which an absence is written down.
    String absentKey() {
        if (call.isEmpty()) return about;
        String file = "/recorded/" + call.get().word();
        return switch (call.get().shape()) {
            case WHOLE -> file;
            case LINES -> file + ":" + about;
            case FILES -> file + "/" + about;
        };
    }

    /// The file that holds the answer; empty when it is a line of a file of lines.
    Optional<String> file() {
        return switch (kind) {
            case TEXT -> Optional.of(about);
            case NAMES, LINK -> Optional.empty();
            case CALL -> call.get().shape() == Call.Shape.LINES ? Optional.empty() : Optional.of(absentKey());
        };
    }

    /// The file under `recorded/` whose lines hold such answers.
    String lineFile() {
        return switch (kind) {
            case TEXT -> throw new IllegalStateException("the text of " + about + " is a file of its own");
            case NAMES -> "names";
            case LINK -> "links";
            case CALL -> call.get().word();
        };
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
