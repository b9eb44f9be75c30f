// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What stands for what in a redacted capture: one mapping for all of it, so that a path that was the same stays the
/// same. `hf_abc…` → `redacted1`, `alice` → `user1`, `203.0.113.7` → `address1`.
///
/// A disguise is one plain word: it can stand in a path, in a line of columns, in JSON.
final class Disguises {
    /// Kinds of things that are hidden, by the word that stands for them.
    enum Kind {
        REDACTED,
        USER,
        EMAIL,
        ADDRESS;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Kind, Map<String, String>> known = new HashMap<>();
    /// Secrets that are hidden wherever they stand, and not only where a name gave them away.
    private final Map<String, String> everywhere = new HashMap<>();

    private Optional<Pattern> pattern = Optional.empty();
    private int patternOf;

    String of(Kind kind, String value) {
        Map<String, String> ofKind = known.computeIfAbsent(kind, _ -> new HashMap<>());
        // What is a disguise already stays: rules meet each other's work.
        if (value.isEmpty() || value.matches("(redacted|user|email|address)\\d+")) return value;
        return ofKind.computeIfAbsent(value, _ -> kind.word() + (ofKind.size() + 1));
    }

    /// A secret: hidden here, and everywhere else when it is long and odd enough to be nothing but itself.
    String secret(String value) {
        String disguise = of(Kind.REDACTED, value);
        if (!disguise.equals(value) && isDistinct(value)) everywhere.put(value, disguise);
        return disguise;
    }

    private static boolean isDistinct(String value) {
        boolean mixed =
                value.chars().anyMatch(Character::isDigit) && value.chars().anyMatch(Character::isLetter);
        return !value.startsWith("/") && (value.length() >= 8 && mixed || value.length() >= 12);
    }

    /// Hides the secrets that were learned elsewhere.
    String secretsIn(String text) {
        if (everywhere.isEmpty()) return text;
        if (patternOf != everywhere.size()) {
            List<String> longestFirst = new ArrayList<>(everywhere.keySet());
            longestFirst.sort(Comparator.comparing(String::length).reversed().thenComparing(s -> s));
            pattern = Optional.of(Pattern.compile(
                    String.join("|", longestFirst.stream().map(Pattern::quote).toList())));
            patternOf = everywhere.size();
        }
        return pattern.orElseThrow().matcher(text).replaceAll(found -> everywhere.get(found.group()));
    }
}
