// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static dev.ullage.host.Absence.causeOf;
import static dev.ullage.host.storage.ModelBytes.gguf;
import static dev.ullage.host.storage.ModelBytes.needs;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// How long a GGUF must be by its own header.
class ModelExtentTest {
    private static final long F32 = 0;
    private static final long F16 = 1;
    private static final long Q4_0 = 2;
    private static final long BF16 = 30;

    /// A small whole file, every kind of value in its metadata, two tensors.
    private static ModelBytes whole() {
        ModelBytes file = gguf(2, 9)
                .text("general.architecture", "llama")
                .number("general.alignment", 32)
                .words("tokenizer.ggml.tokens", 300);
        file.string("u8")
                .u32(0)
                .zeros(1)
                .string("i16")
                .u32(3)
                .zeros(2)
                .string("bool")
                .u32(7)
                .zeros(1);
        file.string("f64")
                .u32(12)
                .zeros(8)
                .string("scores")
                .u32(9)
                .u32(6)
                .u64(300)
                .zeros(1200);
        file.string("nested").u32(9).u32(9).u64(2);
        file.u32(4).u64(3).zeros(12).u32(8).u64(1).string("deep");
        file.tensor("token_embd.weight", Q4_0, 0, 64, 300);
        file.tensor("output_norm.weight", F32, 10816, 64);
        file.padTo(32);
        return file.zeros(10816 + 256);
    }

    @Test
    void a_whole_file_needs_what_it_has_and_the_padding_behind_the_last_tensor_is_not_needed() throws IOException {
        byte[] file = whole().bytes();
        assertEquals(file.length, needs(file));
        assertEquals(file.length, needs(Arrays.copyOf(file, file.length + 32)));
    }

    @Test
    void a_file_that_is_cut_off_anywhere_is_shorter_than_it_needs() throws IOException {
        byte[] file = whole().bytes();
        for (int length = 0; length < file.length; length += length < file.length - 11_000 ? 1 : 97) {
            byte[] cut = Arrays.copyOf(file, length);
            assertTrue(needs(cut) > length, "cut to " + length + " of " + file.length);
        }
        assertEquals(file.length, needs(Arrays.copyOf(file, file.length - 1)));
    }

    @Test
    void how_the_bytes_come_does_not_matter() throws IOException {
        byte[] file = whole().bytes();
        for (int chunk : new int[] {1, 2, 3, 7, 4096, 1 << 20})
            assertEquals(
                    file.length,
                    ModelExtent.read(ModelBytes.header(file, chunk)).needs().bytes(),
                    "in pieces of " + chunk);
    }

    @Test
    void the_last_tensor_by_place_counts_and_not_the_last_in_the_list() throws IOException {
        ModelBytes file = gguf(3, 0)
                .tensor("b", F16, 4096, 100)
                .tensor("a", F32, 0, 1024)
                .tensor("empty", F32, 64, 0)
                .padTo(32);
        assertEquals(file.size() + 4096 + 200, needs(file.bytes()));
    }

    @Test
    void the_alignment_that_the_file_names_places_the_data() throws IOException {
        ModelBytes wide = gguf(1, 1).number("general.alignment", 4096).tensor("a", BF16, 0, 8, 8);
        assertEquals(4096 + 128, needs(wide.bytes()));
        ModelBytes none = gguf(1, 1).number("general.alignment", 0).tensor("a", BF16, 0, 8, 8);
        assertEquals(none.size() + 128, needs(none.bytes()), "no alignment is none, and no division by zero");
        ModelBytes alike = gguf(1, 1).number("general.alignmenT", 4096).tensor("a", BF16, 0, 8, 8);
        assertEquals((alike.size() + 31) / 32 * 32 + 128, needs(alike.bytes()));
        // Of the right name and the wrong type: a string. Engines refuse it; the default holds.
        ModelBytes odd = gguf(1, 1).text("general.alignment", "4096").tensor("a", BF16, 0, 8, 8);
        assertEquals((odd.size() + 31) / 32 * 32 + 128, needs(odd.bytes()));
    }

    @Test
    void a_part_of_a_split_model_needs_what_lies_in_this_part_and_the_first_may_hold_no_tensor() throws IOException {
        ModelBytes first = gguf(0, 3)
                .text("general.architecture", "llama")
                .string("split.no")
                .u32(2)
                .zeros(2)
                .string("split.count")
                .u32(2)
                .raw("\3\0");
        assertEquals((first.size() + 31) / 32 * 32, needs(first.padTo(32).bytes()));
        ModelBytes second = gguf(1, 1).number("split.no", 1).tensor("blk.40.ffn_up.weight", Q4_0, 0, 32, 10);
        assertEquals((second.size() + 31) / 32 * 32 + 180, needs(second.bytes()));
    }

