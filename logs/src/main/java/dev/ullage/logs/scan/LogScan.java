// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.scan;

import dev.ullage.logs.reading.Block;
import dev.ullage.logs.reading.LineAssembler;
import dev.ullage.logs.reading.LogInput;
import dev.ullage.logs.reading.LogLine;
import dev.ullage.logs.reading.LogSource;
import dev.ullage.logs.reading.ReadOptions;
import dev.ullage.logs.reading.ReadSummary;
import dev.ullage.logs.reading.Refused;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Finds the lines of an input in which patterns are found, and a few lines around each, as fast as it can be read.
///
/// What comes out is what making every line and trying every pattern on it would give, in the same order, but for lines
/// that are neither found nor near one. The bytes of a big input are searched on all processors, a MiB at a time, ahead
/// of the lines being made on the calling thread; the memory used does not depend on the input. Small inputs and those
/// whose lines say nothing by themselves are read line by line ([LogInput#needsEveryLine]); no line of them is left
/// out.
///
/// ```
/// try (LogScan scan = new LogScan(PatternSet.of(patterns), 20, 50)) {
///     ReadSummary summary = scan.over(LogSource.file(path), options, (line, found) -> …);
/// }
/// ```
public final class LogScan implements AutoCloseable {
    /// A cut line goes on within as many lines as this, or not at all.
    private static final int MOST_WAITING = 1000;

    private final PatternSet patterns;
    private final int before;
    private final int after;
    private final int processors = Runtime.getRuntime().availableProcessors();
    private final ExecutorService searchers = Executors.newFixedThreadPool(processors, task -> {
        Thread thread = new Thread(task, "log-search");
        thread.setDaemon(true);
        return thread;
    });

    /// Takes the lines.
    @FunctionalInterface
    public interface Sink {
        /// @param found the places, in the pattern set, of the patterns that are found in it; none for a neighbour
        void line(LogLine line, int[] found);
    }

    /// @param before how many lines before a found one come too, within the same MiB or the one before
    /// @param after how many behind it, at least one
    public LogScan(PatternSet patterns, int before, int after) {
        this.patterns = patterns;
        this.before = before;
        this.after = Math.max(1, after);
    }

    /// Reads one input. The sink is called on this thread.
    ///
    /// @throws Refused when it cannot be read, or is no text
    public ReadSummary over(LogSource source, ReadOptions options, Sink sink) throws Refused {
        try (LogInput input = LogInput.open(source, options)) {
            if (input.needsEveryLine()) input.everyLine(line -> sink.line(line, patterns.in(line.text())));
            else new Run(input, sink).run();
            return input.summary();
        }
    }

    @Override
    public void close() {
        searchers.shutdownNow();
    }

    private record Searched(Block block, Future<Candidates.Found> found) {}

    /// One input, block by block.
    private final class Run {
        private final LogInput input;
        private final LineAssembler lines;
        private final ArrayDeque<Searched> ahead = new ArrayDeque<>();
        private int afterLeft;
        private int waited;

        /// The block before the one at hand, for the lines before its first candidate.
        private Block previous;

        private int previousNewlines;
        private int previousMade;

        Run(LogInput input, Sink sink) {
            this.input = input;
            this.lines = input.assembler(line -> sink.line(line, patterns.in(line.text())));
        }

        void run() {
            boolean more = true;
            while (more || !ahead.isEmpty()) {
                while (more && ahead.size() <= processors) {
                    Block block = input.nextBlock();
                    more = block != null;
                    if (more) ahead.add(new Searched(block, searchers.submit(() -> Candidates.in(block, patterns))));
                }
                if (ahead.isEmpty()) break;
                Searched next = ahead.remove();
                block(next.block(), found(next));
            }
            if (previous != null) input.done(previous, previousNewlines);
            lines.flush();
        }

        private static Candidates.Found found(Searched searched) {
            try {
                return searched.found().get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Error error) throw error;
                throw new IllegalStateException("searching a block failed", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while a log was searched", e);
            }
        }

        private void block(Block block, Candidates.Found found) {
            lines.observe(block);
            long linesOfPrevious = previous == null ? 0 : previous.linesBefore(previous.length(), previousNewlines);
            long first = input.linesDone() + linesOfPrevious;
            int made = 0;
            int madeNewlines = 0;
            for (int i = 0; i <= found.starts().length; i++) {
                int start = i < found.starts().length ? found.starts()[i] : block.length();
                int newlines = i < found.starts().length ? found.newlinesBefore()[i] : found.newlines();
                // what is still wanted behind the candidate before
                while (made < start && isWanted()) {
                    made = make(block, made, first, madeNewlines++);
                    afterLeft--;
                }
                if (i == found.starts().length) break;
                if (start < made) continue;
                int begin = start;
                int back = 0;
                while (back < before && begin > made) {
                    begin = block.startBefore(begin);
                    back++;
                }
                if (begin > made || made == 0 && !isOpenAt(made)) lines.flush();
                if (begin == 0 && made == 0) fromPrevious(before - back);
                made = begin;
                madeNewlines = newlines - back;
                while (made <= start) made = make(block, made, first, madeNewlines++);
                afterLeft = after;
                waited = 0;
            }
            if (previous != null) input.done(previous, previousNewlines);
            previous = block;
            previousNewlines = found.newlines();
            previousMade = made;
        }

        private boolean isWanted() {
            return afterLeft > 0 || lines.isWaiting() && waited++ < MOST_WAITING;
        }

        private boolean isOpenAt(int made) {
            return previous != null && previousMade == previous.length() && made == 0;
        }

        /// The last lines of the block before, if they were not made.
        private void fromPrevious(int most) {
            if (previous == null) return;
            int begin = previous.length();
            int back = 0;
            while (back < most && begin > previousMade) {
                begin = previous.startBefore(begin);
                back++;
            }
            if (begin > previousMade) lines.flush();
            int newlines = previousNewlines - back;
            while (begin < previous.length()) begin = make(previous, begin, input.linesDone(), newlines++);
        }

        /// @return where the next line begins
        private int make(Block block, int start, long linesBefore, int newlines) {
            int end = block.endOfLine(start);
            long number = linesBefore + block.linesBefore(start, newlines) + 1;
            lines.line(block.bytes(), start, end, number, block.offsetOf(start), block.isOverwritten(end));
            return end + 1;
        }
    }
}
