// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import org.junit.jupiter.api.Test;

class TransparentHugePagesTest {
    private static final String FILE = "sys/kernel/mm/transparent_hugepage/enabled";

    private static Reading<TransparentHugePages> reading(String... pathsAndTexts) {
        return TransparentHugePages.FACT.read(Recorded.host(pathsAndTexts), Host.THE_HOST);
    }

    @Test
    void the_word_in_brackets_is_the_mode() {
        assertTrue(reading(FILE, "[always] madvise never\n").orThrow().isAlways());
        assertEquals(
                "madvise", reading(FILE, "always [madvise] never\n").orThrow().mode());
        assertFalse(reading(FILE, "always madvise [never]\n").orThrow().isAlways());
    }

    @Test
    void a_kernel_without_them_gives_none_and_one_that_was_not_seen_is_unknown() {
        assertEquals(
                "never",
                reading("recorded/absent", "/" + FILE + "\tnot-on-this-kernel\tno such file\n")
                        .orThrow()
                        .mode());
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(reading("a", "b")));
    }

    @Test
    void text_without_brackets_is_no_mode() {
        for (String text : HostileText.ALL)
            assertFalse(reading(FILE, text).orThrow().isAlways(), text);
        assertEquals("", reading(FILE, "]always[").orThrow().mode());
    }
}
