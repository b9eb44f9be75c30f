// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.process.CommandLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// A command line as flags and their values: `--flag value`, `--flag=value`, `-f value`. Of a flag that is given twice
/// the last one holds, as for argparse, clap and llama.cpp.
///
/// Mistake people make: looking for the one spelling of the manual. `--max_model_len=32k`, `-tp 4`, `--gpu-memory-util
/// .9` all start a vLLM.
final class Flags {
    /// argparse takes the beginning of a long flag for the flag when no other begins so.
    private static final int SHORTEST_BEGINNING = 8;

    private final Map<String, String> values = new LinkedHashMap<>();
    private final List<String> words = new ArrayList<>();

    Flags(CommandLine command) {
        List<String> arguments = command.arguments();
        for (int i = 1; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!isFlag(argument)) {
                words.add(argument);
                continue;
            }
            int equals = argument.indexOf('=');
            String name = name(equals < 0 ? argument : argument.substring(0, equals));
            boolean hasNext = equals < 0 && i + 1 < arguments.size() && !isFlag(arguments.get(i + 1));
            if (equals >= 0) values.put(name, argument.substring(equals + 1));
            else if (hasNext) values.put(name, arguments.get(++i));
            else values.put(name, "");
        }
    }

    /// `-1` and `-.5` are values.
    private static boolean isFlag(String argument) {
        return argument.length() > 1
                && argument.charAt(0) == '-'
                && !Character.isDigit(argument.charAt(1))
                && argument.charAt(1) != '.';
    }

    /// Dashes and underscores mean the same in long flags.
    private static String name(String flag) {
        return flag.startsWith("--") ? flag.replace('_', '-') : flag;
    }

    /// Arguments that are neither a flag nor taken for one's value, in order; the value of a switch is among the
    /// others.
    List<String> words() {
        return words;
    }

    /// The value of the first of these flags that is given; the long one first.
    Optional<String> text(String... names) {
        for (String name : names) {
            String value = values.get(name);
            if (value == null && name.startsWith("--")) value = abbreviated(name);
            if (value != null && !value.isEmpty()) return Optional.of(value);
        }
        return Optional.empty();
    }

    private String abbreviated(String name) {
        for (Map.Entry<String, String> given : values.entrySet())
            if (given.getKey().length() >= SHORTEST_BEGINNING && name.startsWith(given.getKey()))
                return given.getValue();
        return null;
    }

    boolean isGiven(String... names) {
        for (String name : names) if (values.containsKey(name)) return true;
        return false;
    }

    OptionalDouble number(String... names) {
        return Numbers.plain(text(names).orElse(""));
    }

    /// `32k` = 32,000, `32K` = 32,768, as vLLM reads them.
    OptionalDouble human(String... names) {
        return Numbers.human(text(names).orElse(""));
    }
}
