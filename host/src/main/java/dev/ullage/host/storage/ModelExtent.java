// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.io.EOFException;
import java.io.IOException;
import java.util.OptionalLong;

/// How long a model file must be by its own header. A download that broke off, a full disk, a copy that is still
/// running
/// leave a file that begins well and ends too soon.
///
/// Sources: the GGUF specification (ggml/docs/gguf.md), the safetensors format (huggingface/safetensors README).
///
/// The header is read from the page cache only: of a model that is being served it is there, and a cold file must not
/// make the disk fetch megabytes while we look for who keeps it busy.
///
/// @param needs where the last tensor ends; of a GGUF type this version does not know only where it begins
public record ModelExtent(Bytes needs) {
    /// Counts and lengths beyond these are no header but junk.
    private static final long MOST_ENTRIES = 1 << 20;

    private static final long LONGEST_STRING = 1 << 24;
    private static final long LONGEST_SAFETENSORS_HEADER = 100_000_000;

    public static final Fact<ModelFile, ModelExtent> FACT = new Fact<>(
            "length by its header", "model header", Cadence.END, "", (root, file) -> root.ask(Call.EXTENT, file.via())
                    .flatMap(ModelExtent::parse));

    /// `needs=4928307200`.
    static Reading<ModelExtent> parse(String text) {
        OptionalLong needs = KeyValues.parsePairs(text).get("needs");
        return needs.isPresent() && needs.getAsLong() > 0
                ? Reading.of(new ModelExtent(new Bytes(needs.getAsLong())))
                : Reading.malformed("model header", text, "\"needs=<bytes>\"");
    }

    /// @throws IOException when the header cannot be read to its end, or is none
    public static ModelExtent read(HeaderBytes header) throws IOException {
        try {
            long magic = header.u32();
            if (magic == 0x46554747) return gguf(header);
            return safetensors(header, magic | header.u32() << 32);
        } catch (EOFException e) {
            // Cut off in its header: it should go on behind its end at least.
            return new ModelExtent(new Bytes(header.position()).plus(new Bytes(1)));
        } catch (ArithmeticException e) {
            throw new IOException("numbers in the header that no file can have", e);
        }
    }

    private static ModelExtent gguf(HeaderBytes header) throws IOException {
        long version = header.u32();
        if (version < 2 || version > 3) throw new IOException("GGUF version " + version);
        long tensors = atMost(header.u64(), MOST_ENTRIES);
        long pairs = atMost(header.u64(), MOST_ENTRIES);
        long alignment = 32;
        for (long i = 0; i < pairs; i++) {
            boolean isAlignment = isAlignmentKey(header);
            long type = header.u32();
            if (isAlignment && type == 4) alignment = Math.max(1, header.u32());
            else skipValue(header, type, 0);
        }
        long last = 0;
        for (long i = 0; i < tensors; i++) {
            header.skip(atMost(header.u64(), LONGEST_STRING));
            long dimensions = atMost(header.u32(), 8);
            long elements = 1;
            for (long d = 0; d < dimensions; d++) elements = Math.multiplyExact(elements, header.u64());
            long type = header.u32();
            long end =
                    Math.addExact(header.u64(), GgmlType.sizeOf(type, elements).bytes());
            last = Math.max(last, end);
        }
        long data = Math.addExact(header.position(), alignment - 1) / alignment * alignment;
        return new ModelExtent(new Bytes(Math.addExact(data, last)));
    }

    private static boolean isAlignmentKey(HeaderBytes header) throws IOException {
        String key = "general.alignment";
        long length = atMost(header.u64(), LONGEST_STRING);
        if (length != key.length()) {
            header.skip(length);
            return false;
        }
        boolean same = true;
        for (int i = 0; i < key.length(); i++) same &= header.next() == key.charAt(i);
        return same;
    }

    /// Types of GGUF values: 0–7 numbers and bool, 8 string, 9 array, 10–12 64-bit numbers.
    private static void skipValue(HeaderBytes header, long type, int depth) throws IOException {
        if (type == 8) {
            header.skip(atMost(header.u64(), LONGEST_STRING));
        } else if (type == 9) {
            long element = header.u32();
            long count = header.u64();
            if (element != 8 && element != 9) {
                header.skip(Math.multiplyExact(count, sizeOf(element)));
                return;
            }
            if (depth > 4) throw new IOException("arrays in arrays in arrays");
            for (long i = 0; i < atMost(count, 1 << 24); i++) skipValue(header, element, depth + 1);
        } else {
            header.skip(sizeOf(type));
        }
    }

    private static long sizeOf(long type) throws IOException {
        return switch ((int) type) {
            case 0, 1, 7 -> 1;
            case 2, 3 -> 2;
            case 4, 5, 6 -> 4;
            case 10, 11, 12 -> 8;
            default -> throw new IOException("a GGUF value of type " + type);
        };
    }

    private static ModelExtent safetensors(HeaderBytes header, long length) throws IOException {
        if (length < 2 || length > LONGEST_SAFETENSORS_HEADER)
            throw new IOException("a header of " + Long.toUnsignedString(length) + " bytes");
        try {
            return new ModelExtent(new Bytes(Math.addExact(8 + length, SafetensorsHeader.dataLength(header, length))));
        } catch (EOFException e) {
            // Cut off in its header, whose own length is known.
            return new ModelExtent(new Bytes(8 + length));
        }
    }

    private static long atMost(long number, long most) throws IOException {
        if (number < 0 || number > most) throw new IOException("a count of " + Long.toUnsignedString(number));
        return number;
    }
}
