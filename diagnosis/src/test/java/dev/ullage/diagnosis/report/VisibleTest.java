// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class VisibleTest {
    @Test
    void plain_text_of_any_language_stays() {
        String text = "llama-server (pid 812) — モデル модель نموذج 🦙 4.6 GiB";
        assertEquals(text, Visible.of(text));
    }

    @Test
    void control_characters_are_shown_by_their_number() {
        assertEquals("a\\x1b[31m\\x0ab\\x00\\x9b", Visible.of("a\u001b[31m\nb\0\u009b"));
    }

    @Test
    void what_turns_text_around_or_hides_in_it_is_shown_by_its_number() {
        assertEquals("a\\u202eb\\u2066\\u200b\\ufeff\\u2028", Visible.of("a\u202eb\u2066\u200b\ufeff\u2028"));
        assertEquals("\\u{e0041}", Visible.of("\udb40\udc41"));
    }

    @Test
    void half_a_character_is_shown_by_its_number() {
        assertEquals("a\\ud83eb", Visible.of("a\ud83eb"));
    }
}
