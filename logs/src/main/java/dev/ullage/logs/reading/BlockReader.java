// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;

/// Cuts a stream into [Block]s, in bounded memory whatever the lines are like.
final class BlockReader {
    static final int SIZE = 1 << 20;

    /// How far back from the longest length a blank is looked for.
    private static final int FAR_BACK = 4096;

    private final InputStream in;
    private final ArrayDeque<byte[]> spare = new ArrayDeque<>();
    private byte[] rest = new byte[0];
    private long offset;
    private boolean ended;
    private long longLines;

    BlockReader(InputStream in) {
        this.in = in;
    }

    /// Lines that had to be cut, or rather cuts.
    long longLines() {
        return longLines;
    }

    /// Gives the memory of a block back.
    void recycle(Block block) {
        spare.push(block.bytes());
    }

    /// @return null at the end
    Block next() throws IOException {
        // room for the newlines that are added
        byte[] bytes = spare.isEmpty() ? new byte[SIZE + SIZE / LogLine.LONGEST * 2 + 2] : spare.pop();
        System.arraycopy(rest, 0, bytes, 0, rest.length);
        int length = rest.length;
        while (length < SIZE && !ended) {
            int read = in.read(bytes, length, SIZE - length);
            if (read < 0) ended = true;
            else length += read;
        }
        if (length == 0) return null;
        Block block = new Block(bytes, offset);
        int start = 0;
        while (length - start > LogLine.LONGEST) {
            int newline = lastIndexOf(bytes, (byte) '\n', start, start + LogLine.LONGEST + 1);
            if (newline >= 0) {
                start = newline + 1;
                continue;
            }
            length = cut(block, start, length);
            start = block.endOfLine(start) + 1;
        }
        int newline = lastIndexOf(bytes, (byte) '\n', start, length);
        int end = newline < 0 ? start : newline + 1;
        if (ended && end < length) {
            bytes[length] = '\n';
            end = ++length;
        }
        block.length(end);
        rest = new byte[length - end];
        System.arraycopy(bytes, end, rest, 0, rest.length);
        offset = block.offsetOf(end);
        return block;
    }

    /// Puts a newline into a line that is too long.
    ///
    /// @return the new length
    private int cut(Block block, int start, int length) {
        longLines++;
        byte[] bytes = block.bytes();
        int end = start + LogLine.LONGEST;
        int at = lastIndexOf(bytes, (byte) '\r', start + 1, end);
        Block.Cut kind = at >= 0 ? Block.Cut.RETURN : Block.Cut.BLANK;
        if (at < 0) at = lastIndexOf(bytes, (byte) ' ', end - FAR_BACK, end);
        if (at >= 0) {
            bytes[at] = '\n';
            block.cut(at, kind);
            return length;
        }
        at = end;
        while (at > end - 4 && (bytes[at] & 0xc0) == 0x80) at--; // not in the middle of a character
        System.arraycopy(bytes, at, bytes, at + 1, length - at);
        bytes[at] = '\n';
        block.cut(at, Block.Cut.ADDED);
        return length + 1;
    }

    private static int lastIndexOf(byte[] bytes, byte wanted, int from, int to) {
        for (int i = to - 1; i >= from; i--) if (bytes[i] == wanted) return i;
        return -1;
    }
}
