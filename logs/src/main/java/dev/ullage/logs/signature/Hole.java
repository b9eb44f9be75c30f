// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import dev.ullage.measure.Bytes;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What may stand in a hole of a sentence.
///
/// | kind | holds |
/// |---|---|
/// | `size` | a number with its unit: `1.96 GiB`, `34260Ki`, `514,19 MiB`, `22167552 bytes` |
/// | `bytes`, `KiB`, `MiB`, `GiB`, `pages` | a bare number of these |
/// | `megabytes` | a number with `MB` or `GB` that are powers of ten |
/// | `int`, `number` | a whole number, `8,192` too; any number |
/// | `word`, `path`, `text` | no blanks; a file's path; anything, as little as possible |
/// | `a\|b\|c` | one of these words |
///
/// Mistake people make: taking GB for a power of ten. PyTorch, vLLM, SGLang, DeepSpeed and the kernel print powers of
/// two
/// under the names kB, MB and GB; of the texts we know only Hugging Face's download warnings mean powers of ten.
public record Hole(String kind, String regex) {
    private static final String NUMBER = "-?\\d{1,19}+(?:[.,]\\d{1,9}+)?+";
    private static final String INTEGER = "-?\\d{1,3}(?:,\\d{3}){1,6}(?!\\d)|-?\\d{1,19}+";

    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("size", NUMBER + "\\s?(?:[KMGTkmgt](?:i?[Bb]|i)?|[Bb]ytes?|B)\\b"),
            Map.entry("megabytes", NUMBER + "\\s?[kKMGT]B\\b"),
            Map.entry("bytes", "\\d{1,19}+"),
            Map.entry("KiB", NUMBER),
            Map.entry("MiB", NUMBER),
            Map.entry("GiB", NUMBER),
            Map.entry("pages", "\\d{1,19}+"),
            Map.entry("int", INTEGER),
            Map.entry("number", NUMBER),
            Map.entry("word", "[^\\s,;()\\[\\]\"'<>]{1,200}+"),
            Map.entry("path", "[^\\s\"'<>]{1,600}+"),
            Map.entry("text", ".{1,400}?"));

    private static final Pattern CHOICE = Pattern.compile("[^|<>]+(?:\\|[^|<>]+)+");

    static Hole of(String kind) {
        String regex = KINDS.get(kind);
        if (regex != null) return new Hole(kind, regex);
        if (!CHOICE.matcher(kind).matches())
            throw new IllegalArgumentException("\"" + kind + "\" is no kind of hole; there are "
                    + KINDS.keySet().stream().sorted().collect(Collectors.joining(", ")) + ", or a choice a|b|c");
        // The longer of two words that begin alike first.
        return new Hole(
                "choice",
                Stream.of(kind.split("\\|"))
                        .sorted((a, b) -> Integer.compare(b.length(), a.length()))
                        .map(Pattern::quote)
                        .collect(Collectors.joining("|")));
    }

    /// What must not stand before it, as a regular expression.
    String beginning() {
        return switch (kind) {
            case "word" -> "(?<![^\\s,;()\\[\\]\"'<>])";
            case "path" -> "(?<![^\\s\"'<>])";
            case "text", "choice" -> "";
            default -> "(?<!\\d)";
        };
    }

    /// The amount of memory that the text of such a hole says; empty for a hole that holds none.
    Optional<Bytes> amount(String text) {
        return switch (kind) {
            case "size" -> sized(text, 1024);
            case "megabytes" -> sized(text, 1000);
            case "bytes" -> scaled(text, 1);
            case "KiB" -> scaled(text, 1L << 10);
            case "MiB" -> scaled(text, 1L << 20);
            case "GiB" -> scaled(text, 1L << 30);
            case "pages" -> scaled(text, Bytes.PAGE);
            default -> Optional.empty();
        };
    }

    private static Optional<Bytes> sized(String text, int thousand) {
        int end = text.length();
        while (end > 0 && !Character.isDigit(text.charAt(end - 1))) end--;
        String unit = text.substring(end).strip();
        double factor = unit.isEmpty() || unit.startsWith("b") || unit.startsWith("B")
                ? 1
                : Math.pow(thousand, "KMGT".indexOf(Character.toUpperCase(unit.charAt(0))) + 1);
        return number(text.substring(0, end)).map(n -> new Bytes(Math.round(n * factor)));
    }

    private static Optional<Bytes> scaled(String text, long factor) {
        return number(text).map(n -> new Bytes(Math.round(n * factor)));
    }

    /// `1900,00` is a decimal comma, `1,900` a thousand: three digits behind a comma, and no point.
    static Optional<Double> number(String text) {
        String plain = text.strip();
        if (plain.matches("-?\\d{1,3}(,\\d{3})+(\\.\\d+)?")) plain = plain.replace(",", "");
        try {
            return Optional.of(Double.parseDouble(plain.replace(',', '.')));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
