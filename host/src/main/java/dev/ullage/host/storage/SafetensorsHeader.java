// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import java.io.IOException;

/// The JSON at the beginning of a safetensors file, read for one thing: where the last tensor ends.
///
/// ```
/// {"__metadata__":{"format":"pt"},"lm_head.weight":{"dtype":"F32","shape":[512,256],"data_offsets":[0,524288]}}
/// ```
/// Source: the safetensors format (huggingface/safetensors README). Only the key `data_offsets` of a tensor counts:
/// people put whole configurations into `__metadata__`, and a tensor may have any name.
final class SafetensorsHeader {
    private enum Word {
        OFFSETS("data_offsets"),
        METADATA("__metadata__"),
        OTHER("");

        private final String text;

        Word(String text) {
            this.text = text;
        }
    }

    private final HeaderBytes bytes;
    private long left;

    private SafetensorsHeader(HeaderBytes bytes, long length) {
        this.bytes = bytes;
        this.left = length;
    }

    /// @param length of the JSON, as the eight bytes before it say
    /// @return how many bytes of tensors follow the header
    static long dataLength(HeaderBytes bytes, long length) throws IOException {
        return new SafetensorsHeader(bytes, length).end();
    }

    private int next() throws IOException {
        left--;
        return bytes.next();
    }

    private long end() throws IOException {
        if (next() != '{') throw new IOException("no JSON object at byte 8");
        int depth = 1;
        Word word = Word.OTHER;
        boolean inMetadata = false;
        boolean isOffsets = false;
        boolean inOffsets = false;
        long number = 0;
        long last = 0;
        while (left > 0) {
            int c = next();
            if (c == '"') {
                word = string();
            } else if (c == ':') {
                if (depth == 1) inMetadata = word == Word.METADATA;
                isOffsets = depth == 2 && !inMetadata && word == Word.OFFSETS;
            } else if (c == '{' || c == '[') {
                depth++;
                inOffsets = isOffsets && c == '[' && depth == 3;
                number = 0;
            } else if (c == '}' || c == ']') {
                if (inOffsets) last = Math.max(last, number);
                inOffsets = false;
                isOffsets = false;
                depth--;
            } else if (c == ',') {
                number = 0;
            } else if (inOffsets && c >= '0' && c <= '9') {
                number = Math.addExact(Math.multiplyExact(number, 10), c - '0');
            }
        }
        return last;
    }

    /// Goes on behind the end of a string; its first quote has been read.
    private Word string() throws IOException {
        boolean isOffsets = true;
        boolean isMetadata = true;
        int at = 0;
        while (left > 0) {
            int c = next();
            if (c == '"') break;
            isOffsets &= isAt(Word.OFFSETS, at, c);
            isMetadata &= isAt(Word.METADATA, at, c);
            at++;
            if (c == '\\' && left > 0) next();
        }
        if (isOffsets && at == Word.OFFSETS.text.length()) return Word.OFFSETS;
        return isMetadata && at == Word.METADATA.text.length() ? Word.METADATA : Word.OTHER;
    }

    private static boolean isAt(Word word, int at, int c) {
        return at < word.text.length() && word.text.charAt(at) == c;
    }
}
