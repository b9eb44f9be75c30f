// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.packing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// The bits of a bzip2 stream, the highest of each byte first.
final class Bzip2Bits {
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 14];
    private int at;
    private int end;
    private long held;
    private int heldBits;

    Bzip2Bits(InputStream in) {
        this.in = in;
    }

    /// @param count up to 32
    int take(int count) throws IOException {
        while (heldBits < count) {
            held = held << 8 | nextByte();
            heldBits += 8;
        }
        heldBits -= count;
        return (int) (held >>> heldBits & (1L << count) - 1);
    }

    private int nextByte() throws IOException {
        if (at == end && !fill()) throw new EOFException();
        return buffer[at++] & 0xff;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.read(buffer, 0, buffer.length));
        return end > 0;
    }

    void alignToByte() {
        heldBits -= heldBits % 8;
    }

    /// Asked between streams only, where no bit is held but whole bytes.
    boolean isAtEnd() throws IOException {
        return heldBits == 0 && at == end && !fill();
    }

    /// Which bytes a block has: a bit for each sixteen, then sixteen bits for each of those that are set.
    byte[] usedBytes() throws IOException {
        int groups = take(16);
        byte[] used = new byte[256];
        int count = 0;
        for (int group = 0; group < 16; group++) {
            if ((groups & 0x8000 >>> group) == 0) continue;
            int members = take(16);
            for (int member = 0; member < 16; member++)
                if ((members & 0x8000 >>> member) != 0) used[count++] = (byte) (group * 16 + member);
        }
        if (count == 0) throw new IOException("bzip2: a block without bytes");
        return Arrays.copyOf(used, count);
    }
}
