// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.scan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Finds in a regular expression texts of which every match contains at least one: `(?:CUDA|HIP) out of memory` needs
/// ` out of memory`; `cudaMalloc failed|ErrorOutOfDeviceMemory` needs one of two.
///
/// Reads as much of the syntax of [Pattern] as signatures use. Whatever else there is counts as "anything": then a text
/// may be missed and the pattern is slower, but none is ever required that is not. The texts are ASCII without the
/// characters that JSON or a terminal would write differently, so that they stand in the raw bytes of any log as they
/// are; upper and lower case are the same.
final class RequiredLiterals {
    /// What a table of four bytes can look for.
    static final int SHORTEST = 4;

    private static final int MOST = 24;
    private static final int LONG_ENOUGH = 12;

    private final String regex;
    private int at;

    private RequiredLiterals(String regex) {
        this.regex = regex;
    }

    /// @return empty when there are none of at least [#SHORTEST] characters: every line must be tried
    static Optional<Set<String>> of(Pattern pattern) {
        int notUnderstood =
                Pattern.COMMENTS | Pattern.CANON_EQ | Pattern.UNICODE_CASE | Pattern.UNICODE_CHARACTER_CLASS;
        if ((pattern.flags() & notUnderstood) != 0) return Optional.empty();
        Set<String> found;
        if ((pattern.flags() & Pattern.LITERAL) != 0) {
            found = usable(pattern.pattern());
        } else {
            RequiredLiterals parser = new RequiredLiterals(pattern.pattern());
            try {
                found = parser.alternatives();
                if (parser.at < parser.regex.length()) found = null;
            } catch (NotUnderstood e) {
                found = null;
            }
        }
        return Optional.ofNullable(found);
    }

    private static final class NotUnderstood extends Exception {
        private static final long serialVersionUID = 1;
    }

    /// One of several: what is required is one of what each of them requires.
    private Set<String> alternatives() throws NotUnderstood {
        Set<String> union = new LinkedHashSet<>();
        boolean all = true;
        while (true) {
            Set<String> branch = sequence();
            if (branch == null) all = false;
            else union.addAll(branch);
            if (at >= regex.length() || regex.charAt(at) != '|') break;
            at++;
        }
        return all && union.size() <= MOST ? union : null;
    }

    /// One behind the other: the best of what each part requires.
    private Set<String> sequence() throws NotUnderstood {
        List<Set<String>> parts = new ArrayList<>();
        StringBuilder run = new StringBuilder();
        while (at < regex.length() && regex.charAt(at) != '|' && regex.charAt(at) != ')') {
            char c = regex.charAt(at);
            int literal = -1;
            Set<String> group = null;
            boolean isNothing = false;
            if (c == '(') {
                int before = at;
                group = group();
                isNothing = regex.startsWith("(?=", before)
                        || regex.startsWith("(?!", before)
                        || regex.startsWith("(?<!", before)
                        || regex.startsWith("(?<=", before);
                if (isNothing) group = null;
            } else if (c == '[') {
                skipClass();
            } else if (c == '\\') {
                int escaped = escape(run, parts);
                if (escaped == QUOTED) continue;
                isNothing = escaped == NOTHING;
                literal = escaped >= 0 ? escaped : -1;
            } else if (c == '^' || c == '$') {
                at++;
                isNothing = true;
            } else if (c == '.') {
                at++;
            } else {
                at++;
                literal = c;
            }
            Times times = times();
            if (isNothing && times == Times.ONCE) continue;
            if (literal >= 0 && times != Times.MAYBE) run.append((char) literal);
            if (literal < 0 || times != Times.ONCE) ended(run, parts);
            if (group != null && times != Times.MAYBE) parts.add(group);
        }
        ended(run, parts);
        Set<String> best = null;
        for (Set<String> part : parts) if (part != null && (best == null || worth(part) > worth(best))) best = part;
        return best;
    }

    private static void ended(StringBuilder run, List<Set<String>> parts) {
        if (!run.isEmpty()) parts.add(usable(run.toString()));
        run.setLength(0);
    }

