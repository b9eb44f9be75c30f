// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Writes model files for tests, byte by byte as the formats say.
public final class ModelBytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private ModelBytes() {}

    /// A GGUF of version 3 that announces so many tensors and key-value pairs.
    public static ModelBytes gguf(long tensors, long pairs) {
        return new ModelBytes().raw("GGUF").u32(3).u64(tensors).u64(pairs);
    }

    public static ModelBytes nothing() {
        return new ModelBytes();
    }

    /// A safetensors file: the length of its header, the header, and so many bytes of tensors.
    public static byte[] safetensors(String json, int data) {
        ModelBytes bytes = new ModelBytes();
        int length = json.getBytes(StandardCharsets.UTF_8).length;
        return bytes.u64(length).raw(json).zeros(data).bytes();
    }

    public ModelBytes raw(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    public ModelBytes u32(long value) {
        out.writeBytes(Arrays.copyOf(little(value), 4));
        return this;
    }

    public ModelBytes u64(long value) {
        out.writeBytes(little(value));
        return this;
    }

    public ModelBytes zeros(int count) {
        out.writeBytes(new byte[count]);
        return this;
    }

    public ModelBytes string(String text) {
        return u64(text.getBytes(StandardCharsets.UTF_8).length).raw(text);
    }

    public ModelBytes text(String key, String value) {
        return string(key).u32(8).string(value);
    }

    public ModelBytes number(String key, long value) {
        return string(key).u32(4).u32(value);
    }

    public ModelBytes words(String key, int count) {
        string(key).u32(9).u32(8).u64(count);
        for (int i = 0; i < count; i++) string("word" + i);
        return this;
    }

    public ModelBytes tensor(String name, long type, long offset, long... dimensions) {
        string(name).u32(dimensions.length);
        for (long dimension : dimensions) u64(dimension);
        return u32(type).u64(offset);
    }

    public ModelBytes padTo(int alignment) {
        return zeros((alignment - out.size() % alignment) % alignment);
    }

    public int size() {
        return out.size();
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    private static byte[] little(long value) {
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    /// The bytes as a header reader sees them, `chunk` at a time at most.
    public static HeaderBytes header(byte[] file, int chunk) {
        return new HeaderBytes((position, buffer) -> {
            if (position >= file.length) return 0;
            int length = (int) Math.min(Math.min(chunk, buffer.length), file.length - position);
            System.arraycopy(file, (int) position, buffer, 0, length);
            return length;
        });
    }

    /// What the file needs by its header.
    public static long needs(byte[] file) throws IOException {
        return ModelExtent.read(header(file, 1 << 16)).needs().bytes();
    }
}
