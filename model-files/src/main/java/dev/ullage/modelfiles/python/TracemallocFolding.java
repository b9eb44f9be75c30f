// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import dev.ullage.measure.Reading;
import dev.ullage.modelfiles.pickle.Data;
import dev.ullage.modelfiles.pickle.Folded;
import dev.ullage.modelfiles.pickle.Folding;
import dev.ullage.modelfiles.pickle.Held;
import dev.ullage.modelfiles.pickle.Instance;
import dev.ullage.modelfiles.pickle.Pickle;
import dev.ullage.modelfiles.pickle.TupleOf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Counts the traces of a tracemalloc dump as they come. A trace is a tuple `(domain, size, ((file, line), …),
/// frames)`;
/// `(domain, size, …)` before Python 3.9 and `(size, …)` before 3.6. Source: CPython's `Lib/tracemalloc.py`.
public final class TracemallocFolding implements Folding {
    /// Stands for a trace that was counted.
    private record Counted() implements Folded {
        @Override
        public boolean isOneForMany() {
            return true;
        }
    }

    private static final Counted COUNTED = new Counted();

    private final Map<SourceLine, SourceLine> lines = new HashMap<>();
    private final Map<List<SourceLine>, Traceback> tracebacks = new HashMap<>();
    private final Map<Traceback, long[]> totals = new LinkedHashMap<>();
    private final Held held;
    private long bytes;
    private long blocks;

    public TracemallocFolding(Held held) {
        this.held = held;
    }

    @Override
    public Data tuple(TupleOf tuple) {
        List<Data> items = tuple.items();
        if (items.size() == 2
                && items.get(0) instanceof Data.Text(String file)
                && items.get(1) instanceof Data.Whole(long line)) return line(file, line);
        int at = items.size() == 2 ? 1 : items.size() == 3 || items.size() == 4 ? 2 : -1;
        if (at > 0
                && items.get(at) instanceof Traceback traceback
                && items.get(at - 1) instanceof Data.Whole(long size)) return count(traceback, Math.max(0, size));
        return items.getFirst() instanceof SourceLine ? traceback(tuple) : tuple;
    }

    private SourceLine line(String file, long line) {
        SourceLine read = new SourceLine(file, Math.clamp(line, 0, Integer.MAX_VALUE));
        SourceLine known = lines.putIfAbsent(read, read);
        if (known != null) return known;
        held.charge(100);
        return read;
    }

    private Data traceback(TupleOf tuple) {
        List<SourceLine> read = new ArrayList<>(tuple.items().size());
        for (Data item : tuple.items()) {
            if (!(item instanceof SourceLine line)) return tuple;
            read.add(line);
        }
        Traceback known = tracebacks.get(read);
        if (known != null) return known;
        held.charge(250 + 8L * read.size());
        Traceback traceback = new Traceback(List.copyOf(read));
        tracebacks.put(traceback.lines(), traceback);
        return traceback;
    }

    private Data count(Traceback traceback, long size) {
        long[] total = totals.computeIfAbsent(traceback, _ -> new long[2]);
        total[0] = saturated(total[0], size);
        total[1]++;
        bytes = saturated(bytes, size);
        blocks++;
        return COUNTED;
    }

    private static long saturated(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
    }

    /// What was counted, once the pickle is at its end.
    public Reading<TracemallocSnapshot> snapshot(String file, Pickle pickle) {
        if (!(pickle.root() instanceof Instance root) || !root.isOf("tracemalloc", "Snapshot"))
            return Reading.absent(
                    file, AbsentCause.MALFORMED, "found no tracemalloc.Snapshot, expected one as the whole");
        Data limit = root.attribute("traceback_limit");
        List<Statistic> statistics = new ArrayList<>();
        totals.forEach((traceback, total) ->
                statistics.add(new Statistic(traceback, new Bytes(total[0]), new Count(total[1]))));
        return Reading.of(new TracemallocSnapshot(
                file,
                limit == null ? 1 : limit.orElse(1),
                new Bytes(bytes),
                new Count(blocks),
                List.copyOf(statistics)));
    }
}
