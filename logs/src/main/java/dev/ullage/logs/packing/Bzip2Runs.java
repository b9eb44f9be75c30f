// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.packing;

import java.io.IOException;

/// The last step of unpacking a bzip2 block: follows the links from byte to byte, and puts back the runs that were
/// taken
/// out before sorting (four equal bytes are followed by how many more there are).
final class Bzip2Runs {
    static final Bzip2Runs NONE = new Bzip2Runs(new int[1], 0, 0, 0);

    private static final int[] CHECKSUMS = checksums();

    private final int[] links;
    private final int expected;
    private int left;
    private int link;
    private int value = -1;
    private int equal;
    private int repeat;
    private int checksum = -1;

    /// @param origin where in the sorted block the text begins
    Bzip2Runs(int[] links, int length, int origin, int expected) {
        this.links = links;
        this.left = length;
        this.link = length == 0 ? 0 : links[origin];
        this.expected = expected;
    }

    /// @return 0 at the end of the block
    int read(byte[] bytes, int from, int length) throws IOException {
        int at = from;
        int end = from + length;
        while (at < end) {
            if (repeat > 0) {
                repeat--;
            } else {
                if (left == 0) break;
                int next = take();
                equal = next == value ? equal + 1 : 1;
                value = next;
                if (equal == 4) {
                    if (left == 0) throw new IOException("bzip2: a block that ends in the middle of a run");
                    repeat = take();
                    equal = 0;
                }
            }
            checksum = checksum << 8 ^ CHECKSUMS[checksum >>> 24 ^ value];
            bytes[at++] = (byte) value;
        }
        if (at == from && this != NONE && ~checksum != expected)
            throw new IOException("bzip2: a block whose checksum does not agree");
        return at - from;
    }

    private int take() {
        link = links[link >>> 8];
        left--;
        return link & 0xff;
    }

    private static int[] checksums() {
        int[] table = new int[256];
        for (int i = 0; i < 256; i++) {
            int c = i << 24;
            for (int bit = 0; bit < 8; bit++) c = c < 0 ? c << 1 ^ 0x04c11db7 : c << 1;
            table[i] = c;
        }
        return table;
    }
}
