// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Text in Markdown (GitHub's, which other trackers take too) that says what it says and does nothing.
///
/// A name from a host may mention people (`@everyone`), cross-link issues (`#1`), be a link, an image, an HTML tag or
/// half of a table. Backslashes do not help against mentions: GitHub looks for them after Markdown is done. In a code
/// span nothing is looked for. So a word that is more than letters, digits and plain punctuation is set as code, which
/// is how paths, counters and unit names are best read anyway.
final class MarkdownText {
    private static final Pattern PLAIN = Pattern.compile("[(\"']*[\\p{L}\\p{N}.,:;%×…–—·'/+-]*[.,:;)\"'!?]*");

    /// Names with a dot in them (`model.gguf`, `www.example.org`), links, `:smile:`, `GH-1`, commit hashes.
    private static final Pattern SPECIAL =
            Pattern.compile("(?i).*\\p{L}\\.\\p{L}.*|.*:[\\p{L}\\p{N}/+_-].*|/.*|gh-\\d+.*|(?=.*\\d)[0-9a-f]{7,}");

    /// What begins a list, or is a rule or an underline, when it comes first.
    private static final Pattern FIRST = Pattern.compile("[-+=]+|\\d+[.)]");

    private MarkdownText() {}

    /// A sentence. Line ends in it are shown, not made; words of code beside each other are one span: a command.
    static String of(String text) {
        List<String> words = new ArrayList<>();
        String run = "";
        for (String word : Visible.of(text).split(" ")) {
            boolean begins = words.isEmpty() && FIRST.matcher(word).matches();
            boolean isCode = begins || !isPlain(word) && punctuated(word).equals(code(word));
            if (isCode && !run.isEmpty()) words.removeLast();
            run = isCode ? (run.isEmpty() ? word : run + " " + word) : "";
            words.add(isCode ? code(run) : isPlain(word) ? word : punctuated(word));
        }
        return String.join(" ", words);
    }

    /// The same in a cell of a table, where a bar would end the cell even in code.
    static String cell(String text) {
        return of(text).replace("|", "\\|");
    }

    static String codeCell(String text) {
        return text.isEmpty() ? "" : code(Visible.of(text)).replace("|", "\\|");
    }

    /// A block to copy from, with a fence longer than any in it.
    static String fenced(String language, String text) {
        String visible = Visible.of(text);
        String fence = "`".repeat(Math.max(3, longestRun(visible) + 1));
        return fence + language + "\n" + visible + "\n" + fence + "\n";
    }

    private static boolean isPlain(String word) {
        return PLAIN.matcher(word).matches() && !SPECIAL.matcher(word).matches();
    }

    /// Brackets and commas around a name stay outside of the code.
    private static String punctuated(String word) {
        int start = 0;
        int end = word.length();
        while (start < end && "(\"'".indexOf(word.charAt(start)) >= 0) start++;
        while (end > start && ",:;)\"'".indexOf(word.charAt(end - 1)) >= 0) {
            // `f(x)` is one name, `(x)` is a name in brackets.
            if (word.charAt(end - 1) == ')' && word.substring(start, end).contains("(")) break;
            end--;
        }
        if (start == end) return code(word);
        return word.substring(0, start) + code(word.substring(start, end)) + word.substring(end);
    }

    /// A code span. Backticks in it need longer ones around it; a blank at its edge keeps them apart.
    private static String code(String visible) {
        String fence = "`".repeat(longestRun(visible) + 1);
        boolean padded = visible.startsWith("`") || visible.endsWith("`");
        return fence + (padded ? " " : "") + visible + (padded ? " " : "") + fence;
    }

    private static int longestRun(String text) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = text.charAt(i) == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }
}
