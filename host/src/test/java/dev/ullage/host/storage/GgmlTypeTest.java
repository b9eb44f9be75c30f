// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.measure.Bytes;
import org.junit.jupiter.api.Test;

class GgmlTypeTest {
    /// Bytes of 256 elements, from the block structs of ggml-common.h and GGML_QUANT_SIZES of gguf-py.
    private static final Object[][] OF_256 = {
        {0, "F32", 1024},
        {1, "F16", 512},
        {2, "Q4_0", 8 * (2 + 16)},
        {3, "Q4_1", 8 * (2 + 2 + 16)},
        {6, "Q5_0", 8 * (2 + 4 + 16)},
        {7, "Q5_1", 8 * (2 + 2 + 4 + 16)},
        {8, "Q8_0", 8 * (2 + 32)},
        {10, "Q2_K", 2 + 2 + 256 / 16 + 256 / 4},
        {11, "Q3_K", 2 + 256 / 4 + 256 / 8 + 12},
        {12, "Q4_K", 2 + 2 + 256 / 2 + 12},
        {13, "Q5_K", 2 + 2 + 256 / 2 + 256 / 8 + 12},
        {14, "Q6_K", 2 + 256 / 2 + 256 / 4 + 256 / 16},
        {15, "Q8_K", 4 + 256 + 256 / 8},
        {16, "IQ2_XXS", 2 + 256 / 4},
        {17, "IQ2_XS", 2 + 256 / 4 + 256 / 32},
        {18, "IQ3_XXS", 2 + 256 / 4 + 256 / 8},
        {19, "IQ1_S", 2 + 256 / 8 + 256 / 16},
        {20, "IQ4_NL", 8 * (2 + 16)},
        {21, "IQ3_S", 2 + 256 / 4 + 256 / 8 + 256 / 32 + 4},
        {22, "IQ2_S", 2 + 256 / 4 + 256 / 16},
        {23, "IQ4_XS", 2 + 2 + 256 / 2 + 256 / 64},
        {24, "I8", 256},
        {25, "I16", 512},
        {26, "I32", 1024},
        {27, "I64", 2048},
        {28, "F64", 2048},
        {29, "IQ1_M", 256 / 8 + 256 / 16 + 256 / 32},
        {30, "BF16", 512},
        {34, "TQ1_0", 2 + 4 * 13},
        {35, "TQ2_0", 2 + 64},
        {39, "MXFP4", 8 * (1 + 16)},
        {40, "NVFP4", 4 * (4 + 32)},
        {41, "Q1_0", 2 * (2 + 16)},
        {42, "Q2_0", 4 * (2 + 16)}
    };

    @Test
    void every_type_takes_what_its_blocks_take() {
        for (Object[] type : OF_256)
            assertEquals(
                    new Bytes(((Integer) type[2]).longValue() * 1000),
                    GgmlType.sizeOf((Integer) type[0], 256_000),
                    (String) type[1]);
    }

    @Test
    void types_that_were_removed_or_are_newer_take_nothing_that_is_known() {
        for (long type : new long[] {4, 5, 31, 32, 33, 36, 37, 38, 43, 1000, -1, 0xffffffffL, 1L << 40})
            assertEquals(Bytes.NONE, GgmlType.sizeOf(type, 256), "type " + type);
    }

    @Test
    void no_elements_take_no_bytes_and_absurd_numbers_do_not_wrap() {
        assertEquals(Bytes.NONE, GgmlType.sizeOf(0, 0));
        assertEquals(Bytes.NONE, GgmlType.sizeOf(0, -5));
        assertEquals(Long.MAX_VALUE, GgmlType.sizeOf(28, Long.MAX_VALUE).bytes());
    }
}
