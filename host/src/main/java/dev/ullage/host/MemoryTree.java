// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// A [TextTree] in memory: a capture that was just taken, an unpacked archive, the fenced blocks of a page.
///
/// Sorted, so that listing a folder costs its own entries and not those of the whole tree.
///
/// @param texts by relative path: `at-0.000/proc/vmstat`
public record MemoryTree(NavigableMap<String, String> texts) implements TextTree {
    public MemoryTree {
        texts = new TreeMap<>(texts);
    }

    public static MemoryTree of(Map<String, String> texts) {
        return new MemoryTree(new TreeMap<>(texts));
    }

    @Override
    public Optional<String> text(String path) {
        return Optional.ofNullable(texts.get(path));
    }

    @Override
    public List<String> names(String directory) {
        String prefix = directory.isEmpty() || directory.endsWith("/") ? directory : directory + "/";
        TreeSet<String> names = new TreeSet<>();
        String path = prefix.isEmpty() ? texts.isEmpty() ? null : texts.firstKey() : texts.higherKey(prefix);
        while (path != null && path.startsWith(prefix)) {
            int slash = path.indexOf('/', prefix.length());
            names.add(path.substring(prefix.length(), slash < 0 ? path.length() : slash));
            // Behind a file comes the next path; behind a folder, the first path that is not in it: '0' follows '/'.
            path = slash < 0 ? texts.higherKey(path) : texts.ceilingKey(path.substring(0, slash) + "0");
        }
        return List.copyOf(names);
    }
}
