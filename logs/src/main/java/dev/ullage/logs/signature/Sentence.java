// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A sentence of a log with holes, as a signature's page writes it:
///
/// ```
/// <device:CUDA|HIP|XPU> out of memory. Tried to allocate <tried:size>
/// the model{s}'s max seq len (<asked:int>)
/// ```
///
/// `<name:kind>` is a hole that is kept; [Hole] lists the kinds, and `a|b|c` is a choice of words. `<_>` is any text;
/// one such
/// hole a sentence.
/// `{…}` may be missing. A blank is any run of blanks. A number stands for itself: `137` is not in `1370`. A backslash
/// takes the next character as it is. The sentence may stand anywhere in a line; `<start>` and `<end>` are the line's.
///
/// Why not regular expressions: people who know an engine write and read these pages, engines' texts are full of
/// brackets and dots, and every hole is bounded, so that no line can make a match slow.
public final class Sentence {
    private final String text;
    private final Pattern pattern;
    private final List<String> literals;
    private final Map<String, Hole> holes;

    private Sentence(String text, Pattern pattern, List<String> literals, Map<String, Hole> holes) {
        this.text = text;
        this.pattern = pattern;
        this.literals = literals;
        this.holes = holes;
    }

    /// @throws IllegalArgumentException when it is no sentence of this kind; says where
    public static Sentence parse(String text) {
        return new Parser(text).parse();
    }

    /// What the holes held in the first place where the sentence stands.
    public Optional<Captures> in(String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? Optional.of(Captures.of(matcher, holes)) : Optional.empty();
    }

    /// The longest text that every line with this sentence has: what a scan looks for first. Without blanks, for a
    /// blank may be any run of them.
    public String literal() {
        return literals.stream()
                .max((a, b) -> Integer.compare(a.length(), b.length()))
                .orElse("");
    }

    @Override
    public String toString() {
        return text;
    }

    private static final class Parser {
        private final String text;
        private final StringBuilder regex = new StringBuilder();
        private final List<String> literals = new ArrayList<>();
        private final StringBuilder literal = new StringBuilder();
        private final Map<String, Hole> holes = new LinkedHashMap<>();
        private int at;
        private int optional;
        private boolean anyText;
        private char last;

        Parser(String text) {
            this.text = text;
        }

        Sentence parse() {
            while (at < text.length()) next();
            endOfLiteral();
            if (optional > 0) throw wrong("a { that is not closed");
            if (literals.isEmpty()) throw wrong("no text outside of holes to look for");
            return new Sentence(text, Pattern.compile(regex.toString()), List.copyOf(literals), Map.copyOf(holes));
        }

        private void next() {
            char c = text.charAt(at++);
            if (" {}<".indexOf(c) >= 0) last = c;
            switch (c) {
                case ' ' -> {
                    while (at < text.length() && text.charAt(at) == ' ') at++;
                    endOfLiteral();
                    regex.append("\\s{1,60}+");
                }
                case '{' -> {
                    endOfLiteral();
                    regex.append("(?:");
                    optional++;
                }
                case '}' -> {
                    if (optional == 0) throw wrong("a } without a {");
                    endOfLiteral();
                    regex.append(")?");
                    optional--;
                }
                case '<' -> {
                    endOfLiteral();
                    hole();
                }
                case '\\' -> {
                    if (at == text.length()) throw wrong("a backslash at the end");
                    plain(text.charAt(at++));
                }
                default -> plain(c);
            }
        }

        private void plain(char c) {
            if (optional == 0) literal.append(c);
            boolean begins = Character.isDigit(c) && !Character.isDigit(last);
            last = c;
            if (begins) regex.append("(?<!\\d)");
            regex.append(Character.isLetterOrDigit(c) ? String.valueOf(c) : Pattern.quote(String.valueOf(c)));
            boolean ends = Character.isDigit(c) && (at == text.length() || !Character.isDigit(text.charAt(at)));
            if (ends) regex.append("(?!\\d)");
        }

        private void endOfLiteral() {
            if (!literal.isEmpty()) literals.add(literal.toString());
            literal.setLength(0);
        }

        private void hole() {
            int end = text.indexOf('>', at);
            if (end < 0) throw wrong("a < that is not closed");
            String inside = text.substring(at, end);
            at = end + 1;
            if (inside.equals("_")) {
                onlyOneOfAnyText();
                regex.append(".{0,300}?");
                return;
            }
            if (inside.equals("start") || inside.equals("end")) {
                regex.append(inside.equals("start") ? "^\\s{0,60}+" : "\\s{0,60}+$");
                return;
            }
            int colon = inside.indexOf(':');
            if (colon < 1) throw wrong("<" + inside + "> is not <name:kind>");
            String name = inside.substring(0, colon);
            if (!name.matches("[a-z][A-Za-z0-9]{0,30}")) throw wrong("\"" + name + "\" is no name for a hole");
            Hole hole = Hole.of(inside.substring(colon + 1));
            if (hole.kind().equals("text")) onlyOneOfAnyText();
            if (holes.put(name, hole) != null) throw wrong("two holes named " + name);
            // In front of a sentence it begins where a word or number does: else each letter of a long one is a try.
            if (regex.isEmpty()) regex.append(hole.beginning());
            regex.append("(?<").append(name).append('>').append(hole.regex()).append(')');
        }

        /// Two of them make a line slow: for each place where the first may end the second is tried everywhere.
        private void onlyOneOfAnyText() {
            if (anyText) throw wrong("two holes for any text");
            anyText = true;
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("sentence \"" + text + "\", at " + at + ": " + what);
        }
    }
}
