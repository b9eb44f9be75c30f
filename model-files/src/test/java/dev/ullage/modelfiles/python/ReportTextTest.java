// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ullage.measure.Bytes;
import org.junit.jupiter.api.Test;

class ReportTextTest {
    private static final String STATS = """
            📏 Total allocations:
            \t1200

            📦 Total memory allocated:
            \t3.000GB

            📈 Peak memory usage:
            \t512.000MB

            📊 Histogram of allocation size:
            \tmin: 1.000B
            \t< 6.000KB : 10 ▇

            🥇 Top 2 largest allocating locations (by size):
            \t- load:/app/loader.py:61 -> 2.500GB
            \t- <stack trace unavailable> -> 10.000MB

            🥇 Top 2 largest allocating locations (by number of allocations):
            \t- load:/app/loader.py:61 -> 900
            """;

    @Test
    void memray_stats_give_peak_total_and_the_largest_places() {
        MemrayReport report = MemrayReport.parse(STATS).orThrow();
        assertEquals(Bytes.ofGiB(3), report.total().orThrow());
        assertEquals(Bytes.ofMiB(512), report.peak().orThrow());
        assertEquals(1200, report.allocations().orThrow().count());
        assertEquals(2, report.largest().size());
        assertEquals("load:/app/loader.py:61", report.largest().getFirst().where());
        assertEquals(Bytes.ofMiB(2560), report.largest().getFirst().allocated());
    }

    @Test
    void a_memray_that_counts_by_thousands_is_read_so() {
        MemrayReport report =
                MemrayReport.parse(STATS.replace("6.000KB", "6.000kB")).orThrow();
        assertEquals(new Bytes(3_000_000_000L), report.total().orThrow());
    }

    @Test
    void memray_summary_gives_each_functions_own_memory() {
        MemrayReport report = MemrayReport.parse("""
                        ┃ Location            ┃ <Total> Memory ┃ Total % ┃ Own Memory ┃ Own % ┃ Count ┃
                        │ run at /app/main.py │ 81.000MB       │ 100.00% │ 1.000MB    │ 1.23% │  1022 │
                        │ load at /app/io.py  │ 80.000MB       │  98.77% │ 80.000MB   │ 98.8% │    12 │
                        """).orThrow();
        assertEquals("load at /app/io.py", report.largest().getFirst().where());
        assertEquals(Bytes.ofMiB(80), report.largest().getFirst().allocated());
        assertFalse(report.peak().isPresent());
    }

    @Test
    void heapy_gives_objects_by_type() {
        HeapyReport report = HeapyReport.parse("""
                        Partition of a set of 4100 objects. Total size = 901000 bytes.
                         Index  Count   %     Size   % Cumulative  % Kind (class / dict of class)
                             0   3000  73   500000  55    500000  55 str
                             1    100   2   401000  45    901000 100 dict (no owner)
                        <89 more rows. Type e.g. '_.more' to view.>
                        """).orThrow();
        assertEquals(4100, report.objects().count());
        assertEquals(2, report.kinds().size());
        assertEquals("dict (no owner)", report.kinds().get(1).kind());
        assertEquals(401000, report.kinds().get(1).held().bytes());
    }

    @Test
    void other_text_is_neither() {
        assertFalse(MemrayReport.parse("INFO server started\n").isPresent());
        assertFalse(HeapyReport.parse("INFO server started\n").isPresent());
    }
}
