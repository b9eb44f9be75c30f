// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `/proc/<pid>/cmdline`: how the process was started, its arguments separated by NUL.
///
/// A process may overwrite it: vLLM's workers show `VLLM::EngineCore` as one argument padded with NULs. Empty for
/// kernel threads and for processes that ended.
public record CommandLine(List<String> arguments) {
    /// Longest that is kept: enough for any server's flags, and an argument list may be 2 MiB.
    private static final int LONGEST = 32_768;

    public static final Fact<ProcessId, CommandLine> FACT = new Fact<>(
            "command line", "/proc/<pid>/cmdline", Cadence.ONCE, "", (root, id) -> root.text(id.file("cmdline"))
                    .map(CommandLine::parse));

    public static CommandLine parse(String text) {
        List<String> arguments = new ArrayList<>();
        String kept = text.length() > LONGEST ? text.substring(0, LONGEST) : text;
        for (String argument : kept.split("\0")) if (!argument.isBlank()) arguments.add(argument.strip());
        // A title written over the arguments has spaces where NULs were: "postgres: writer", "sglang::scheduler TP0".
        return new CommandLine(List.copyOf(arguments));
    }

    /// The value of a flag, written `--flag value`, `--flag=value` or `-f value`.
    public Optional<String> flag(String... names) {
        for (int i = 0; i < arguments.size(); i++) {
            for (String name : names) {
                String argument = arguments.get(i);
                if (argument.equals(name) && i + 1 < arguments.size()) return Optional.of(arguments.get(i + 1));
                if (argument.startsWith(name + "=")) return Optional.of(argument.substring(name.length() + 1));
            }
        }
        return Optional.empty();
    }

    /// The program's file name, without its folder: `llama-server`, `python3`.
    public String program() {
        if (arguments.isEmpty()) return "";
        String first = arguments.getFirst();
        // A title is one argument with spaces in it; the path of a program with spaces is followed by others.
        int space = arguments.size() == 1 ? first.indexOf(' ') : -1;
        String path = space > 0 ? first.substring(0, space) : first;
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /// The same arguments of another program.
    public CommandLine as(String program) {
        List<String> others = new ArrayList<>(arguments);
        if (others.isEmpty()) others.add(program);
        else others.set(0, program);
        return new CommandLine(List.copyOf(others));
    }

    public String joined() {
        return String.join(" ", arguments);
    }
}
