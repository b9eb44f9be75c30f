// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostileText;
import dev.ullage.host.memory.FreeBlocks.Zone;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreeBlocksTest {
    private static FreeBlocks blocks(String text) {
        return FreeBlocks.parse(text).orThrow();
    }

    @Test
    void column_n_counts_blocks_of_two_to_the_n_pages() {
        // Linux 6.18
        FreeBlocks blocks = blocks("""
                Node 0, zone      DMA      0      0      0      0      0      0      0      0      1      1      3\s
                Node 0, zone    DMA32    106    124    142    130    114    113     85     68     46     45    698\s
                Node 0, zone   Normal   1779   1257   1044   2524   3916   2223   1218    638    194    228   3274\s
                """);
        assertEquals(
                List.of("DMA", "DMA32", "Normal"),
                blocks.zones().stream().map(Zone::name).toList());
        Zone dma = blocks.zones().getFirst();
        assertEquals(11, dma.blocks().size());
        assertEquals(Bytes.ofPages(256 + 512 + 3 * 1024), dma.freeFrom(0));
        assertEquals(Bytes.ofPages(512 + 3 * 1024), dma.freeFrom(9));
        assertEquals(Bytes.ofPages(3 * 1024), dma.freeFrom(10));
        assertEquals(Bytes.NONE, dma.freeFrom(11), "there are no larger blocks");
        assertEquals(
                Bytes.ofPages((1 + 45 + 228) * 512L + (3 + 698 + 3274) * 1024L),
                blocks.freeFrom(9),
                "the host is all its zones");
    }

    @Test
    void every_node_of_a_large_host_counts_and_a_fragmented_one_has_no_huge_page_left() {
        // Ubuntu 22.04, Linux 5.15, two sockets
        FreeBlocks blocks = blocks("""
                Node 0, zone      DMA      1      1      1      0      2      1      1      0      1      1      3
                Node 0, zone   Normal 438122 218310  10044    310     92     11      0      0      0      0      0
                Node 1, zone   Normal      7      0      0      0      0      0      0      0      0      0   9000
                Node 1, zone  Movable      0      0      0      0      0      0      0      0      0      0      0
                """);
        Zone full = blocks.zones().get(1);
        assertEquals(0, full.node());
        assertEquals(Bytes.NONE, full.freeFrom(9));
        assertEquals(Bytes.ofPages(438122 + 2 * 218310L + 4 * 10044L + 8 * 310 + 16 * 92 + 32 * 11), full.freeFrom(0));
        assertEquals(1, blocks.zones().get(2).node());
        assertEquals(Bytes.NONE, blocks.zones().getLast().freeFrom(0), "a zone without memory has a line too");
        assertEquals(Bytes.ofPages(512 + 3 * 1024 + 9000 * 1024), blocks.freeFrom(9));
    }

    @Test
    void an_arm_kernel_with_large_pages_has_more_columns() {
        // 64 KiB pages: MAX_ORDER is 13
        Zone zone = blocks("Node 0, zone   Normal " + "1 ".repeat(14) + "\n")
                .zones()
                .getFirst();
        assertEquals(14, zone.blocks().size());
        assertEquals(Bytes.ofPages((1L << 14) - 1), zone.freeFrom(0));
    }

    @Test
    void text_that_is_none_is_malformed_and_absurd_counts_do_not_wrap() {
        for (String text : HostileText.ALL) {
            Reading<FreeBlocks> reading = FreeBlocks.parse(text);
            assertEquals(AbsentCause.MALFORMED, causeOf(reading), text);
        }
        assertEquals(
                Long.MAX_VALUE,
                blocks("Node 0, zone Normal 1 " + "9223372036854775807 ".repeat(70))
                        .freeFrom(0)
                        .bytes());
        assertTrue(blocks("Node x, zone Normal -5 7 99999999999999999999")
                        .freeFrom(0)
                        .bytes()
                > 0);
        assertEquals(Bytes.ofPages(14), blocks("Node -3, zone Normal -5 7").freeFrom(0));
    }
}
