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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// One example of a rule's page: a heading that says what kind it is, a tiny host, and the report it must give.
///
/// A host block lists files, each begun by its path; `⇥` stands for a tab, `␀` for NUL, and a path that ends in
/// `(gone)` takes a
/// file of the base away. `host calm` is laid over the base host of that name in the test resources.
///
/// A page that is wrong fails loudly: a heading without its two blocks, a file that changes nothing because the base
/// has one for the instant, a file taken away that was not there. Each would otherwise be an example that tests
/// nothing.
///
/// @param files the whole host, base included
/// @param own the paths that this example gives itself
record PageExample(String page, String title, Map<String, String> files, Set<String> own, String report) {
    private static final String FILE_MARK = "── ";
    private static final String OVER = "over ";
    private static final Path BASES = Path.of("src/test/resources/dev/ullage/diagnosis/rules");

    /// The examples of a page, in order.
    static List<PageExample> in(String page, String text) {
        List<PageExample> examples = new ArrayList<>();
        String title = null;
        Host host = null;
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            String where = page + ".md:" + (i + 1);
            if (line.startsWith("### ")) {
                must(title == null, where, "the example before it lacks its blocks");
                title = line.substring(4);
                String said = title;
                must(examples.stream().noneMatch(e -> e.title.equals(said)), where, "a second example of this title");
                continue;
            }
            boolean isHost = line.equals("```host") || line.startsWith("```host ");
            boolean isReport = line.equals("```report");
            if (!isHost && !isReport) continue;
            must(title != null, where, "a block under no \"### \" heading of its own");
            List<String> block = new ArrayList<>();
            for (i++; i < lines.size() && !lines.get(i).equals("```"); i++) block.add(lines.get(i));
            must(i < lines.size(), where, "a block that does not end");
            if (isHost) {
                must(host == null, where, "a second host");
                host = host(line.substring("```host".length()).strip(), block, where);
            } else {
                must(host != null, where, "a report before its host");
                examples.add(new PageExample(page, title, host.files, host.own, joined(block)));
                title = null;
                host = null;
            }
        }
        must(title == null, page + ".md", "the last example lacks its blocks");
        return examples;
    }

    private record Host(Map<String, String> files, Set<String> own) {}

    private static Host host(String base, List<String> block, String where) {
        Map<String, String> files = new TreeMap<>(base.isEmpty() ? Map.of() : base(base));
        Map<String, List<String>> own = new LinkedHashMap<>();
        String path = null;
        for (String line : block) {
            if (line.startsWith(FILE_MARK)) {
                path = line.substring(FILE_MARK.length()).strip();
                if (path.endsWith("(gone)")) {
                    String gone =
                            path.substring(0, path.length() - "(gone)".length()).strip();
                    must(files.remove(gone) != null, where, gone + " is gone, and the base has no such file");
                    path = null;
                } else {
                    must(own.put(path, new ArrayList<>()) == null, where, path + " twice");
                }
            } else {
                must(path != null, where, "a line of no file: " + line);
                own.get(path).add(line.replace('⇥', '\t').replace('␀', '\0'));
            }
        }
        for (String file : own.keySet())
            if (!file.startsWith("at-"))
                for (String other : files.keySet())
                    must(
                            !other.matches("at-[0-9.]+/.*")
                                    || !other.substring(other.indexOf('/') + 1).equals(file),
                            where,
                            file + " changes nothing: the base has " + other);
        own.forEach((file, lines) -> files.put(file, joined(lines)));
        return new Host(files, own.keySet());
    }

    /// A whole host in a file of its own, in the same notation; `␄` at the end of a file's last line stands for one
    /// that
    /// does not end its line.
    static Map<String, String> hostIn(Path file) {
        try {
            Map<String, String> files = new TreeMap<>(host("", Files.readAllLines(file), file.toString()).files);
            files.replaceAll((_, text) -> text.endsWith("␄\n") ? text.substring(0, text.length() - 2) : text);
            return files;
        } catch (IOException e) {
            throw new IllegalStateException("reading " + file, e);
        }
    }

    /// A base host; its first line may say which other base it is laid over: `over calm`.
    static Map<String, String> base(String name) {
        Path file = BASES.resolve(name + ".host");
        try {
            List<String> lines = Files.readAllLines(file);
            boolean isOver = lines.getFirst().startsWith(OVER);
            return host(
                            isOver ? lines.getFirst().substring(OVER.length()) : "",
                            isOver ? lines.subList(1, lines.size()) : lines,
                            file.toString())
                    .files;
        } catch (IOException e) {
            throw new IllegalStateException(
                    "an example is laid over the host \"" + name + "\", which is not " + file, e);
        }
    }

    private static void must(boolean is, String where, String otherwise) {
        if (!is) throw new IllegalStateException(where + ": " + otherwise);
    }

    private static String joined(List<String> lines) {
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    TextTree tree() {
        return TextTree.of(files);
    }

    /// The host, noting which of its files are asked for.
    TextTree tree(Set<String> read) {
        TextTree tree = tree();
        return new TextTree() {
            @Override
            public Optional<String> text(String path) {
                read.add(path);
                return tree.text(path);
            }

            @Override
            public List<String> names(String directory) {
                return tree.names(directory);
            }
        };
    }

    boolean isKind(String kind) {
        return title.startsWith(kind + ": ");
    }

    @Override
    public String toString() {
        return page + ": " + title;
    }
}
