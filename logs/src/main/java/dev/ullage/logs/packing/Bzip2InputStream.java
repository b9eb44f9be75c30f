// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.packing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// Unpacks bzip2, one stream or several behind each other (`pbzip2`, `cat a.bz2 b.bz2`).
///
/// A stream is `BZh1`…`BZh9`, blocks of 100 to 900 kB of text, and an end mark. A block is the text with runs shortened
/// ([Bzip2Runs]), sorted by what follows each byte (Burrows and Wheeler), its bytes replaced by how recently they were
/// seen, and those packed by up to six Huffman tables that take turns every fifty symbols ([Bzip2Tables]). Each block
/// has a checksum: a block that does not agree is refused, the blocks before it have been read.
///
/// Unpacked by ourselves: it is two pages, and the libraries that have it bring three more of their own.
final class Bzip2InputStream extends InputStream {
    /// The first digits of pi begin a block, those of its square root end the stream.
    static final long BLOCK = 0x314159265359L;

    static final long END = 0x177245385090L;

    private static final int UNIT = 100_000;

    private final Bzip2Bits bits;
    private int[] links = new int[0];
    private int limit;
    private Bzip2Runs runs = Bzip2Runs.NONE;
    private boolean ended;

    Bzip2InputStream(InputStream in) throws IOException {
        bits = new Bzip2Bits(in);
        if (!startsStream()) throw new EOFException();
    }

    private boolean startsStream() throws IOException {
        if (bits.isAtEnd()) return false;
        int magic = bits.take(24);
        int level = bits.take(8) - '0';
        if (magic != ('B' << 16 | 'Z' << 8 | 'h') || level < 1 || level > 9)
            throw new IOException("bzip2: what follows the stream is no further stream");
        limit = level * UNIT;
        if (links.length < limit) links = new int[limit];
        return true;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) return 0;
        while (true) {
            int read = runs.read(bytes, from, length);
            if (read > 0) return read;
            if (ended || !nextBlock()) return -1;
        }
    }

    private boolean nextBlock() throws IOException {
        while (true) {
            long magic = (long) bits.take(24) << 24 | bits.take(24);
            if (magic == BLOCK) break;
            if (magic != END)
                throw new IOException("bzip2: neither a block nor the end of the stream where one must be");
            bits.take(32); // the checksum of the block checksums, each of which was tested
            bits.alignToByte();
            if (!startsStream()) {
                ended = true;
                return false;
            }
        }
        int checksum = bits.take(32);
        if (bits.take(1) != 0) throw new IOException("bzip2: a randomised block, which no bzip2 since 0.9.5 writes");
        int origin = bits.take(24);
        int length = unpackBlock();
        if (origin >= length) throw new IOException("bzip2: a block whose first byte lies outside of it");
        runs = new Bzip2Runs(links, length, origin, checksum);
        return true;
    }

    /// Leaves in the low byte of each of `links` a byte of the sorted block, above it where its successor is.
    private int unpackBlock() throws IOException {
        byte[] recent = bits.usedBytes();
        Bzip2Tables tables = Bzip2Tables.read(bits, recent.length);
        int[] counts = new int[256];
        int length = 0;
        int run = 0;
        int weight = 1;
        while (true) {
            int symbol = tables.next(bits);
            if (symbol <= 1) { // a run's length, its digits 1 and 2 from the lowest
                if (weight > limit) throw new IOException("bzip2: a run longer than its block");
                run += weight << symbol;
                weight <<= 1;
                continue;
            }
            if (run > 0) {
                if (run > limit - length) throw new IOException("bzip2: more in a block than fits");
                int value = recent[0] & 0xff;
                counts[value] += run;
                for (int i = 0; i < run; i++) links[length++] = value;
                run = 0;
                weight = 1;
            }
            if (symbol == recent.length + 1) break;
            if (length >= limit) throw new IOException("bzip2: more in a block than fits");
            byte value = recent[symbol - 1];
            System.arraycopy(recent, 0, recent, 1, symbol - 1);
            recent[0] = value;
            counts[value & 0xff]++;
            links[length++] = value & 0xff;
        }
        int sum = 0;
        for (int i = 0; i < 256; i++) {
            int count = counts[i];
            counts[i] = sum;
            sum += count;
        }
        for (int i = 0; i < length; i++) links[counts[links[i] & 0xff]++] |= i << 8;
        return length;
    }
}
