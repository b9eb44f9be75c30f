// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Texts by relative path (`proc/meminfo`): a folder, an archive, the fenced blocks of a page.
public interface TextTree {
    /// The text of a file, or empty if there is no such file.
    Optional<String> text(String path);

    /// The names in a directory, sorted; empty if there is none. `""` is the top.
    List<String> names(String directory);

    /// A tree held in memory.
    static TextTree of(Map<String, String> texts) {
        return MemoryTree.of(texts);
    }
}
