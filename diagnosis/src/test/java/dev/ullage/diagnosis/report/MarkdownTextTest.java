// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "llama-server (pid 26370) maps 1.1 GiB of model, its cgroup may hold 600.0 MiB; the host has 23.0 GiB",
                "reads 953.7 MiB/s, 258,211/s again: 69 % of the time",
                "what it wants – and gets – is somebody else's",
            })
    void our_own_sentences_stay(String sentence) {
        assertEquals(sentence, MarkdownText.of(sentence));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@everyone",
                "#12",
                "user/repository#1",
                "<script>alert(1)</script>",
                "<img",
                "[click](http://example.org)",
                "![x](y)",
                "http://example.org/a",
                "www.example.org",
                "somebody@example.org",
                "*bold*",
                "workingset_refault_file",
                "~~gone~~",
                "$(reboot)",
                "GH-1",
                "4765436a61450f",
                "a\\b",
                "a|b",
                "# heading",
                "> quote",
                "- item",
                "1. item",
                "---",
                "/models/model.gguf",
                "model.gguf",
            })
    void everything_that_means_something_in_markdown_is_code(String name) {
        String first = name.split(" ")[0];
        assertEquals("`" + first + "`" + name.substring(first.length()), MarkdownText.of(name));
    }

    @Test
    void entities_and_emoji_are_left_without_their_beginning() {
        assertEquals("`&lt`;", MarkdownText.of("&lt;"));
        assertEquals("`:smile`:", MarkdownText.of(":smile:"));
    }

    @Test
    void brackets_and_commas_around_a_name_stay_outside() {
        assertEquals("(`model.gguf`, `/swap.img`)", MarkdownText.of("(model.gguf, /swap.img)"));
    }

    @Test
    void words_of_code_beside_each_other_are_one_span() {
        assertEquals("echo `3221225472 > /sys/a_b` again", MarkdownText.of("echo 3221225472 > /sys/a_b again"));
        assertEquals("ullage --pid `<new pid>`", MarkdownText.of("ullage --pid <new pid>"));
    }

    @Test
    void backticks_in_a_name_do_not_end_the_code() {
        assertEquals("``a`b``", MarkdownText.of("a`b"));
        assertEquals("``` ``x`` ```", MarkdownText.of("``x``"));
    }

    @Test
    void a_bar_does_not_end_a_cell() {
        assertEquals("`a\\|b`", MarkdownText.cell("a|b"));
        assertEquals("`/sys/a\\|b c`", MarkdownText.codeCell("/sys/a|b c"));
        assertEquals("", MarkdownText.codeCell(""));
    }

    @Test
    void a_fence_is_longer_than_any_in_the_command() {
        assertEquals("```sh\necho 1\n```\n", MarkdownText.fenced("sh", "echo 1"));
        assertEquals("`````sh\n````\\x0a<b>\n`````\n", MarkdownText.fenced("sh", "````\n<b>"));
    }

    @Test
    void an_end_of_line_in_a_name_makes_no_line() {
        assertEquals("`a\\x0a#` b", MarkdownText.of("a\n# b"));
    }
}
