// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.RecordedLines;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Puts a capture together from what a folder or an archive holds, and refuses what no honest one does. Everything a
/// capture may not do is decided here, for both:
///
/// | found | then |
/// |---|---|
/// | a symbolic link | left out; what it stood for is "malformed: a link" in the report |
/// | a hard link, device, pipe, socket | refused |
/// | `..`, an absolute name, a control character in a name, a name twice | refused |
/// | more or longer than the limits below | refused |
///
/// The limits keep the reader in its small heap, whatever it is given. What Ullage writes is below a tenth of them.
public final class CaptureBuilder {
    public static final int MOST_ENTRIES = 100_000;
    public static final int LONGEST_FILE = 8 << 20;
    public static final int MOST_TEXT = 24 << 20;
    public static final int MOST_INSTANTS = 64;
    /// What the files that are read at every instant have in all, times the instants: it is parsed again each time.
    private static final long MOST_READ = 64 << 20;

    private static final Pattern READ_AT_EVERY_INSTANT =
            Pattern.compile("proc/(\\d+/(stat|status)|[a-z]+|pressure/.*|sys/.*)|sys/(fs/cgroup|devices)/.*|[^/]*");

    private static final int DEEPEST = 40;
    private static final int MOST_LINKS = 10_000;
    private static final int MOST_LINES = 200_000;

    private final NavigableMap<String, String> texts = new TreeMap<>();
    private final TreeSet<String> folders = new TreeSet<>();
    private final TreeSet<String> links = new TreeSet<>();
    private int entries;
    private long size;

    public CaptureBuilder() {}

    /// A file or folder or link was met.
    ///
    /// @param where for messages: `at-0.000/proc/vmstat`, or that and its offset in an archive
    /// @return its path, checked
    public String entry(String name, String where) {
        if (++entries > MOST_ENTRIES)
            throw new BadCapture(where + ": the " + entries + "th entry; a capture has at most " + MOST_ENTRIES);
        if (name.startsWith("/")) throw new BadCapture(where + ": an absolute name; expected one inside the capture");
        String[] parts = name.split("/", -1);
        if (parts.length > DEEPEST)
            throw new BadCapture(where + ": " + parts.length + " folders deep; a capture has at most " + DEEPEST);
        for (String part : parts) {
            if (part.equals("..")) throw new BadCapture(where + ": a name with .. in it leads out of the capture");
            if (part.isEmpty() || part.equals("."))
                throw new BadCapture(where + ": a name with an empty part; expected one like proc/meminfo");
            if (part.chars().anyMatch(Character::isISOControl))
                throw new BadCapture(where + ": a name with a control character in it");
        }
        return name;
    }

    /// Room for a file of that many bytes; asked before it is read.
    public void reserve(long bytes, String where) {
        if (bytes > LONGEST_FILE)
            throw new BadCapture(where + ": " + bytes + " bytes; a file of a capture has at most " + LONGEST_FILE);
        size += bytes;
        if (size > MOST_TEXT)
            throw new BadCapture(
                    where + ": with it the capture has more than " + MOST_TEXT + " bytes, the most it may");
    }

    public void file(String path, byte[] bytes, String where) {
        if (texts.putIfAbsent(path, new String(bytes, StandardCharsets.UTF_8)) != null || folders.contains(path))
            throw new BadCapture(where + ": a name that was there before");
        parentsOf(path, where);
    }

    public void folder(String path, String where) {
        if (texts.containsKey(path)) throw new BadCapture(where + ": a folder with the name of a file");
        folders.add(path);
        parentsOf(path, where);
    }

