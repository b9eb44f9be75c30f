// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// The table that `torch.cuda.memory_summary()` prints, found anywhere in a text.
///
/// ```
/// |                  PyTorch CUDA memory summary, device ID 0                 |
/// |            CUDA OOMs: 1            |        cudaMalloc retries: 6         |
/// |        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
/// | Allocated memory      |  26377 MiB |  26988 MiB | 767743 GiB | 767717 GiB |
/// |       from large pool |  25981 MiB |  26595 MiB | 738567 GiB | 738542 GiB |
/// ```
/// Before torch 2.0 the same units are called KB, MB, GB; they were 1024s then too. `abbreviated=True` leaves out the
/// rows of the pools. Figures are cut off, not rounded: 26377 MiB is anything below 26378.
///
/// Mistake people make: reading "Tot Alloc" as a size. It is everything that was ever allocated, and grows for ever.
///
/// @param retries times that cudaMalloc failed and it worked after the cache had been given back: the GPU is nearly
/// full
public record MemorySummary(int device, Count outOfMemory, Count retries, Map<Metric, Row> rows) {
    public enum Metric {
        ALLOCATED("Allocated memory"),
        ACTIVE("Active memory"),
        /// Since torch 2.0.
        REQUESTED("Requested memory"),
        RESERVED("GPU reserved memory"),
        /// Free beside blocks in use.
        NON_RELEASABLE("Non-releasable memory");

        private final String words;

        Metric(String words) {
            this.words = words;
        }
    }

    /// In a row, or in one of its two pools.
    public record Usage(Bytes current, Bytes peak, Bytes everAllocated, Bytes everFreed) {}

    /// @param large requests above 1 MiB; absent from an abbreviated table
    /// @param small those below
    public record Row(Usage all, Reading<Usage> large, Reading<Usage> small) {}

    public Reading<Usage> usage(Metric metric) {
        Row row = rows.get(metric);
        return row == null
                ? Reading.malformed("memory_summary of device " + device, "no such row", '"' + metric.words + '"')
                : Reading.of(row.all());
    }

    /// All tables of a text, in its order; empty when there is none.
    public static List<MemorySummary> parse(String text) {
        return new SummaryTables(text).read();
    }

    static Metric metric(String words) {
        for (Metric metric : Metric.values()) if (metric.words.equals(words)) return metric;
        return null;
    }

    /// In a few lines.
    public List<String> shown() {
        List<String> lines = new ArrayList<>();
        lines.add("GPU " + device + ": out of memory " + outOfMemory.shown() + " times, cudaMalloc tried again "
                + retries.shown() + " times");
        lines.add(String.format("%-24s%14s%14s", "", "now", "peak"));
        rows.forEach((metric, row) -> lines.add(String.format(
                "%-24s%14s%14s",
                metric.words, row.all().current().shown(), row.all().peak().shown())));
        return lines;
    }

    static Map<Metric, Row> rows(EnumMap<Metric, Row> rows) {
        return Collections.unmodifiableMap(rows);
    }
}
