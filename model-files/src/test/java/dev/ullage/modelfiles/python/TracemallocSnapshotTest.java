// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.modelfiles.MemoryDump;
import dev.ullage.modelfiles.Python;
import dev.ullage.modelfiles.python.TracemallocSnapshot.By;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracemallocSnapshotTest {
    private static TracemallocSnapshot read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return assertInstanceOf(
                    TracemallocSnapshot.class,
                    MemoryDump.read(file.toString(), in).orThrow());
        }
    }

    @Test
    void pythons_own_statistics_and_ours_are_the_same(@TempDir Path folder) throws IOException {
        List<String> python = new String(Python.run("""
                                import tracemalloc, json, email.message
                                tracemalloc.start(4)
                                keep = [{'n': str(i)} for i in range(3000)]
                                tracemalloc.take_snapshot().dump('%1$s/a')
                                def more(): return [bytes(100 + i) for i in range(2000)]
                                keep2 = more(); del keep[1000:]
                                b = tracemalloc.take_snapshot(); b.dump('%1$s/b')
                                b.filter_traces([tracemalloc.Filter(True, '<stdin>')]).dump('%1$s/c')
                                a, b, c = [tracemalloc.Snapshot.load('%1$s/' + n) for n in 'abc']
                                def lines(word, stats, diff=False):
                                    for s in stats:
                                        where = ' '.join('%%s:%%d' %% (f.filename, f.lineno) for f in reversed(s.traceback))
                                        more = ' %%d %%d' %% (s.size_diff, s.count_diff) if diff else ''
                                        print(word, s.size, s.count, where + more)
                                for by, word in (('filename', 'FILE'), ('lineno', 'LINE'), ('traceback', 'TRACEBACK')):
                                    lines(word, b.statistics(by))
                                    lines('D' + word, [s for s in b.compare_to(a, by) if s.size_diff or s.count_diff], True)
                                lines('C', c.statistics('lineno'))
                                """.formatted(folder)), StandardCharsets.UTF_8)
                .lines()
                .sorted()
                .toList();
        TracemallocSnapshot before = read(folder.resolve("a"));
        TracemallocSnapshot after = read(folder.resolve("b"));
        List<String> ours = new ArrayList<>();
        for (By by : By.values()) {
            for (Statistic each : after.top(by)) ours.add(line(by.name(), each));
            for (Difference each : after.since(before, by))
                ours.add(line("D" + by, new Statistic(each.place(), each.held(), each.blocks())) + " "
                        + each.grewBy().bytes() + " " + each.blocksMore().count());
        }
        for (Statistic each : read(folder.resolve("c")).top(By.LINE)) ours.add(line("C", each));
        assertEquals(python, ours.stream().sorted().toList());
        assertTrue(python.size() > 20, () -> python.size() + " lines");
        assertEquals(4, after.tracebackLimit());
        for (String line : after.shown()) assertTrue(line.length() <= 80, line);
        assertTrue(
                after.shownSince(before).get(2).strip().startsWith("+"),
                after.shownSince(before).toString());
    }

    private static String line(String word, Statistic each) {
        List<String> where = each.place().lines().stream()
                .map(line -> line.file() + ":" + line.line())
                .toList();
        return word + " " + each.held().bytes() + " " + each.blocks().count() + " " + String.join(" ", where);
    }
}
