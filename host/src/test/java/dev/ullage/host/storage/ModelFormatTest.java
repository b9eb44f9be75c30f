// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ModelFormatTest {
    private static byte[] head(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] safetensors(long headerLength, String header) {
        return ByteBuffer.allocate(ModelFormat.HEAD)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(headerLength)
                .put(head(header))
                .array();
    }

    /// The local header of a zip's first entry, as torch.save writes it: stored, sizes in a descriptor.
    private static byte[] zip(String firstEntry) {
        byte[] head = ByteBuffer.allocate(30 + firstEntry.length())
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(head("PK\u0003\u0004"))
                .position(26)
                .putShort((short) firstEntry.length())
                .putShort((short) 0)
                .put(head(firstEntry))
                .array();
        return Arrays.copyOf(head, Math.min(head.length, ModelFormat.HEAD));
    }

    @Test
    void gguf_is_told_whatever_its_name() {
        for (String name : List.of("a.gguf", "sha256-6a0746a1ec1a", "/models/x.bin", "x.jar"))
            assertEquals(Optional.of(ModelFormat.GGUF), ModelFormat.ofHead(head("GGUF\u0003\0\0\0"), name), name);
    }

    @Test
    void the_formats_before_gguf_are_told() {
        // Little-endian 32-bit marks: the bytes stand the other way round.
        for (String magic : List.of("lmgg", "fmgg", "tjgg", "algg"))
            assertEquals(
                    Optional.of(ModelFormat.GGML), ModelFormat.ofHead(head(magic + "\u0001\0\0\0"), "x.bin"), magic);
    }

    @Test
    void safetensors_has_a_length_the_library_accepts_before_a_json_object() {
        Optional<ModelFormat> is = Optional.of(ModelFormat.SAFETENSORS);
        assertEquals(is, ModelFormat.ofHead(safetensors(64, "{\"__metadata__\":{"), "blob"));
        assertEquals(is, ModelFormat.ofHead(safetensors(100_000_000, "{\"a\":"), "blob"));
        assertEquals(is, ModelFormat.ofHead(safetensors(2, "{}"), "blob"));
        Optional<ModelFormat> none = Optional.empty();
        assertEquals(none, ModelFormat.ofHead(safetensors(100_000_001, "{\"a\":"), "x.safetensors"));
        assertEquals(none, ModelFormat.ofHead(safetensors(-1, "{\"a\":"), "x.safetensors"));
        assertEquals(none, ModelFormat.ofHead(safetensors(0, "{\"a\":"), "x.safetensors"));
        assertEquals(none, ModelFormat.ofHead(safetensors(64, "[\"a\":"), "x.safetensors"));
        assertEquals(none, ModelFormat.ofHead(safetensors(64, "{z"), "x.safetensors"));
    }

    @Test
    void a_zip_is_a_checkpoint_when_torch_wrote_it_or_its_name_says_so() {
        assertEquals(Optional.of(ModelFormat.TORCH_ZIP), ModelFormat.ofHead(zip("archive/data.pkl"), "0a1b2c"));
        assertEquals(Optional.of(ModelFormat.TORCH_ZIP), ModelFormat.ofHead(zip("pytorch_model/data.pkl"), "0a1b2c"));
        assertEquals(Optional.of(ModelFormat.TORCH_ZIP), ModelFormat.ofHead(zip("x/version"), "last.ckpt"));
        assertEquals(Optional.empty(), ModelFormat.ofHead(zip("META-INF/MANIFEST.MF"), "app.jar"));
        assertEquals(Optional.empty(), ModelFormat.ofHead(zip("photos/1.png"), "photos.zip"));
        assertEquals(Optional.empty(), ModelFormat.ofHead(zip("arr_0.npy"), "data.npz"));
    }

    @Test
    void a_shard_whose_long_name_is_its_first_entry_is_a_checkpoint_in_the_hubs_cache_too() {
        // torch.save names the folder in the zip after the file; the hub's cache calls the file by its hash.
        assertEquals(
                Optional.of(ModelFormat.TORCH_ZIP),
                ModelFormat.ofHead(zip("pytorch_model-00001-of-00002/data.pkl"), "/hub/blobs/0a1b2c"));
    }

    @Test
    void a_pickle_is_a_checkpoint_by_its_name_only() {
        assertEquals(Optional.of(ModelFormat.PICKLE), ModelFormat.ofHead(head("\u0080\u0002\u008a\n"), "a.pth"));
        assertEquals(Optional.of(ModelFormat.PICKLE), ModelFormat.ofHead(head("\u0080\u0005\u0095"), "a.pt"));
        assertEquals(Optional.empty(), ModelFormat.ofHead(head("\u0080\u0002\u008a\n"), "cache.pkl"));
        assertEquals(Optional.empty(), ModelFormat.ofHead(head("\u0080\u0006\u008a\n"), "a.pt"));
        assertEquals(Optional.empty(), ModelFormat.ofHead(head("\u0080\u0002"), "a.pt"));
    }

    @Test
    void a_pointer_of_git_lfs_is_none() {
        String pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0a1b";
        for (String name : List.of("a.gguf", "model.safetensors", "a.bin", "a.pt"))
            assertEquals(Optional.empty(), ModelFormat.ofHead(head(pointer), name), name);
    }

    @Test
    void random_bytes_of_any_length_are_none() {
        Random random = new Random(25);
        for (int i = 0; i < 20_000; i++) {
            byte[] head = new byte[random.nextInt(ModelFormat.HEAD + 1)];
            random.nextBytes(head);
            if (head.length > 0) head[0] = (byte) (head[0] & 0x1f);
            if (head.length > 8) head[8] = 0;
            assertEquals(Optional.empty(), ModelFormat.ofHead(head, "a.gguf"));
        }
    }

    @Test
    void heads_that_are_no_hexadecimal_are_none() {
        assertTrue(ModelFormat.headOf("47475546\n").isPresent());
        assertTrue(ModelFormat.headOf("").isPresent());
        assertFalse(ModelFormat.headOf("4747554").isPresent());
        assertFalse(ModelFormat.headOf("no hex").isPresent());
    }
}
