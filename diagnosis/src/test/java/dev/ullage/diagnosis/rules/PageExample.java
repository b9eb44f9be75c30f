// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.host.TextTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One example of a rule's page: a heading that says what kind it is, a tiny host, and the report it must give.
///
/// A host block lists files, each begun by its path; `⇥` stands for a tab, and a path that ends in `(gone)` takes a
/// file
/// of the base away. `host calm` is laid over the base host of that name in the test resources.
record PageExample(String page, String title, Map<String, String> files, String report) {
    private static final String FILE_MARK = "── ";

    static List<PageExample> in(String page, String text) {
        List<PageExample> examples = new ArrayList<>();
        String title = "";
        Map<String, String> host = Map.of();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("### ")) title = line.substring(4);
            if (!line.startsWith("```host") && !line.startsWith("```report")) continue;
            List<String> block = new ArrayList<>();
            for (i++; i < lines.size() && !lines.get(i).equals("```"); i++) block.add(lines.get(i));
            if (line.startsWith("```host"))
                host = host(line.substring("```host".length()).strip(), block);
            else examples.add(new PageExample(page, title, host, joined(block)));
        }
        return examples;
    }

    private static Map<String, String> host(String base, List<String> block) {
        Map<String, String> files = new TreeMap<>(base.isEmpty() ? Map.of() : base(base));
        Map<String, List<String>> own = new LinkedHashMap<>();
        String path = null;
        for (String line : block) {
            if (line.startsWith(FILE_MARK)) {
                path = line.substring(FILE_MARK.length()).strip();
                if (path.endsWith("(gone)"))
                    files.remove(
                            path.substring(0, path.length() - "(gone)".length()).strip());
                else own.put(path, new ArrayList<>());
            } else if (path != null) {
                own.get(path).add(line.replace('⇥', '\t'));
            }
        }
        own.forEach((file, lines) -> files.put(file, joined(lines)));
        return files;
    }

    static Map<String, String> base(String name) {
        Path file = Path.of("src/test/resources/dev/ullage/diagnosis/rules/" + name + ".host");
        try {
            return host("", Files.readAllLines(file));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "an example is laid over the host \"" + name + "\", which is not " + file, e);
        }
    }

    private static String joined(List<String> lines) {
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    TextTree tree() {
        return TextTree.of(files);
    }

    boolean isKind(String kind) {
        return title.startsWith(kind + ":");
    }
}
