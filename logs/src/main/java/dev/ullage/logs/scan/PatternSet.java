// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.scan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Many patterns that are looked for together. A pattern is tried on a line only when the line has a text that the
/// pattern cannot do without, taken from the pattern itself ([RequiredLiterals]): 150 patterns cost little more than
/// one.
///
/// Patterns are matched with `find`. Their repetitions must be bounded ({0,200}, not *) where a hostile line could make
/// them slow; nothing here does that for them. Those that require no text of four characters are tried on every line
/// that is made ([#slow]): one of them makes a big log slow to read, so a catalogue should have none.
public final class PatternSet {
    private static final int[] NONE = {};

    private final List<Pattern> patterns;
    private final int[] slow;
    private final int[][] patternsOfLiteral;
    private final GramTable table;

    private PatternSet(List<Pattern> patterns) {
        this.patterns = List.copyOf(patterns);
        Map<String, List<Integer>> byLiteral = new LinkedHashMap<>();
        List<Integer> slow = new ArrayList<>();
        for (int i = 0; i < patterns.size(); i++) {
            Optional<Set<String>> literals = RequiredLiterals.of(patterns.get(i));
            if (literals.isEmpty()) slow.add(i);
            for (String literal : literals.orElse(Set.of()))
                byLiteral.computeIfAbsent(literal, _ -> new ArrayList<>()).add(i);
        }
        this.slow = toArray(slow);
        patternsOfLiteral = byLiteral.values().stream().map(PatternSet::toArray).toArray(int[][]::new);
        table = new GramTable(List.copyOf(byLiteral.keySet()));
    }

    public static PatternSet of(List<Pattern> patterns) {
        return new PatternSet(patterns);
    }

    private static int[] toArray(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    public List<Pattern> patterns() {
        return patterns;
    }

    /// Those that every line must be tried with.
    public List<Pattern> slow() {
        return Arrays.stream(slow).mapToObj(patterns::get).toList();
    }

    boolean isFast() {
        return slow.length == 0;
    }

    GramTable table() {
        return table;
    }

    /// Which patterns are found in a line: their places in [#patterns], rising.
    public int[] in(String text) {
        boolean[] wanted = null;
        int count = slow.length;
        boolean[] literals = new boolean[patternsOfLiteral.length];
        // One byte a character: what is not Latin-1 becomes `?`, which is no part of any literal's neighbourhood.
        table.mark(text.getBytes(StandardCharsets.ISO_8859_1), literals);
        for (int literal = 0; literal < literals.length; literal++) {
            if (!literals[literal]) continue;
            if (wanted == null) wanted = new boolean[patterns.size()];
            for (int pattern : patternsOfLiteral[literal]) wanted[pattern] = true;
        }
        if (wanted == null && count == 0) return NONE;
        if (wanted == null) wanted = new boolean[patterns.size()];
        for (int pattern : slow) wanted[pattern] = true;
        int[] found = new int[patterns.size()];
        int length = 0;
        for (int i = 0; i < wanted.length; i++)
            if (wanted[i] && patterns.get(i).matcher(text).find()) found[length++] = i;
        return length == 0 ? NONE : Arrays.copyOf(found, length);
    }
}
