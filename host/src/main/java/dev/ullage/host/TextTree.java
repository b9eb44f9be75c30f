// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Texts by relative path (`proc/meminfo`): a folder, an archive, the fenced blocks of a page.
public interface TextTree {
    /// The text of a file, or empty if there is no such file.
    Optional<String> text(String path);

    /// The names in a directory, sorted; empty if there is none. `""` is the top.
    List<String> names(String directory);

    /// A tree held in memory.
    static TextTree of(Map<String, String> texts) {
        return new TextTree() {
            @Override
            public Optional<String> text(String path) {
                return Optional.ofNullable(texts.get(path));
            }

            @Override
            public List<String> names(String directory) {
                String prefix = directory.isEmpty() || directory.endsWith("/") ? directory : directory + "/";
                TreeSet<String> names = new TreeSet<>();
                for (String path : texts.keySet()) {
                    if (!path.startsWith(prefix) || path.length() == prefix.length()) continue;
                    int slash = path.indexOf('/', prefix.length());
                    names.add(path.substring(prefix.length(), slash < 0 ? path.length() : slash));
                }
                return List.copyOf(names);
            }
        };
    }
}
