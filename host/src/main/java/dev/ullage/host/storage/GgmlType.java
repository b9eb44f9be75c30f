// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.measure.Bytes;

/// How many bytes the elements of a GGML type take: quantised types are stored in blocks. Source:
/// ggml/src/ggml-common.h
/// (the block structs) and the type table of ggml.c.
final class GgmlType {
    /// type → elements a block, bytes a block; 0 where the number is unused or a type was removed.
    private static final int[][] SIZES = {
        {1, 4},
        {1, 2},
        {32, 18},
        {32, 20},
        {0, 0},
        {0, 0},
        {32, 22},
        {32, 24},
        {32, 34},
        {32, 36},
        {256, 84},
        {256, 110},
        {256, 144},
        {256, 176},
        {256, 210},
        {256, 292},
        {256, 66},
        {256, 74},
        {256, 98},
        {256, 50},
        {32, 18},
        {256, 110},
        {256, 82},
        {256, 136},
        {1, 1},
        {1, 2},
        {1, 4},
        {1, 8},
        {1, 8},
        {256, 56},
        {1, 2},
        {0, 0},
        {0, 0},
        {0, 0},
        {256, 54},
        {256, 66},
        {0, 0},
        {0, 0},
        {0, 0},
        {32, 17},
        {64, 36},
        {128, 18},
        {64, 18}
    };

    private GgmlType() {}

    /// What a tensor takes at least: nothing for a type that is newer than this table.
    static Bytes sizeOf(long type, long elements) {
        if (type < 0 || type >= SIZES.length || SIZES[(int) type][0] == 0 || elements <= 0) return Bytes.NONE;
        int[] block = SIZES[(int) type];
        return new Bytes(elements / block[0]).times(block[1]);
    }
}
