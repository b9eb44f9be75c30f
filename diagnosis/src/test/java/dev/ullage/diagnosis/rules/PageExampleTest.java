// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/// A page that would test nothing must not pass.
class PageExampleTest {
    private static final String REPORT = "```report\nclear\n```\n";

    private static List<PageExample> of(String text) {
        return PageExample.in("some-rule", text);
    }

    private static String whyNot(String text) {
        return assertThrows(IllegalStateException.class, () -> of(text)).getMessage();
    }

    @Test
    void an_example_is_a_heading_a_host_and_a_report() {
        PageExample example = of("### Clear: a\n\n```host\n── proc/a\none\ntwo⇥three\n── proc/b\n```\n\n" + REPORT)
                .getFirst();
        assertEquals("some-rule: Clear: a", example.toString());
        assertEquals("one\ntwo\tthree\n", example.files().get("proc/a"));
        assertEquals("", example.files().get("proc/b"));
        assertEquals("clear\n", example.report());
        assertTrue(example.isKind("Clear"));
    }

    @Test
    void a_base_host_lies_below_and_may_lie_on_another() {
        PageExample example =
                of("### Clear: a\n```host calm\n── proc/meminfo\nMemTotal: 1 kB\n── proc/swaps (gone)\n```\n" + REPORT)
                        .getFirst();
        assertEquals("MemTotal: 1 kB\n", example.files().get("proc/meminfo"));
        assertFalse(example.files().containsKey("proc/swaps"));
        assertTrue(example.files().containsKey("proc/812/cmdline"));
        assertTrue(PageExample.base("calm-v1").containsKey("proc/812/cmdline"));
        assertFalse(PageExample.base("calm-v1").containsKey("sys/fs/cgroup/system.slice/llama.service/memory.max"));
    }

    @Test
    void a_heading_without_its_blocks_is_wrong() {
        assertEquals("some-rule.md: the last example lacks its blocks", whyNot("### Fires: a\n```host\n```\n"));
        assertEquals("some-rule.md:2: the example before it lacks its blocks", whyNot("### Fires: a\n### Clear: b\n"));
        assertEquals("some-rule.md:2: a report before its host", whyNot("### Fires: a\n" + REPORT));
    }

    @Test
    void a_file_that_changes_nothing_is_wrong() {
        assertEquals(
                "some-rule.md:2: proc/stat changes nothing: the base has at-0.000/proc/stat",
                whyNot("### Fires: a\n```host calm\n── proc/stat\ncpu 1\n```\n" + REPORT));
        assertEquals(
                "some-rule.md:2: proc/nothing is gone, and the base has no such file",
                whyNot("### Fires: a\n```host calm\n── proc/nothing (gone)\n```\n" + REPORT));
    }

    @Test
    void a_title_a_file_or_a_line_too_many_is_wrong() {
        String a = "### Clear: a\n```host\n── proc/a\n```\n" + REPORT;
        assertTrue(whyNot(a + a).endsWith("a second example of this title"));
        assertTrue(whyNot("### Clear: a\n```host\n── proc/a\n── proc/a\n```\n" + REPORT)
                .endsWith("proc/a twice"));
        assertTrue(whyNot("### Clear: a\n```host\nMemTotal\n```\n" + REPORT).endsWith("a line of no file: MemTotal"));
        assertTrue(whyNot("### Clear: a\n```host\n── proc/a\n").endsWith("a block that does not end"));
    }
}
