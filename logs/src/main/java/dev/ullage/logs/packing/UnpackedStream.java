// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.packing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The bytes of an input, unpacked as far as they can be.
///
/// A log that was being written when the machine died ends in the middle of a gzip member; a bad disk leaves a hole in
/// it. What comes before counts: the stream ends there and [#loss] says where and why, and only where nothing at all
/// could be read is there an exception. A file packed twice (`app.log.gz` sent by a tool that packs) is unpacked twice,
/// and no further. How much it becomes is not limited: nothing of it is kept, so a bomb costs time and no memory.
public final class UnpackedStream extends InputStream {
    private static final int MOST_LAYERS = 2;

    private final PackedBytes raw;
    private final InputStream unpacked;
    private final List<Packing> packings;
    private Loss loss;
    private long count;

    /// What was not read.
    ///
    /// @param packedOffset how many bytes of the input had been taken
    /// @param offset how many bytes had come out
    /// @param why without a full stop
    public record Loss(long packedOffset, long offset, String why) {}

    private UnpackedStream(PackedBytes raw, InputStream unpacked, List<Packing> packings) {
        this.raw = raw;
        this.unpacked = unpacked;
        this.packings = List.copyOf(packings);
    }

    /// @throws CannotUnpack when it is packed in a way that cannot be undone here
    /// @throws IOException when reading `in` fails
    public static UnpackedStream of(InputStream in, Unpackers unpackers) throws IOException {
        PackedBytes raw = new PackedBytes(in);
        PackedBytes top = raw;
        List<Packing> packings = new ArrayList<>();
        while (true) {
            Optional<Packing> packing = head(top, packings);
            if (packing.isEmpty()) return new UnpackedStream(raw, top, packings);
            if (packings.size() == MOST_LAYERS)
                throw new CannotUnpack("is packed more than twice ("
                        + packings.getFirst().word() + ", " + packings.getLast().word() + ", "
                        + packing.get().word() + "); unpack it first");
            top = new PackedBytes(opened(top, packing.get(), unpackers));
            packings.add(packing.get());
        }
    }

    /// A member that ends before its first byte is an empty text with a loss, which reading it will say.
    private static Optional<Packing> head(PackedBytes top, List<Packing> packings) throws IOException {
        try {
            return Packing.of(top.peek(Packing.HEAD));
        } catch (IOException e) {
            if (packings.isEmpty()) throw e;
            return Optional.empty();
        }
    }

    private static InputStream opened(InputStream packed, Packing packing, Unpackers unpackers) throws IOException {
        Unpackers.Unpacker unpacker = unpackers
                .of(packing)
                .orElseThrow(() -> new CannotUnpack(
                        "is packed with " + packing.word() + ", which cannot be unpacked here; give the output of `"
                                + packing.command() + " FILE | ullage explain -`"));
        try {
            return unpacker.unpacked(packed);
        } catch (CannotUnpack e) {
            throw e;
        } catch (IOException e) {
            throw new CannotUnpack("begins like " + packing.word() + " and is none: " + said(e));
        }
    }

    /// From the outermost to the innermost; empty for plain text.
    public List<Packing> packings() {
        return packings;
    }

    /// Bytes of the input taken so far: how far along we are, where the size is known.
    public long packedCount() {
        return raw.count();
    }

    /// What could not be read, once the stream has ended.
    public Optional<Loss> loss() {
        return Optional.ofNullable(loss);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (loss != null) return -1;
        try {
            int read = unpacked.read(bytes, from, length);
            if (read > 0) count += read;
            return read;
        } catch (IOException e) {
            loss = new Loss(raw.count(), count, said(e));
            return -1;
        }
    }

    private static String said(IOException e) {
        if (e instanceof EOFException) return "it ends in the middle: cut short, or still being written";
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    @Override
    public void close() throws IOException {
        unpacked.close();
    }
}
