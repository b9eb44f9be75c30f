// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.signature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.Bytes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SentenceTest {
    private static String held(String sentence, String line) {
        return Sentence.parse(sentence).in(line).map(Captures::toString).orElse("no match");
    }

    @Test
    void amounts_come_in_every_spelling_that_engines_have() {
        String sentence = "needs <asked:size>, has";
        assertEquals("asked=1.5 GiB", held(sentence, "needs 1.5 GiB, has"));
        assertEquals("asked=1.5 GiB", held(sentence, "needs 1.50GB, has"));
        assertEquals("asked=1.9 GiB", held(sentence, "needs 1900,00 MiB, has"));
        assertEquals("asked=33.5 MiB", held(sentence, "needs 34260Ki, has"));
        assertEquals("asked=1.0 KiB", held(sentence, "needs 1024 bytes, has"));
        assertEquals("asked=-1.1 GiB", held(sentence, "needs -1.07GiB, has"));
        assertEquals("asked=4.0 GiB", held(sentence, "needs 4194304kB, has"));
        assertEquals("no match", held(sentence, "needs many GiB, has"));
    }

    @Test
    void a_thousands_separator_is_no_decimal_comma() {
        assertEquals(
                878335,
                Sentence.parse("size: <n:int> tokens")
                        .in("size: 878,335 tokens")
                        .orElseThrow()
                        .count("n")
                        .orElseThrow());
        assertEquals(
                new Bytes(3_945_440_000L),
                Sentence.parse("is: <n:megabytes>")
                        .in("is: 3945.44 MB.")
                        .orElseThrow()
                        .bytes("n")
                        .orElseThrow());
    }

    @Test
    void what_may_be_missing_may_be_missing_and_blanks_may_be_many() {
        String sentence = "the model{s}'s max seq len (<asked:int>)";
        assertEquals("asked=4096", held(sentence, "ValueError: the model's   max seq\tlen (4096)"));
        assertEquals("asked=4096", held(sentence, "ValueError: the models's max seq len (4096)"));
        assertEquals("no match", held(sentence, "the modelx's max seq len (4096)"));
    }

    @Test
    void a_choice_takes_the_longest_word() {
        assertEquals("how=killed by", held("was <how:killed|killed by> x", "was killed by x"));
    }

    @Test
    void a_number_in_a_sentence_is_a_whole_number() {
        String sentence = "exited with code 137";
        assertEquals("", held(sentence, "vllm exited with code 137"));
        assertEquals("no match", held(sentence, "vllm exited with code 1370"));
        assertEquals("no match", held("9 Killed", "19 Killed"));
    }

    @Test
    void a_sentence_can_be_all_that_stands_in_a_line() {
        assertEquals("", held("<start>Killed<end>", "  Killed "));
        assertEquals("no match", held("<start>Killed<end>", "Killed by the user"));
        assertEquals("why=no device found", held("refused: <why:text><end>", "refused: no device found"));
    }

    @Test
    void a_sentence_that_is_none_says_where() {
        for (String bad : List.of(
                "<a:size",
                "{a",
                "a}",
                "<a:nothing>",
                "<A:size> x",
                "<a:int> <a:int> x",
                "<a:int>",
                "x <_> y <b:text> z",
                "x\\"))
            assertTrue(
                    assertThrows(IllegalArgumentException.class, () -> Sentence.parse(bad))
                                    .getMessage()
                                    .length()
                            > 20,
                    bad);
    }

    @Test
    void the_text_to_look_for_is_in_every_line_that_matches() {
        assertEquals("memory.", Sentence.parse("{CUDA }<_>out of memory. Tried").literal());
        assertEquals(
                "cudaMalloc", Sentence.parse("cudaMalloc failed: <why:text> at").literal());
    }

    @Test
    void a_word_in_front_of_a_sentence_begins_where_words_begin() {
        assertEquals("buffer=CUDA0", held("<buffer:word> buffer size", "load: CUDA0 buffer size"));
        String letters = "x".repeat(64 << 10);
        Sentence sentence = Sentence.parse("<buffer:word> buffer size");
        assertTimeout(Duration.ofMillis(500), () -> sentence.in(letters));
    }

    @Test
    void no_line_makes_it_slow() {
        String digits = "9".repeat(64 << 10);
        String blanks = "needs" + " ".repeat(64 << 10);
        String commas = "needs " + "1,111".repeat(16 << 10);
        Sentence sentence = Sentence.parse("needs <a:size> of <b:size> <_> and <c:word> then <d:int> more");
        assertTimeout(Duration.ofSeconds(2), () -> {
            for (String line : List.of(digits, blanks, commas, ("needs 1 B of 2 B and ").repeat(3 << 10)))
                sentence.in(line);
        });
    }
}
