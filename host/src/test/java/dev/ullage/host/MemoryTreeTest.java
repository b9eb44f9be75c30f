// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MemoryTreeTest {
    @Test
    void a_folder_lists_its_own_entries_whatever_sorts_between_them() {
        TextTree tree = TextTree.of(Map.of("a", "1", "a.b", "2", "b/x", "3", "b/y/z", "4", "b.c/q", "5", "b0", "6"));
        assertEquals(List.of("a", "a.b", "b", "b.c", "b0"), tree.names(""));
        assertEquals(List.of("x", "y"), tree.names("b"));
        assertEquals(List.of("x", "y"), tree.names("b/"));
        assertEquals(List.of(), tree.names("a"));
        assertEquals(List.of(), tree.names("c"));
        assertEquals(Optional.of("4"), tree.text("b/y/z"));
        assertEquals(List.of(), TextTree.of(Map.of()).names(""));
    }

    @Test
    @Timeout(5)
    void listing_small_folders_of_a_large_tree_costs_little() {
        Map<String, String> files = new HashMap<>();
        for (int pid = 0; pid < 20_000; pid++) for (int i = 0; i < 5; i++) files.put("proc/" + pid + "/f" + i, "");
        TextTree tree = TextTree.of(files);
        for (int pid = 0; pid < 20_000; pid++)
            assertEquals(5, tree.names("proc/" + pid).size());
        assertEquals(20_000, tree.names("proc").size());
    }
}
