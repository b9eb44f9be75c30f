// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

class ModelFormatLookAlikesTest {
    private static Optional<ModelFormat> of(byte[] file, String name) {
        return ModelFormat.ofHead(Arrays.copyOf(file, Math.min(file.length, ModelFormat.HEAD)), name);
    }

    private static byte[] safetensors(long length, String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(8 + text.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(length)
                .put(text)
                .array();
    }

    private static byte[] zip(String... entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String entry : entries) {
                zip.putNextEntry(new ZipEntry(entry));
                zip.write(new byte[10]);
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void gguf_is_told_whatever_it_is_called() {
        byte[] gguf = text("GGUF\3\0\0\0\u00fe\1\0\0\0\0\0\0");
        for (String name :
                List.of("a.gguf", "sha256-6a0746a1ec1aef3e7ec53868f220ff6e389f6f8ef87a01d77c96807de94ca2aa", "x.bin"))
            assertEquals(Optional.of(ModelFormat.GGUF), of(gguf, name), name);
        // version 3 on a big-endian machine (s390x)
        assertEquals(Optional.of(ModelFormat.GGUF), of(text("GGUF\0\0\0\3"), "a.gguf"));
    }

    @Test
    void a_checkpoint_of_torch_is_a_zip_with_its_pickle_first() throws IOException {
        assertEquals(Optional.of(ModelFormat.TORCH_ZIP), of(zip("archive/data.pkl", "archive/data/0"), "blob"));
        assertEquals(Optional.of(ModelFormat.TORCH_ZIP), of(zip("pytorch_model/data.pkl"), "pytorch_model.bin"));
        assertEquals(
                Optional.of(ModelFormat.TORCH_ZIP),
                of(zip("a_name_that_is_far_too_long_for_the_first_bytes/data.pkl"), "consolidated.00.pth"));
    }

    @Test
    void other_zips_are_no_models() throws IOException {
        assertEquals(Optional.empty(), of(zip("META-INF/MANIFEST.MF"), "app.jar"));
        assertEquals(Optional.empty(), of(zip("[Content_Types].xml"), "letter.docx"));
        assertEquals(Optional.empty(), of(zip("train.csv"), "data.zip"));
        assertEquals(Optional.empty(), of(zip("arr_0.npy"), "data.npz"));
    }

    @Test
    void a_pointer_and_a_page_in_the_place_of_a_model_are_none() {
        for (String text : List.of(
                "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32",
                "<!DOCTYPE html><html><head><title>401 Unauthorized</title>",
                "{\"error\":\"Repository not found\"}",
                "Entry not found"))
            for (String name : List.of("model.safetensors", "a.gguf", "pytorch_model.bin"))
                assertEquals(Optional.empty(), of(text(text), name), text);
    }
}
