// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.util.ArrayList;
import java.util.List;

/// What is left of a line once a terminal has shown it: colours and cursor codes gone, and of a progress bar, which
/// writes over itself, the states that say something else.
///
/// ```
/// shards:  25%|██▌  | 1/4\rshards:  50%|█████ | 2/4\rshards:  75%|███████▌| 3/4 [..]Killed
/// ```
/// leaves the last. Only C0 control characters mean anything here: a prefilter that finds none of their bytes in a line
/// knows that this changed nothing.
final class Screen {
    private static final int LONGEST_CODE = 256;
    private static final int SHORTEST_WORD = 4;

    private Screen() {}

    /// At least one; the last is what stayed.
    static List<String> states(String line) {
        if (isPlain(line)) return List.of(line);
        List<String> states = new ArrayList<>(1);
        StringBuilder now = new StringBuilder(line.length());
        for (int i = 0; i < line.length(); ) {
            char c = line.charAt(i);
            if (c >= ' ' || c == '\t') {
                now.append(c);
                i++;
            } else if (c == 0x1b) {
                int end = endOfCode(line, i);
                // "to column 1" is a carriage return by another name
                if (isToColumnOne(line, i, end)) next(states, now);
                i = end;
            } else {
                if (c == '\r') next(states, now);
                else if (c == '\b' && !now.isEmpty()) now.setLength(now.length() - 1);
                i++;
            }
        }
        states.add(now.toString());
        return withoutOverwritten(states);
    }

    private static boolean isPlain(String line) {
        for (int i = 0; i < line.length(); i++) if (line.charAt(i) < ' ' && line.charAt(i) != '\t') return false;
        return true;
    }

    private static void next(List<String> states, StringBuilder now) {
        if (!now.isEmpty()) states.add(now.toString());
        now.setLength(0);
    }

    private static List<String> withoutOverwritten(List<String> states) {
        if (states.size() > 1 && states.getLast().isBlank()) states.removeLast();
        List<String> kept = new ArrayList<>(1);
        for (int i = 0; i < states.size(); i++)
            if (i == states.size() - 1 || !saysTheSame(states.get(i), states.get(i + 1))) kept.add(states.get(i));
        return kept;
    }

    /// Whether two states of a line differ in numbers, bars and units only.
    static boolean saysTheSame(String one, String other) {
        return one.isBlank() || words(one).equals(words(other));
    }

    /// The letters of the words that are no units: `Loading shards` of `Loading shards:  25% 1/4 [00:01, 1.2s/it]`.
    private static String words(String text) {
        StringBuilder words = new StringBuilder();
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i < text.length() && Character.isLetter(text.charAt(i))) continue;
            if (i - start >= SHORTEST_WORD) words.append(text, start, i).append(' ');
            start = i + 1;
        }
        return words.toString();
    }

    private static int endOfCode(String line, int escape) {
        int most = Math.min(line.length(), escape + LONGEST_CODE);
        int i = escape + 1;
        if (i >= most) return most;
        char kind = line.charAt(i);
        if (kind == '[') { // parameters, then one letter
            for (i++; i < most; i++) {
                char c = line.charAt(i);
                if (c >= '@' && c <= '~') return i + 1;
                if (c < ' ') return i;
            }
            return most;
        }
        if (kind == ']') { // a title or a link, ended by BEL or ESC \
            for (i++; i < most; i++) {
                if (line.charAt(i) == 7) return i + 1;
                if (line.charAt(i) == 0x1b) return i + 1 < line.length() && line.charAt(i + 1) == '\\' ? i + 2 : i;
            }
            return escape + 2; // never ended: then it was none, and its text stays
        }
        if (kind < ' ') return i;
        if (kind == '(' || kind == ')' || kind == '#') return Math.min(most, i + 2);
        return i + 1;
    }

    private static boolean isToColumnOne(String line, int escape, int end) {
        return end - escape >= 3
                && line.charAt(escape + 1) == '['
                && line.charAt(end - 1) == 'G'
                && (end - escape == 3 || end - escape == 4 && line.charAt(escape + 2) <= '1');
    }
}
