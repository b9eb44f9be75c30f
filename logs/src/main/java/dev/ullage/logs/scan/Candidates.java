// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.scan;

import dev.ullage.logs.reading.Block;
import dev.ullage.logs.reading.LineAssembler;
import dev.ullage.logs.reading.LogLine;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Finds the lines of a block that must be made: those a pattern is found in, and those that are not whole by
/// themselves. One pass over the bytes, eight at a time.
///
/// What a line says stands in its bytes as it is, unless there are control characters (colours, carriage returns,
/// zeros) or, in JSON, a backslash that escapes more than a quote or a newline. Lines without such are candidates when
/// they hold a literal; the others are made at once and looked at as text.
final class Candidates {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;
    private static final long SPACES = 0x20 * ONES;
    private static final long BACKSLASHES = '\\' * ONES;

    private final PatternSet patterns;
    private final GramTable table;
    private final int stride;
    private final boolean all;
    private final Block block;
    private final byte[] bytes;
    private final LineAssembler assembler = LineAssembler.withoutTimes(this::made);
    private boolean isFound;

    private int[] starts = new int[16];
    private int[] newlinesBefore = new int[16];
    private int count;

    private int newlines;
    private int lineStart;
    /// Whether the line at hand has a literal, or needs a look.
    private boolean hasLiteral;

    private boolean needsLook;
    /// Of a line of docker's: whether what it holds ends here.
    private boolean endsWithNewline;

    private int escapedAt = -1;

    /// @param starts where they begin, rising
    /// @param newlinesBefore how many newlines are before each
    /// @param newlines how many the block has
    record Found(int[] starts, int[] newlinesBefore, int newlines) {}

    private Candidates(PatternSet patterns, Block block) {
        this.patterns = patterns;
        this.table = patterns.table();
        this.stride = table.stride();
        this.all = !patterns.isFast();
        this.block = block;
        this.bytes = block.bytes();
    }

    static Found in(Block block, PatternSet patterns) {
        Candidates search = new Candidates(patterns, block);
        search.run();
        return new Found(
                Arrays.copyOf(search.starts, search.count),
                Arrays.copyOf(search.newlinesBefore, search.count),
                search.newlines);
    }

    private void run() {
        int length = block.length();
        int at = 0;
        byte[] bytes = this.bytes;
        GramTable table = this.table;
        for (int fast = length - 16; at < fast; at += 8) {
            long eight = (long) LONG.get(bytes, at);
            long special = special(eight);
            if (table.maybeIn(eight, bytes, at)) {
                for (int i = at; i < at + 8; i++) step(i, length);
                continue;
            }
            while (special != 0) {
                special(at + (Long.numberOfTrailingZeros(special) >>> 3), length);
                special &= special - 1;
            }
        }
        for (; at < length; at++) step(at, length);
    }

    private void step(int at, int length) {
        if (!hasLiteral
                && at % stride == 0
                && at + 4 <= length
                && table.maybe(bytes, at)
                && table.isAround(bytes, at, lineStart, length)) hasLiteral = true;
        byte b = bytes[at];
        if (b >= 0 && b < ' ' || b == '\\') special(at, length);
    }

    /// The bits at 7, 15, … of the bytes that are control characters or backslashes. A borrow may set one more bit
    /// above
    /// a real one; [#special(int, int)] looks again.
    private static long special(long eight) {
        long slashes = eight ^ BACKSLASHES;
        return ((eight - SPACES) & ~eight | (slashes - ONES) & ~slashes) & HIGH;
    }

    /// Carriage returns part what a line says and never join it: they need no look.
    private void special(int at, int length) {
        switch (bytes[at]) {
            case '\n' -> endOfLine(at);
            case '\t', '\r' -> {}
            case '\\' -> escape(at, at + 1 < length ? bytes[at + 1] : 0);
            default -> needsLook |= bytes[at] >= 0 && bytes[at] < ' ';
        }
    }

    private void escape(int at, byte escaped) {
        if (bytes[lineStart] != '{' || at == escapedAt) return;
        escapedAt = at + 1;
        switch (escaped) {
            case '"', '\\', 't', 'r' -> {}
            case 'n' -> endsWithNewline |= startsWith("\",\"stream\"", at + 2);
            default -> needsLook = true;
        }
    }

    private void endOfLine(int end) {
        if (all || hasLiteral || needsLook || mayBePart(end)) {
            if (isCandidate(end)) add();
        }
        newlines++;
        lineStart = end + 1;
        hasLiteral = false;
        needsLook = false;
        endsWithNewline = false;
        escapedAt = -1;
    }

    private void add() {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
            newlinesBefore = Arrays.copyOf(newlinesBefore, count * 2);
        }
        starts[count] = lineStart;
        newlinesBefore[count++] = newlines;
    }

    /// Whether it may go on in a later line: docker's without a newline at its end, a kubelet's with a P, the journal's
    /// messages as numbers.
    private boolean mayBePart(int end) {
        byte first = bytes[lineStart];
        if (first == '{') return !endsWithNewline && (startsWith("{\"log\":", lineStart) || hasArrayMessage(end));
        if (first != '2' && first != '1') return false;
        // 2026-12-01T05:55:22.123456789+01:00 stderr P text
        for (int i = lineStart + 19; i < end - 9 && i < lineStart + 64; i++)
            if (bytes[i] == ' ') return startsWith("std", i + 1) && bytes[i + 8] == 'P';
        return false;
    }

    private boolean hasArrayMessage(int end) {
        for (int i = lineStart; i + 11 < end; i++)
            if (bytes[i] == '"' && bytes[i + 8] == '"' && startsWith("\"MESSAGE\"", i)) {
                int value = i + 9;
                while (value < end && (bytes[value] == ' ' || bytes[value] == ':')) value++;
                return bytes[value] == '[';
            }
        return false;
    }

    private boolean startsWith(String wanted, int at) {
        if (at + wanted.length() > block.length()) return false;
        for (int i = 0; i < wanted.length(); i++) if (bytes[at + i] != wanted.charAt(i)) return false;
        return true;
    }

    private boolean isCandidate(int end) {
        isFound = false;
        assembler.line(bytes, lineStart, end, 0, 0, block.isOverwritten(end));
        boolean isPart = assembler.isWaiting();
        assembler.flush();
        return isPart || isFound;
    }

    private void made(LogLine line) {
        isFound |= patterns.in(line.text()).length > 0;
    }
}
