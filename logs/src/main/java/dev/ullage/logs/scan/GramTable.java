// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.scan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds many texts at once, as fast as memory is read.
///
/// Looking at every place for every text is out of the question; looking for the four bytes with which one begins takes
/// a
/// lookup for every byte. But a text of seven bytes or more has four such groups of four behind each other: with all
/// four
/// in the table it is enough to look at every fourth byte, wherever the text begins one of them lies there. A bit table
/// of 8 kB, which stays in the fastest cache, says "certainly not" to nearly all; the few others are compared in full.
/// Which seven bytes of a text go into the table is chosen for rarity: `cudaMalloc` by `udaMall`, not by ` failed`.
///
/// Upper and lower case are made one by setting bit 5 of every byte. That makes `[` and `{` one too: what is found is a
/// candidate, the pattern decides.
final class GramTable {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int FOLD = 0x20202020;
    private static final int HASH = 0x9e3779b1;
    private static final int HASH_BITS = 16;
    /// From the most frequent in logs to the rarest; what is not in it is rarer.
    private static final String FREQUENT = " etaoinsr0lhdcum1pfg2.y_w35b4v8967:=k-,x()[]j";

    private final byte[][] literals;
    private final int stride;
    private final long[] bits = new long[1 << HASH_BITS - 6];
    private final Map<Integer, int[]> places = new HashMap<>();

    /// @param literals of at least four ASCII characters each
    GramTable(List<String> literals) {
        this.literals = literals.stream().map(GramTable::folded).toArray(byte[][]::new);
        int shortest = 7;
        for (byte[] literal : this.literals) shortest = Math.min(shortest, literal.length);
        stride = shortest >= 7 ? 4 : shortest >= 5 ? 2 : 1;
        Map<Integer, List<Integer>> found = new HashMap<>();
        for (int i = 0; i < this.literals.length; i++) {
            int start = rarest(this.literals[i]);
            for (int at = start; at < start + stride; at++) {
                int gram = gram(this.literals[i], at);
                bits[gram * HASH >>> 32 - HASH_BITS + 6] |= 1L << (gram * HASH >>> 32 - HASH_BITS);
                found.computeIfAbsent(gram, _ -> new ArrayList<>()).add(i << 16 | at);
            }
        }
        found.forEach((gram, all) ->
                places.put(gram, all.stream().mapToInt(Integer::intValue).toArray()));
    }

    /// Every how many bytes there must be a look: 1, 2 or 4.
    int stride() {
        return stride;
    }

    /// Whether a literal may lie around `at`; `at + 4` bytes there must be.
    boolean maybe(byte[] bytes, int at) {
        return maybe((int) INT.get(bytes, at));
    }

    /// The same, of four bytes.
    boolean maybe(int four) {
        int hash = (four | FOLD) * HASH >>> 32 - HASH_BITS;
        return (bits[hash >>> 6] & 1L << hash) != 0;
    }

    /// Whether a literal may lie around one of the places in the eight bytes at `at`, of which there must be eleven.
    boolean maybeIn(long eight, byte[] bytes, int at) {
        long[] bits = this.bits;
        if ((hit(bits, (int) eight) | hit(bits, (int) (eight >>> 32))) != 0) return true;
        if (stride == 4) return false;
        if ((hit(bits, (int) (eight >>> 16)) | hit(bits, (int) INT.get(bytes, at + 6))) != 0) return true;
        if (stride == 2) return false;
        return (hit(bits, (int) (eight >>> 8))
                        | hit(bits, (int) (eight >>> 24))
                        | hit(bits, (int) INT.get(bytes, at + 5))
                        | hit(bits, (int) INT.get(bytes, at + 7)))
                != 0;
    }

    private static long hit(long[] bits, int four) {
        int hash = (four | FOLD) * HASH >>> 32 - HASH_BITS;
        return bits[hash >>> 6] >>> hash & 1;
    }

    /// Whether one does, between `from` and `to`.
    boolean isAround(byte[] bytes, int at, int from, int to) {
        int[] all = places.get((int) INT.get(bytes, at) | FOLD);
        if (all == null) return false;
        for (int place : all) if (isAt(literals[place >>> 16], bytes, at - (place & 0xffff), from, to)) return true;
        return false;
    }

    /// Marks the literals of a line of text.
    void mark(byte[] text, boolean[] found) {
        for (int at = 0; at + 4 <= text.length; at += stride) {
            if (!maybe(text, at)) continue;
            int[] all = places.get((int) INT.get(text, at) | FOLD);
            if (all == null) continue;
            for (int place : all)
                if (!found[place >>> 16] && isAt(literals[place >>> 16], text, at - (place & 0xffff), 0, text.length))
                    found[place >>> 16] = true;
        }
    }

    private static boolean isAt(byte[] literal, byte[] bytes, int start, int from, int to) {
        if (start < from || start + literal.length > to) return false;
        for (int i = 0; i < literal.length; i++) if ((bytes[start + i] | 0x20) != literal[i]) return false;
        return true;
    }

    private int rarest(byte[] literal) {
        int best = 0;
        int bestWorth = -1;
        for (int start = 0; start + stride + 3 <= literal.length; start++) {
            int worth = 0;
            for (int i = start; i < start + stride + 3; i++) {
                int rank = FREQUENT.indexOf(literal[i]);
                worth += rank < 0 ? FREQUENT.length() : rank;
            }
            if (worth > bestWorth) {
                bestWorth = worth;
                best = start;
            }
        }
        return best;
    }

    private static int gram(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    private static byte[] folded(String literal) {
        byte[] folded = new byte[literal.length()];
        for (int i = 0; i < folded.length; i++) folded[i] = (byte) (literal.charAt(i) | 0x20);
        return folded;
    }
}