    private void parentsOf(String path, String where) {
        for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
            String parent = path.substring(0, slash);
            if (texts.containsKey(parent))
                throw new BadCapture(where + ": lies in a file, " + BadCapture.shown(parent));
            if (!folders.add(parent)) return;
        }
    }

    /// A link that is left out.
    public void link(String path, String where) {
        if (links.size() >= MOST_LINKS)
            throw new BadCapture(where + ": the " + (MOST_LINKS + 1) + "th symbolic link; a capture has none");
        links.add(path);
    }

    /// The capture as a tree.
    public MemoryTree tree() {
        String top = topFolder();
        NavigableMap<String, String> tree = texts;
        if (!top.isEmpty()) {
            tree = new TreeMap<>();
            for (var file : texts.entrySet()) tree.put(file.getKey().substring(top.length()), file.getValue());
        }
        for (String link : links) if (link.startsWith(top)) addAbsence(tree, link.substring(top.length()));
        check(tree);
        return new MemoryTree(tree);
    }

    /// `gpu7/` when everything lies in one folder of that name, as an archive of a folder does; else empty.
    private String topFolder() {
        if (texts.isEmpty()) throw new BadCapture("there is no file in it; expected proc/ or at-0.000/ with files");
        String first = texts.firstKey();
        int slash = first.indexOf('/');
        if (slash < 0) return "";
        String top = first.substring(0, slash + 1);
        boolean isOfACapture = top.equals("proc/") || top.equals("recorded/") || isInstant(top);
        return !isOfACapture && texts.lastKey().startsWith(top) ? top : "";
    }

    private static boolean isInstant(String folder) {
        return RecordedHost.INSTANT
                .matcher(folder.substring(0, folder.length() - 1))
                .matches();
    }

    private static void addAbsence(NavigableMap<String, String> tree, String link) {
        int slash = link.indexOf('/');
        boolean inInstant = slash > 0 && isInstant(link.substring(0, slash + 1));
        String layer = inInstant ? link.substring(0, slash + 1) : "";
        String path = "/" + link.substring(layer.length());
        String line = RecordedLines.key(path) + "\tmalformed\ta symbolic link in the capture, which is not followed\n";
        tree.merge(layer + "recorded/absent", line, String::concat);
    }

    /// Whether a capture that is about to be written could be read again: a host may be too large for one.
    ///
    /// @throws BadCapture saying how to ask for less
    public static void checkOwn(NavigableMap<String, String> tree) {
        long text = tree.values().stream().mapToLong(String::length).sum();
        if (tree.size() > MOST_ENTRIES || text > MOST_TEXT)
            throw new BadCapture(
                    "this host makes " + tree.size() + " files of " + text + " bytes, a capture has at most "
                            + MOST_ENTRIES + " and " + MOST_TEXT + "; look for less long (--for 3s)");
        check(tree);
    }

    private static void check(NavigableMap<String, String> tree) {
        MemoryTree memory = new MemoryTree(tree);
        long instants = memory.names("").stream()
                .filter(name -> RecordedHost.INSTANT.matcher(name).matches())
                .count();
        if (instants > MOST_INSTANTS)
            throw new BadCapture("at-…/: " + instants + " instants; a capture has at most " + MOST_INSTANTS);
        long lines = 0;
        for (var file : tree.entrySet()) {
            if (!file.getKey().contains("recorded/") || file.getKey().endsWith("/kmsg")) continue;
            lines += file.getValue().chars().filter(c -> c == '\n').count();
            if (lines > MOST_LINES)
                throw new BadCapture(BadCapture.shown(file.getKey()) + ": with it there are more than " + MOST_LINES
                        + " lines in recorded/, the most there may be");
        }
        checkWork(tree, instants);
        memory.text(CaptureNote.FILE).ifPresent(CaptureNote::parse);
    }

    private static void checkWork(NavigableMap<String, String> tree, long instants) {
        Map<String, Integer> longest = new HashMap<>();
        tree.forEach((path, text) -> {
            int slash = path.indexOf('/');
            String file = slash > 0 && isInstant(path.substring(0, slash + 1)) ? path.substring(slash + 1) : path;
            if (READ_AT_EVERY_INSTANT.matcher(file).matches()) longest.merge(file, text.length(), Math::max);
        });
        // Of processes only the candidates.
        long read = instants
                * longest.values().stream()
                        .sorted(Comparator.reverseOrder())
                        .limit(1_000)
                        .mapToLong(Integer::longValue)
                        .sum();
        if (read > MOST_READ)
            throw new BadCapture("at-…/: " + instants + " instants of files as long as these take " + read
                    + " bytes to be read; a capture has at most " + MOST_READ);
    }
}
