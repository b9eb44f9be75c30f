// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class KernelEscapesTest {
    @Test
    void the_characters_the_kernel_escapes_come_back() {
        assertEquals("/mnt/my disk", KernelEscapes.undo("/mnt/my\\040disk"));
        assertEquals("/a\tb\nc\\d#e", KernelEscapes.undo("/a\\011b\\012c\\134d\\043e"));
    }

    @Test
    void an_escaped_backslash_before_digits_is_no_second_escape() {
        assertEquals("/a\\040b", KernelEscapes.undo("/a\\134040b"));
    }

    @Test
    void what_only_looks_escaped_stays() {
        for (String text : new String[] {"\\", "a\\", "a\\04", "a\\0", "a\\9990", "a\\0x0", "a\\n"})
            assertEquals(text, KernelEscapes.undo(text));
    }

    @Test
    void a_path_without_escapes_is_returned_as_it_is() {
        String path = "/modèles/Größe.gguf";
        assertSame(path, KernelEscapes.undo(path));
    }
}
