// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/// What kind of model file begins with these bytes. Told by the magic, not by the name: Ollama's blobs are called
/// `sha256-…`, and a `.safetensors` of 134 bytes is a Git LFS pointer.
public enum ModelFormat {
    GGUF("GGUF"),
    SAFETENSORS("safetensors"),
    /// torch.save since 1.6: a zip with `…/data.pkl` first.
    TORCH_ZIP("torch checkpoint"),
    /// torch.save before 1.6, and other pickles of protocol 2 and later.
    PICKLE("pickle checkpoint"),
    /// llama.cpp before GGUF: `ggml`, `ggmf`, `ggjt`, `ggla`.
    GGML("GGML");

    /// How much of a file has to be read to tell: a zip's first name begins at byte 30 and bears the checkpoint's own.
    public static final int HEAD = 256;

    /// A safetensors header longer than this is refused by the library itself.
    private static final long LONGEST_SAFETENSORS_HEADER = 100_000_000;

    private final String word;

    ModelFormat(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /// @param head the first [#HEAD] bytes, fewer if the file is shorter
    /// @param name the file's name, which decides only for zips and pickles: other programs write those too
    public static Optional<ModelFormat> ofHead(byte[] head, String name) {
        if (startsWith(head, "47475546")) return Optional.of(GGUF);
        if (startsWith(head, "6c6d6767")
                || startsWith(head, "666d6767")
                || startsWith(head, "746a6767")
                || startsWith(head, "616c6767")) return Optional.of(GGML);
        if (isSafetensors(head)) return Optional.of(SAFETENSORS);
        if (startsWith(head, "504b0304")) {
            // "archive/data.pkl", or "<file name>/data.pkl", is the first entry of what torch.save writes.
            String text = new String(head, StandardCharsets.ISO_8859_1);
            return text.contains("/data.pkl") || hasTorchName(name) ? Optional.of(TORCH_ZIP) : Optional.empty();
        }
        boolean isPickle = head.length > 2 && (head[0] & 0xff) == 0x80 && head[1] >= 2 && head[1] <= 5;
        return isPickle && hasTorchName(name) ? Optional.of(PICKLE) : Optional.empty();
    }

    /// The bytes that [dev.ullage.host.Call#FILE_HEAD] answered in hexadecimal; empty when it is none.
    static Optional<byte[]> headOf(String hex) {
        try {
            return Optional.of(HexFormat.of().parseHex(hex.strip()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// A little-endian 64-bit header length, then a JSON object.
    private static boolean isSafetensors(byte[] head) {
        if (head.length < 10 || head[8] != '{') return false;
        long length = 0;
        for (int i = 7; i >= 0; i--) length = length << 8 | head[i] & 0xff;
        return length > 1
                && length <= LONGEST_SAFETENSORS_HEADER
                && (head[9] == '"' || head[9] == '}' || head[9] == ' ');
    }

    /// The format that only one kind of file has the name of, where the bytes may not be looked at; `.bin` and `.pt`
    /// are
    /// anything.
    public static Optional<ModelFormat> ofName(String name) {
        if (name.endsWith(".gguf")) return Optional.of(GGUF);
        return name.endsWith(".safetensors") ? Optional.of(SAFETENSORS) : Optional.empty();
    }

    /// Whether a name is one that model files of any format have.
    public static boolean hasModelName(String name) {
        return name.endsWith(".gguf") || name.endsWith(".safetensors") || name.endsWith(".ggml") || hasTorchName(name);
    }

    private static boolean hasTorchName(String name) {
        return name.endsWith(".pt") || name.endsWith(".pth") || name.endsWith(".bin") || name.endsWith(".ckpt");
    }

    private static boolean startsWith(byte[] head, String hex) {
        byte[] magic = HexFormat.of().parseHex(hex);
        if (head.length < magic.length) return false;
        for (int i = 0; i < magic.length; i++) if (head[i] != magic[i]) return false;
        return true;
    }
}
