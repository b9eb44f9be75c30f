// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.Bytes;
import dev.ullage.modelfiles.torch.MemorySummary.Metric;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemorySummaryTest {
    private static final String TABLE = """
            |===========================================================================|
            |                  PyTorch CUDA memory summary, device ID 1                 |
            |---------------------------------------------------------------------------|
            |            CUDA OOMs: 2            |        cudaMalloc retries: 7         |
            |===========================================================================|
            |        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
            |---------------------------------------------------------------------------|
            | Allocated memory      |   1300 MiB |   4100 MiB |     77 GiB |     76 GiB |
            |       from large pool |   1290 MiB |   4090 MiB |     76 GiB |     75 GiB |
            |       from small pool |     10 MiB |     12 MiB |      1 GiB |      1 GiB |
            |---------------------------------------------------------------------------|
            | GPU reserved memory   |   9000 MiB |   9100 MiB |   9900 MiB |    900 MiB |
            |       from large pool |   8990 MiB |   9090 MiB |   9890 MiB |    900 MiB |
            |       from small pool |     10 MiB |     12 MiB |     12 MiB |      2 MiB |
            |---------------------------------------------------------------------------|
            | Non-releasable memory |    800 MiB |    900 MiB |     70 GiB |     69 GiB |
            |       from large pool |    799 MiB |    899 MiB |     69 GiB |     68 GiB |
            |       from small pool |      1 MiB |      2 MiB |      1 GiB |      1 GiB |
            |---------------------------------------------------------------------------|
            | Allocations           |     399    |     500    |    1200 K  |    1199 K  |
            |       from large pool |     100    |     200    |     600 K  |     599 K  |
            |===========================================================================|
            """;

    @Test
    void the_table_gives_bytes_now_and_at_the_peak_and_the_failures() {
        MemorySummary summary = MemorySummary.parse(TABLE).getFirst();
        assertEquals(1, summary.device());
        assertEquals(2, summary.outOfMemory().count());
        assertEquals(7, summary.retries().count());
        assertEquals(
                Bytes.ofMiB(1300), summary.usage(Metric.ALLOCATED).orThrow().current());
        assertEquals(Bytes.ofGiB(77), summary.usage(Metric.ALLOCATED).orThrow().everAllocated());
        assertEquals(Bytes.ofMiB(9100), summary.usage(Metric.RESERVED).orThrow().peak());
        assertEquals(
                Bytes.ofMiB(799),
                summary.rows().get(Metric.NON_RELEASABLE).large().orThrow().current());
        assertFalse(summary.usage(Metric.REQUESTED).isPresent());
    }

    @Test
    void old_units_abbreviated_tables_prefixes_and_a_table_in_one_line_are_read_alike() {
        String old = TABLE.replace("MiB", "MB").replace("GiB", "GB");
        assertEquals(MemorySummary.parse(TABLE), MemorySummary.parse(old.replace("  MB", "   MB")));
        String logged = TABLE.replaceAll("(?m)^", "2026-06-01 10:00:00 ERROR [rank1]: ");
        assertEquals(MemorySummary.parse(TABLE), MemorySummary.parse(logged));
        assertEquals(MemorySummary.parse(TABLE), MemorySummary.parse(TABLE.replace("\n", "")));
        String brief = TABLE.replaceAll("(?m)^.*from (large|small) pool.*\n", "");
        MemorySummary summary = MemorySummary.parse(brief).getFirst();
        assertEquals(
                Bytes.ofMiB(800), summary.usage(Metric.NON_RELEASABLE).orThrow().current());
        assertFalse(summary.rows().get(Metric.ALLOCATED).large().isPresent());
    }

    @Test
    void several_devices_are_several_tables_and_other_text_is_none() {
        assertEquals(2, MemorySummary.parse(TABLE + "text\n" + TABLE).size());
        assertEquals(List.of(), MemorySummary.parse("| Allocated memory | 5 MiB | no table |"));
        assertTrue(MemorySummary.parse("memory summary, device ID 0" + "|".repeat(100_000))
                .isEmpty());
    }
}