    /// The longest part of a text that is written the same everywhere; null when there is none that is long enough.
    private static Set<String> usable(String text) {
        String best = "";
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i < text.length() && isWrittenTheSame(text.charAt(i))) continue;
            if (i - start > best.length()) best = text.substring(start, i);
            start = i + 1;
        }
        return best.length() < SHORTEST ? null : Set.of(best);
    }

    static boolean isWrittenTheSame(char c) {
        return c >= ' ' && c < 0x7f && "\"\\/<>&'".indexOf(c) < 0;
    }

    private static int worth(Set<String> literals) {
        int shortest = LONG_ENOUGH;
        for (String literal : literals) shortest = Math.min(shortest, literal.length());
        return shortest * MOST - literals.size();
    }

    private enum Times {
        ONCE,
        AT_LEAST_ONCE,
        MAYBE
    }

    /// The quantifier, if one follows.
    private Times times() throws NotUnderstood {
        if (at >= regex.length()) return Times.ONCE;
        Times times;
        switch (regex.charAt(at)) {
            case '*', '?' -> {
                times = Times.MAYBE;
                at++;
            }
            case '+' -> {
                times = Times.AT_LEAST_ONCE;
                at++;
            }
            case '{' -> {
                int end = regex.indexOf('}', at);
                if (end < 0) throw new NotUnderstood();
                times = regex.charAt(at + 1) == '0' ? Times.MAYBE : Times.AT_LEAST_ONCE;
                at = end + 1;
            }
            default -> {
                return Times.ONCE;
            }
        }
        if (at < regex.length() && (regex.charAt(at) == '?' || regex.charAt(at) == '+')) at++;
        return times;
    }

    private Set<String> group() throws NotUnderstood {
        at++;
        if (regex.startsWith("?", at)) {
            at++;
            if (regex.startsWith("<=", at) || regex.startsWith("<!", at)) at += 2;
            else if (regex.startsWith("<", at)) at = regex.indexOf('>', at) + 1;
            else if (regex.startsWith(":", at)
                    || regex.startsWith("=", at)
                    || regex.startsWith("!", at)
                    || regex.startsWith(">", at)) at++;
            else return flags();
        }
        Set<String> inside = alternatives();
        if (at >= regex.length()) throw new NotUnderstood();
        at++;
        return inside;
    }

    /// `(?i)` and `(?i:…)`: case means nothing to us. Other flags change what the rest is.
    private Set<String> flags() throws NotUnderstood {
        while (at < regex.length()
                && (regex.charAt(at) == 'i'
                        || regex.charAt(at) == 's'
                        || regex.charAt(at) == 'm'
                        || regex.charAt(at) == '-')) at++;
        if (at >= regex.length()) throw new NotUnderstood();
        char end = regex.charAt(at++);
        if (end == ')') return null;
        if (end != ':') throw new NotUnderstood();
        Set<String> inside = alternatives();
        if (at >= regex.length()) throw new NotUnderstood();
        at++;
        return inside;
    }

    private void skipClass() throws NotUnderstood {
        int depth = 0;
        while (at < regex.length()) {
            char c = regex.charAt(at++);
            if (c == '\\') {
                if (regex.startsWith("Q", at)) throw new NotUnderstood();
                at++;
            } else if (c == '[') {
                depth++;
                if (regex.startsWith("^", at)) at++;
                if (regex.startsWith("]", at)) throw new NotUnderstood();
            } else if (c == ']' && --depth == 0) {
                return;
            }
        }
        throw new NotUnderstood();
    }

    private static final int ANYTHING = -1;
    private static final int NOTHING = -2;
    private static final int QUOTED = -3;

    /// @return the character it stands for, or one of the three above
    private int escape(StringBuilder run, List<Set<String>> parts) throws NotUnderstood {
        if (at + 1 >= regex.length()) throw new NotUnderstood();
        char c = regex.charAt(at + 1);
        if (c == 'Q') {
            int end = regex.indexOf("\\E", at);
            String quoted = regex.substring(at + 2, end < 0 ? regex.length() : end);
            at = end < 0 ? regex.length() : end + 2;
            // A quantifier behind it is about its last character only.
            ended(run, parts);
            if (!quoted.isEmpty()) parts.add(usable(quoted.substring(0, quoted.length() - 1)));
            times();
            return QUOTED;
        }
        at += 2;
        if (!Character.isLetterOrDigit(c)) return c;
        return switch (c) {
            case 'b', 'B', 'A', 'z', 'Z', 'G' -> {
                if (regex.startsWith("{", at)) throw new NotUnderstood();
                yield NOTHING;
            }
            case 'd', 'D', 's', 'S', 'w', 'W', 'h', 'H', 'v', 'V', 'R', 'X', 't', 'n', 'r', 'f', 'a', 'e' -> ANYTHING;
            case 'p', 'P' -> {
                int end = regex.indexOf('}', at);
                if (!regex.startsWith("{", at) || end < 0) throw new NotUnderstood();
                at = end + 1;
                yield ANYTHING;
            }
            default -> throw new NotUnderstood();
        };
    }
}
