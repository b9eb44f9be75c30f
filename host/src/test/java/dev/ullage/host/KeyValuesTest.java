// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KeyValuesTest {
    @Test
    void a_colon_and_a_unit_are_not_part_of_the_value() {
        assertEquals(
                Map.of("MemTotal", 24684084L, "HugePages_Total", 0L, "pgmajfault", 168L),
                KeyValues.parse("MemTotal:       24684084 kB\nHugePages_Total:       0\npgmajfault 168\n")
                        .values());
    }

    @Test
    void names_with_brackets_are_names() {
        assertEquals(
                OptionalLong.of(1716),
                KeyValues.parse("Active(anon):       1716 kB\n").get("Active(anon)"));
    }

    @Test
    void a_line_of_another_form_hides_no_other_line() {
        assertEquals(
                Map.of("a", 1L, "c", 3L),
                KeyValues.parse("a 1\n\n 7\nhigh\nb x\nNode 0, zone DMA\nc 3").values());
    }

    @Test
    void the_kernels_word_for_no_value_is_the_largest_number_and_not_a_failure() {
        assertEquals(OptionalLong.of(Long.MAX_VALUE), KeyValues.number("18446744073709551615"));
        assertEquals(OptionalLong.of(-1000), KeyValues.number("-1000"));
        assertEquals(OptionalLong.empty(), KeyValues.number("max"));
        assertEquals(OptionalLong.empty(), KeyValues.number(""));
        assertEquals(OptionalLong.empty(), KeyValues.number("0x10"));
        assertEquals(OptionalLong.empty(), KeyValues.number("1.5"));
    }

    @Test
    void a_sum_over_zones_takes_the_names_that_begin_so_and_no_others() {
        assertEquals(
                6,
                KeyValues.parse("allocstall_dma 1\nallocstall_normal 5\nallocstall 9\n")
                        .sumOf("allocstall_"));
    }

    @Test
    void pairs_may_be_anywhere_in_a_line_and_max_is_no_limit() {
        KeyValues pairs = KeyValues.parsePairs("some avg10=0.27 total=1448314 rbps=max =5 x= y");
        assertEquals(Map.of("total", 1448314L, "rbps", Long.MAX_VALUE), pairs.values());
    }
}
