// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.packing;

import java.io.IOException;

/// The Huffman tables of a bzip2 block, and which of them is whose turn.
final class Bzip2Tables {
    private static final int TURN = 50;
    private static final int LONGEST_CODE = 20;
    /// A block of 900,000 symbols has no more turns; old writers add some that mean nothing.
    private static final int MOST_TURNS = 900_000 / TURN + 2;

    private final Table[] tables;
    private final byte[] turns;
    private int turn = -1;
    private int left;
    private Table table;

    private Bzip2Tables(Table[] tables, byte[] turns) {
        this.tables = tables;
        this.turns = turns;
        this.table = tables[0];
    }

    static Bzip2Tables read(Bzip2Bits bits, int usedBytes) throws IOException {
        int count = bits.take(3);
        if (count < 2 || count > 6) throw new IOException("bzip2: " + count + " tables; expected 2 to 6");
        int said = bits.take(15);
        if (said == 0) throw new IOException("bzip2: a block without turns of its tables");
        byte[] turns = new byte[Math.min(said, MOST_TURNS)];
        byte[] recent = {0, 1, 2, 3, 4, 5};
        for (int i = 0; i < said; i++) {
            int back = 0;
            while (bits.take(1) == 1) if (++back >= count) throw new IOException("bzip2: a turn of no table");
            byte chosen = recent[back];
            System.arraycopy(recent, 0, recent, 1, back);
            recent[0] = chosen;
            if (i < turns.length) turns[i] = chosen;
        }
        int symbols = usedBytes + 2;
        Table[] tables = new Table[count];
        for (int i = 0; i < count; i++) tables[i] = Table.read(bits, symbols);
        return new Bzip2Tables(tables, turns);
    }

    int next(Bzip2Bits bits) throws IOException {
        if (left == 0) {
            if (++turn >= turns.length) throw new IOException("bzip2: a block longer than its tables have turns");
            table = tables[turns[turn]];
            left = TURN;
        }
        left--;
        return table.next(bits);
    }

    /// Codes of one length are consecutive numbers, given out in the order of the symbols.
    private static final class Table {
        private final int shortest;
        private final int[] last = new int[LONGEST_CODE + 1];
        private final int[] shift = new int[LONGEST_CODE + 1];
        private final int[] symbols;

        private Table(int[] lengths) {
            int[] counts = new int[LONGEST_CODE + 1];
            int least = LONGEST_CODE;
            for (int length : lengths) {
                counts[length]++;
                least = Math.min(least, length);
            }
            shortest = least;
            symbols = new int[lengths.length];
            int given = 0;
            int code = 0;
            for (int length = least; length <= LONGEST_CODE; length++) {
                shift[length] = given - code;
                for (int symbol = 0; symbol < lengths.length; symbol++)
                    if (lengths[symbol] == length) symbols[given++] = symbol;
                code += counts[length];
                last[length] = code - 1;
                code <<= 1;
            }
        }

        static Table read(Bzip2Bits bits, int symbols) throws IOException {
            int[] lengths = new int[symbols];
            int length = bits.take(5);
            for (int i = 0; i < symbols; i++) {
                while (true) {
                    if (length < 1 || length > LONGEST_CODE)
                        throw new IOException("bzip2: a code of " + length + " bits; expected 1 to " + LONGEST_CODE);
                    if (bits.take(1) == 0) break;
                    length += bits.take(1) == 0 ? 1 : -1;
                }
                lengths[i] = length;
            }
            return new Table(lengths);
        }

        int next(Bzip2Bits bits) throws IOException {
            int length = shortest;
            int code = bits.take(length);
            while (code > last[length]) {
                if (++length > LONGEST_CODE) throw new IOException("bzip2: bits that are no code");
                code = code << 1 | bits.take(1);
            }
            int index = code + shift[length];
            if (index < 0 || index >= symbols.length) throw new IOException("bzip2: bits that are no code");
            return symbols[index];
        }
    }
}
