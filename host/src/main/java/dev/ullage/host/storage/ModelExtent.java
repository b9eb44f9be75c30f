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
import java.util.Optional;
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
/// @param shape of its layers; a safetensors header does not tell it
public record ModelExtent(Bytes needs, Optional<ModelShape> shape) {
    /// Counts and lengths beyond these are no header but junk.
    private static final long MOST_ENTRIES = 1 << 20;

    private static final long LONGEST_STRING = 1 << 24;
    private static final int LONGEST_KEY = 96;
    private static final long MOST_LAYERS = 4096;
    private static final long LONGEST_SAFETENSORS_HEADER = 100_000_000;

    public static final Fact<ModelFile, ModelExtent> FACT = new Fact<>(
            "length by its header", "model header", Cadence.END, "", (root, file) -> root.ask(Call.EXTENT, file.via())
                    .flatMap(ModelExtent::parse));

    private ModelExtent(Bytes needs) {
        this(needs, Optional.empty());
    }

    /// `needs=4928307200 layers=36 kv-heads=8 cache-values=73728`; the last three where the header tells them.
    static Reading<ModelExtent> parse(String text) {
        KeyValues pairs = KeyValues.parsePairs(text);
        OptionalLong needs = pairs.get("needs");
        if (needs.isEmpty() || needs.getAsLong() <= 0)
            return Reading.malformed("model header", text, "\"needs=<bytes>\"");
        long layers = pairs.orZero("layers");
        long heads = pairs.orZero("kv-heads");
        long values = pairs.orZero("cache-values");
        boolean told = layers > 0 && layers <= MOST_ENTRIES && heads >= 0 && heads <= MOST_ENTRIES && values > 0;
        return Reading.of(new ModelExtent(
                new Bytes(needs.getAsLong()),
                told ? Optional.of(new ModelShape((int) layers, (int) heads, values)) : Optional.empty()));
    }

    /// As [Call#EXTENT] answers it.
    public String text() {
        return "needs=" + needs.bytes()
                + shape.map(s -> " layers=" + s.layers() + " kv-heads=" + s.kvHeads() + " cache-values="
                                + s.cacheValues())
                        .orElse("");
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
        GgufShape shape = new GgufShape();
        for (long i = 0; i < pairs; i++) {
            String key = key(header);
            long type = header.u32();
            if (key.equals("general.alignment") && type == 4) alignment = Math.max(1, header.u32());
            else if (shape.isWanted(key)) takeValue(header, key, type, shape);
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
        return new ModelExtent(new Bytes(Math.addExact(data, last)), shape.shape());
    }

    /// A key, or nothing when it is longer than any that is looked for.
    private static String key(HeaderBytes header) throws IOException {
        long length = atMost(header.u64(), LONGEST_STRING);
        if (length > LONGEST_KEY) {
            header.skip(length);
            return "";
        }
        StringBuilder key = new StringBuilder();
        for (long i = 0; i < length; i++) key.append((char) header.next());
        return key.toString();
    }

    /// A number, or an array of one number a layer.
    private static void takeValue(HeaderBytes header, String key, long type, GgufShape shape) throws IOException {
        if (type == 4 || type == 5) shape.number(key, header.u32());
        else if (type == 10 || type == 11) shape.number(key, header.u64());
        else if (type != 9) skipValue(header, type, 0);
        else {
            long element = header.u32();
            long count = header.u64();
            boolean isPerLayer = (element == 4 || element == 5) && count > 0 && count <= MOST_LAYERS;
            if (!isPerLayer) {
                skipArray(header, element, count, 0);
                return;
            }
            long[] values = new long[(int) count];
            for (int i = 0; i < count; i++) values[i] = header.u32();
            shape.ofLayers(key, values);
        }
    }

    /// Types of GGUF values: 0–7 numbers and bool, 8 string, 9 array, 10–12 64-bit numbers.
    private static void skipValue(HeaderBytes header, long type, int depth) throws IOException {
        if (type == 8) {
            header.skip(atMost(header.u64(), LONGEST_STRING));
        } else if (type == 9) {
            skipArray(header, header.u32(), header.u64(), depth);
        } else {
            header.skip(sizeOf(type));
        }
    }

    private static void skipArray(HeaderBytes header, long element, long count, int depth) throws IOException {
        if (element != 8 && element != 9) {
            header.skip(Math.multiplyExact(count, sizeOf(element)));
            return;
        }
        if (depth > 4) throw new IOException("arrays in arrays in arrays");
        for (long i = 0; i < atMost(count, 1 << 24); i++) skipValue(header, element, depth + 1);
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