    @Test
    void of_a_type_that_is_newer_than_this_version_only_the_beginning_is_needed() throws IOException {
        ModelBytes file = gguf(2, 0).tensor("a", F32, 0, 64).tensor("b", 77, 256, 1_000_000);
        assertEquals((file.size() + 31) / 32 * 32 + 256, needs(file.bytes()));
    }

    @Test
    void a_large_vocabulary_with_its_merges_is_read_to_its_end() throws IOException {
        ModelBytes file = gguf(1, 2)
                .words("tokenizer.ggml.tokens", 150_000)
                .words("tokenizer.ggml.merges", 280_000)
                .tensor("a", F32, 0, 8)
                .padTo(32);
        assertEquals(file.size() + 32, needs(file.bytes()));
    }

    @Test
    void versions_counts_and_types_that_no_file_has_are_refused_with_a_word() {
        assertTrue(
                refusal(ModelBytes.nothing().raw("GGUF").u32(1).u32(1).u32(1)).contains("version 1"));
        assertTrue(refusal(ModelBytes.nothing().raw("GGUF").raw("\0\0\0\3")).contains("version"), "big-endian");
        assertTrue(refusal(gguf(1L << 40, 0)).contains("count"));
        assertTrue(refusal(gguf(-1, 0)).contains("count of 18446744073709551615"));
        assertTrue(refusal(gguf(0, 1).string("k").u32(13)).contains("type 13"));
        assertTrue(refusal(gguf(0, 1).u64(1L << 60)).contains("count"));
        assertTrue(refusal(gguf(1, 0).tensor("a", F32, 0, 1L << 40, 1L << 40)).contains("no file can have"));
        assertTrue(refusal(gguf(1, 0).tensor("a", F32, Long.MAX_VALUE, 64)).contains("no file can have"));
        assertTrue(refusal(gguf(0, 1).string("k").u32(9).u32(12).u64(1L << 62)).contains("no file can have"));
        ModelBytes deep = gguf(0, 1).string("k").u32(9);
        for (int i = 0; i < 10; i++) deep.u32(9).u64(1);
        assertTrue(refusal(deep.u32(0).u64(0)).contains("arrays in arrays"));
    }

    private static String refusal(ModelBytes file) {
        return assertThrows(IOException.class, () -> needs(file.zeros(64).bytes()))
                .getMessage();
    }

    @Test
    void a_header_without_end_is_left_after_256_mib() {
        // An array of arrays of 2^24 empty strings each, as a sparse file may hold them: 128 MiB an array.
        byte[] begin = gguf(0, 1).string("k").u32(9).u32(9).u64(1000).bytes();
        byte[] array = ModelBytes.nothing().u32(8).u64(1 << 24).bytes();
        long period = array.length + 8L * (1 << 24);
        HeaderBytes endless = new HeaderBytes((position, buffer) -> {
            Arrays.fill(buffer, (byte) 0);
            if (position == 0) System.arraycopy(begin, 0, buffer, 0, begin.length);
            for (int i = 0; i < buffer.length; i++) {
                long at = position + i - begin.length;
                if (at >= 0 && at % period < array.length) buffer[i] = array[(int) (at % period)];
            }
            return buffer.length;
        });
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> assertTrue(assertThrows(IOException.class, () -> ModelExtent.read(endless))
                        .getMessage()
                        .contains("256 MiB")));
    }

    @Test
    void junk_is_refused_or_has_a_length_and_nothing_else_happens() {
        Random random = new Random(7);
        byte[] file = whole().bytes();
        for (int i = 0; i < 3000; i++) {
            byte[] broken = file.clone();
            for (int n = 0; n < 4; n++) broken[4 + random.nextInt(4000)] = (byte) random.nextInt(256);
            try {
                assertTrue(needs(broken) > 0);
            } catch (IOException refused) {
                assertTrue(refused.getMessage() != null);
            }
        }
    }

    @Test
    void the_answer_of_a_root_is_read_or_malformed() {
        ModelFile file = new ModelFile("/m/a.gguf", "/m/a.gguf", "254:0", 7, Bytes.ofMiB(1), ModelFormat.GGUF, false);
        assertEquals(
                new Bytes(4928307200L),
                ModelExtent.FACT
                        .read(Recorded.host("recorded/extent", "/m/a.gguf\tneeds=4928307200\n"), file)
                        .orThrow()
                        .needs());
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(ModelExtent.FACT.read(Recorded.host("a", "b"), file)));
        for (String text : HostileText.ALL) assertEquals(AbsentCause.MALFORMED, causeOf(ModelExtent.parse(text)), text);
        assertEquals(AbsentCause.MALFORMED, causeOf(ModelExtent.parse("needs=-5")));
    }
}
