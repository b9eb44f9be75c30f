// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.util.Arrays;

/// About a MiB of text that begins and ends with a line, or a piece of one: every line ends with a newline byte, the
/// last
/// of the input too, and none is longer than [LogLine#LONGEST]. Longer ones were cut, at a carriage return or a blank
/// where there is one; the newline there is ours and counts as no line.
public final class Block {
    private final byte[] bytes;
    private int length;
    private final long offset;
    private int[] cuts = new int[4];
    private Cut[] kinds = new Cut[4];
    private int cutCount;

    /// What the newline of a cut stands for.
    enum Cut {
        /// A carriage return: what comes next was written over this.
        RETURN,
        BLANK,
        /// Nothing: it was put in between.
        ADDED
    }

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

    void cut(int position, Cut kind) {
        if (cutCount == cuts.length) {
            cuts = Arrays.copyOf(cuts, cutCount * 2);
            kinds = Arrays.copyOf(kinds, cutCount * 2);
        }
        cuts[cutCount] = position;
        kinds[cutCount++] = kind;
    }

    /// Whether what follows the newline at `position` was written over what is before it.
    public boolean isOverwritten(int position) {
        if (cutCount == 0) return false;
        int cut = Arrays.binarySearch(cuts, 0, cutCount, position);
        return cut >= 0 && kinds[cut] == Cut.RETURN;
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
        for (int i = 0; i < cutCount && cuts[i] < position; i++) if (kinds[i] == Cut.ADDED) added++;
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
