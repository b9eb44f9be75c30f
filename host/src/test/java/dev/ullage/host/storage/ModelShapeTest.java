// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static dev.ullage.host.storage.ModelBytes.gguf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.measure.Bytes;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a GGUF's header tells of the KV cache its model needs.
class ModelShapeTest {
    private static Optional<ModelShape> shapeOf(ModelBytes file) throws IOException {
        return ModelExtent.read(ModelBytes.header(file.bytes(), 1 << 16)).shape();
    }

    /// The figures of Qwen3-8B: 36 layers, 8 KV heads of 128.
    private static ModelBytes qwen(int more) {
        return gguf(0, 7 + more)
                .text("general.architecture", "qwen3")
                .number("qwen3.block_count", 36)
                .number("qwen3.embedding_length", 4096)
                .number("qwen3.attention.head_count", 32)
                .number("qwen3.attention.head_count_kv", 8)
                .number("qwen3.attention.key_length", 128)
                .number("qwen3.attention.value_length", 128);
    }

    @Test
    void layers_heads_and_lengths_give_the_bytes_of_a_token() throws IOException {
        ModelShape shape = shapeOf(qwen(0)).orElseThrow();
        assertEquals(new ModelShape(36, 8, 73_728), shape);
        assertEquals(Bytes.ofKiB(144), shape.perToken(16));
        assertEquals(Bytes.ofKiB(72), shape.perToken(8));
    }

    @Test
    void a_length_that_is_not_given_is_the_embedding_over_the_heads() throws IOException {
        ModelBytes file = gguf(0, 4)
                .number("llama.attention.head_count", 32)
                .number("llama.block_count", 32)
                .number("llama.embedding_length", 4096)
                .number("llama.attention.head_count_kv", 8);
        assertEquals(new ModelShape(32, 8, 65_536), shapeOf(file).orElseThrow());
    }

    @Test
    void heads_that_differ_by_layer_are_added_up() throws IOException {
        ModelBytes file = gguf(0, 5)
                .number("openelm.block_count", 3)
                .number("openelm.attention.head_count", 12)
                .number("openelm.attention.key_length", 64)
                .number("openelm.attention.value_length", 64);
        file.string("openelm.attention.head_count_kv")
                .u32(9)
                .u32(5)
                .u64(3)
                .u32(3)
                .u32(4)
                .u32(5);
        assertEquals(new ModelShape(3, 0, 12 * 128), shapeOf(file).orElseThrow());
    }

    @Test
    void a_model_that_keeps_only_a_window_a_compressed_cache_or_a_state_has_no_shape() throws IOException {
        for (String key :
                new String[] {"qwen3.attention.sliding_window", "qwen3.attention.kv_lora_rank", "qwen3.ssm.state_size"})
            assertEquals(Optional.empty(), shapeOf(qwen(1).number(key, 512)), key);
        ModelBytes hybrid = gguf(0, 5)
                .number("jamba.block_count", 2)
                .number("jamba.attention.head_count", 12)
                .number("jamba.attention.key_length", 64)
                .number("jamba.attention.value_length", 64);
        hybrid.string("jamba.attention.head_count_kv")
                .u32(9)
                .u32(5)
                .u64(2)
                .u32(0)
                .u32(8);
        assertEquals(Optional.empty(), shapeOf(hybrid));
    }

    @Test
    void a_header_that_does_not_tell_has_no_shape_and_neither_has_junk() throws IOException {
        assertEquals(Optional.empty(), shapeOf(gguf(0, 1).number("llama.block_count", 32)));
        assertEquals(
                Optional.empty(),
                shapeOf(gguf(0, 4)
                        .number("llama.block_count", 0xffffffffL)
                        .number("llama.embedding_length", 4096)
                        .number("llama.attention.head_count", 0)
                        .number("llama.attention.head_count_kv", 8)));
    }

    @Test
    void what_was_recorded_is_read_again() {
        ModelExtent extent = ModelExtent.parse("needs=4928307200 layers=36 kv-heads=8 cache-values=73728")
                .orThrow();
        assertEquals(Optional.of(new ModelShape(36, 8, 73_728)), extent.shape());
        assertEquals("needs=4928307200 layers=36 kv-heads=8 cache-values=73728", extent.text());
        assertEquals(
                Optional.empty(),
                ModelExtent.parse("needs=4928307200").orThrow().shape());
        assertEquals(
                Optional.empty(),
                ModelExtent.parse("needs=1 layers=-3 kv-heads=8 cache-values=7")
                        .orThrow()
                        .shape());
    }
}
