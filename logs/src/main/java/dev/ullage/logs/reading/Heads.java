// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.util.regex.Pattern;

/// Whether a line looks like the beginning of something a program said, and not like the rest of the line above it.
final class Heads {
    private static final Pattern HEAD =
            Pattern.compile("(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|TRACE|E|W|I)\\b[ :\\[]"
                    + "|level=|time=|ts=|msg=|Traceback |File \"|[\\w.]{1,100}(?:Error|Exception|Warning|Interrupt)\\b"
                    + "|[a-z][a-z0-9_]{3,60}: |\\d{1,3}%\\||[{<$#>*+|=-]|\\[|\\([A-Za-z_]{1,40}[^()]{0,60}pid=|at [\\w.]{1,80}[(/]"
                    + "|Process \\w{1,60}:|Loading |Caused by|During handling|The above exception|Call Trace");

    private Heads() {}

    static boolean isHead(String line) {
        if (line.isBlank() || line.charAt(0) == '\t') return true;
        // Indented by more than one: a traceback. By one: the terminal's edge fell between two words.
        if (line.charAt(0) == ' ') return line.length() < 2 || line.charAt(1) == ' ';
        if (HEAD.matcher(line).lookingAt() || Stamps.in(line).isPresent()) return true;
        Prefixes.Peeled peeled = Prefixes.peel(line);
        return peeled.text().length() < line.length();
    }

    /// The same, of a line that no human wrote: with a time, a speaker, a level.
    static boolean isProgramLine(String line) {
        if (line.isBlank()) return false;
        Prefixes.Peeled peeled = Prefixes.peel(line);
        return !peeled.stamps().isEmpty() || !peeled.worker().isEmpty();
    }
}
