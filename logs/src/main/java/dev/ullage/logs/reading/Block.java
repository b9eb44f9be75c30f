// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.util.Arrays;

/// About a MiB of text that begins and ends with a line, or a piece of one: every line ends with a newline byte, the last
/// of the input too, and none is longer than [LogLine#LONGEST]. Longer ones were cut, at a carriage return or a blank
/// where there is one; the newline there is ours and counts as no line.
public final class Block {
    private final byte[] bytes;
    private int length;
    private final long offset;
    private int[] cuts = new int[4];
    private boolean[] isAdded = new boolean[4];
    private int cutCount;

    Block(byte[] bytes, long offset) {
        this.bytes = bytes;
        this.offset = offset;
    }

    /// Only the first [#length] of them.
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    void length(int length) {
        this.length = length;
    }

    /// @param isAdded whether the newline stands for no byte of the input
    void cut(int position, boolean isAdded) {
        if (cutCount == cuts.length) {
            cuts = Arrays.copyOf(cuts, cutCount * 2);
            this.isAdded = Arrays.copyOf(this.isAdded, cutCount * 2);
        }
        cuts[cutCount] = position;
        this.isAdded[cutCount++] = isAdded;
    }

    int cuts() {
        return cutCount;
    }

    /// Whether the newline at `position` ends a line of the input.
    public boolean endsLine(int position) {
        return cutCount == 0 || Arrays.binarySearch(cuts, 0, cutCount, position) < 0;
    }

    /// How many lines of the input end before `position`.
    ///
    /// @param newlines how many newline bytes are before it
    public int linesBefore(int position, int newlines) {
        int at = 0;
        while (at < cutCount && cuts[at] < position) at++;
        return newlines - at;
    }

    /// Where in the text `position` is.
    public long offsetOf(int position) {
        long added = 0;
        for (int i = 0; i < cutCount && cuts[i] < position; i++) if (isAdded[i]) added++;
        return offset + position - added;
    }

    /// The newline byte that ends the line in which `from` lies.
    public int endOfLine(int from) {
        int end = from;
        while (bytes[end] != '\n') end++;
        return end;
    }

    /// Where the line that ends before `start` begins; `start` must be behind a newline.
    public int startBefore(int start) {
        int at = start - 1;
        while (at > 0 && bytes[at - 1] != '\n') at--;
        return at;
    }
}
