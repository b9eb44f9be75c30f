// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The page of a signature: documentation, definition and test at once.
///
/// ````
/// # torch-out-of-memory
///
/// PyTorch was refused memory by the GPU.
///
/// - role: failure
/// - engine: pytorch
/// - causes: vram-activation, vram-weights
/// - reach: 3
///
/// ## What it means
/// ## Sentences
/// ```
/// <device:CUDA|HIP> out of memory. Tried to allocate <tried:size>
/// ```
/// ## Numbers
/// ## Lines that match
/// ```
/// torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB.
/// → device=CUDA tried=2.0 GiB
/// ```
/// ## Lines that do not
/// ````
///
/// @param matching each with what its holes hold; lines that follow it in the message stand below it with a `|`
/// @param others lines that look alike and are something else
public record SignaturePage(Signature signature, String text, List<Matching> matching, List<String> others) {
    public record Matching(String line, List<String> following, String captures) {}

    private static final String HOLDS = "→ ";
    private static final String CONTINUES = "| ";

    /// @param name of its file, which is its title too
    /// @throws IllegalArgumentException when it is no such page; says what is missing
    public static SignaturePage parse(String name, String text) {
        Map<String, List<String>> sections = sections(text);
        List<String> head = sections.get("");
        if (head.isEmpty() || !head.getFirst().equals("# " + name))
            throw wrong(name, "does not begin with \"# " + name + "\"");
        String title = head.stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("- "))
                .findFirst()
                .orElseThrow(() -> wrong(name, "has no sentence that says what it is"));
        if (sections.getOrDefault("What it means", List.of()).isEmpty()) throw wrong(name, "has no \"What it means\"");
        Signature signature = new Signature(
                name,
                title,
                Role.of(property(name, head, "role"))
                        .orElseThrow(() -> wrong(name, "has the role \"" + property(name, head, "role") + "\"")),
                property(name, head, "engine"),
                Stream.of(property(name, head, "causes").split(", *"))
                        .filter(cause -> !cause.isEmpty())
                        .toList(),
                sentences(sections, "Sentences"),
                sentences(sections, "Numbers"),
                Integer.parseInt("0" + property(name, head, "reach")));
        if (signature.sentences().isEmpty()) throw wrong(name, "has no sentences");
        return new SignaturePage(
                signature, text, matching(code(sections, "Lines that match")), code(sections, "Lines that do not"));
    }

    private static Map<String, List<String>> sections(String text) {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>();
        sections.put("", lines);
        for (String line : text.lines().toList()) {
            if (line.startsWith("## ")) {
                lines = new ArrayList<>();
                sections.put(line.substring(3).strip(), lines);
            } else lines.add(line);
        }
        return sections;
    }

    /// `- role: failure`; empty when it is not said.
    private static String property(String name, List<String> head, String key) {
        List<String> values = head.stream()
                .filter(line -> line.startsWith("- " + key + ":"))
                .map(line -> line.substring(key.length() + 3).strip())
                .toList();
        if (values.size() > 1) throw wrong(name, "says its " + key + " twice");
        return values.isEmpty() ? "" : values.getFirst();
    }

    private static List<Sentence> sentences(Map<String, List<String>> sections, String title) {
        return code(sections, title).stream().map(Sentence::parse).toList();
    }

    /// The lines of a section's fenced blocks.
    private static List<String> code(Map<String, List<String>> sections, String title) {
        List<String> code = new ArrayList<>();
        boolean inside = false;
        for (String line : sections.getOrDefault(title, List.of())) {
            if (line.startsWith("```")) inside = !inside;
            else if (inside && !line.isBlank()) code.add(line);
        }
        return code;
    }

    private static List<Matching> matching(List<String> code) {
        List<Matching> all = new ArrayList<>();
        for (String line : code) {
            Matching last = all.isEmpty() ? null : all.getLast();
            if (line.startsWith(HOLDS) && last != null) {
                all.set(all.size() - 1, new Matching(last.line, last.following, line.substring(HOLDS.length())));
            } else if (line.startsWith(CONTINUES) && last != null) {
                List<String> following = new ArrayList<>(last.following);
                following.add(line.substring(CONTINUES.length()));
                all.set(all.size() - 1, new Matching(last.line, List.copyOf(following), last.captures));
            } else all.add(new Matching(line, List.of(), ""));
        }
        return all;
    }

    private static IllegalArgumentException wrong(String name, String what) {
        return new IllegalArgumentException("the page of the signature " + name + " " + what);
    }
}
