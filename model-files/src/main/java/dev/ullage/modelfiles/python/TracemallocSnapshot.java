// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import dev.ullage.modelfiles.MemoryDump;
import dev.ullage.modelfiles.TopTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A file of `tracemalloc.Snapshot.dump`: every block of memory that Python's allocator had given out, by who asked.
///
/// Mistake people make: comparing its total with the process's RSS. Tensors, CUDA's pinned buffers and what C libraries
/// allocate are not in it (numpy's arrays are); when RSS grows and this does not, the leak is not Python's.
///
/// @param tracebackLimit lines kept of each place: 1 unless `tracemalloc.start(N)` said more
/// @param places everything, by traceback
public record TracemallocSnapshot(String file, long tracebackLimit, Bytes held, Count blocks, List<Statistic> places)
        implements MemoryDump {
    private static final int SHOWN = 10;
    /// Callers shown under a place, where tracemalloc kept them.
    private static final int CALLERS = 2;

    /// By what blocks are put together.
    public enum By {
        FILE(place -> new Traceback(List.of(new SourceLine(innermost(place).file(), 0)))),
        LINE(place -> new Traceback(List.of(innermost(place)))),
        TRACEBACK(place -> place);

        private final Function<Traceback, Traceback> group;

        By(Function<Traceback, Traceback> group) {
            this.group = group;
        }

        private static SourceLine innermost(Traceback place) {
            return place.lines().getFirst();
        }
    }

    /// Who holds what, most first.
    public List<Statistic> top(By by) {
        return grouped(by).entrySet().stream()
                .map(each -> new Statistic(each.getKey(), new Bytes(each.getValue()[0]), new Count(each.getValue()[1])))
                .sorted(Comparator.comparing(Statistic::held)
                        .thenComparing(Statistic::blocks)
                        .reversed()
                        .thenComparing(each -> each.place().shown()))
                .toList();
    }

    /// What has changed since an older snapshot of the same program, the largest change first; places without a change
    /// are left out.
    public List<Difference> since(TracemallocSnapshot older, By by) {
        Map<Traceback, long[]> before = older.grouped(by);
        Map<Traceback, long[]> now = grouped(by);
        before.keySet().forEach(place -> now.computeIfAbsent(place, _ -> new long[2]));
        List<Difference> differences = new ArrayList<>();
        now.forEach((place, total) -> {
            long[] was = before.getOrDefault(place, new long[2]);
            if (total[0] != was[0] || total[1] != was[1])
                differences.add(new Difference(
                        place,
                        new Bytes(total[0]),
                        new Bytes(total[0] - was[0]),
                        new Count(total[1]),
                        new Count(total[1] - was[1])));
        });
        differences.sort(Comparator.comparingLong(
                        (Difference each) -> -Math.abs(each.grewBy().bytes()))
                .thenComparing(each -> each.place().shown()));
        return differences;
    }

    private Map<Traceback, long[]> grouped(By by) {
        Map<Traceback, long[]> groups = new LinkedHashMap<>();
        for (Statistic each : places) {
            long[] total = groups.computeIfAbsent(by.group.apply(each.place()), _ -> new long[2]);
            total[0] = new Bytes(total[0]).plus(each.held()).bytes();
            total[1] += each.blocks().count();
        }
        return groups;
    }

    @Override
    public List<String> shown() {
        List<String> lines = new ArrayList<>();
        lines.add("Python holds " + held.shown() + " in " + blocks.shown() + " blocks (tracemalloc)");
        lines.addAll(TopTable.lines(
                top(By.FILE).stream().limit(SHOWN).map(TracemallocSnapshot::row).toList(), held));
        lines.add("by line:");
        lines.addAll(TopTable.lines(
                top(By.LINE).stream().limit(SHOWN).map(TracemallocSnapshot::row).toList(), held));
        if (tracebackLimit <= 1) return lines;
        lines.add("by traceback:");
        for (Statistic each : top(By.TRACEBACK).stream().limit(SHOWN).toList()) {
            lines.addAll(TopTable.lines(List.of(row(each)), held).subList(1, 2));
            each.place().lines().stream()
                    .skip(1)
                    .limit(CALLERS)
                    .forEach(caller -> lines.add(TopTable.under("from " + caller.shown())));
        }
        return lines;
    }

    /// What has changed since an older one, as text of 80 columns.
    public List<String> shownSince(TracemallocSnapshot older) {
        Bytes change = held.minus(older.held);
        List<String> lines = new ArrayList<>();
        lines.add("Python holds " + held.shown() + " after " + older.held.shown() + " (tracemalloc)");
        lines.addAll(TopTable.differences(
                since(older, By.LINE).stream()
                        .limit(SHOWN)
                        .map(each -> new TopTable.Row(
                                each.grewBy(), each.blocksMore(), each.place().shown()))
                        .toList(),
                change));
        return lines;
    }

    private static TopTable.Row row(Statistic each) {
        return new TopTable.Row(each.held(), each.blocks(), each.place().shown());
    }
}
