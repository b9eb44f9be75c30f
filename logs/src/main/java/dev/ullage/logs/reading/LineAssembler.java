// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Makes [LogLine]s of the lines of an input, in their order. One is mostly one; a line that an engine cut up is
/// several
/// to one, a message with newlines one to several.
public final class LineAssembler {
    /// Streams of which a cut line may be open at once; there are two of each engine.
    private static final int MOST_OPEN = 16;
    private static final int LONGEST_OBSERVED = 4096;

    private final String source;
    private final TimeLine times;
    private final Consumer<LogLine> sink;
    private final JournalExport export = new JournalExport();
    private final Map<String, Begun> begun = new HashMap<>();
    private final boolean hasSyslogEscapes;
    /// A state of a progress bar in a line so long that it comes in pieces.
    private Held held;

    private record Begun(StringBuilder content, long number, long offset, List<Stamp> stamps) {}

    private record Held(String text, long number, long offset) {}

    LineAssembler(String source, TimeLine times, boolean hasSyslogEscapes, Consumer<LogLine> sink) {
        this.source = source;
        this.times = times;
        this.hasSyslogEscapes = hasSyslogEscapes;
        this.sink = sink;
    }

    /// Makes the lines of one input, without any time: for whoever only asks what a line says.
    public static LineAssembler withoutTimes(Consumer<LogLine> sink) {
        return new LineAssembler("", null, false, sink);
    }

    /// Whether the next lines are needed to say what this one is.
    public boolean isWaiting() {
        return !begun.isEmpty() || export.isOpen();
    }

    /// Takes a line, or a piece of one that is too long.
    ///
    /// @param to behind its last byte, which is not the newline
    /// @param isOverwritten whether it is a piece that the next one was written over
    public void line(byte[] bytes, int from, int to, long number, long offset, boolean isOverwritten) {
        if (export.isOpen() || JournalExport.begins(bytes, from, to)) {
            export.take(bytes, from, to, number, offset).ifPresent(this::wrapped);
            return;
        }
        int end = to > from && bytes[to - 1] == '\r' && !isOverwritten ? to - 1 : to;
        text(new String(bytes, from, end - from, StandardCharsets.UTF_8), number, offset, isOverwritten, false);
    }

    /// The same of a line that is text already.
    void text(String line, long number, long offset, boolean isOverwritten, boolean isProse) {
        Optional<Wrapping> wrapping = isProse ? Optional.empty() : Wrapping.of(line);
        if (wrapping.isEmpty()) {
            plain(hasSyslogEscapes ? SyslogEscapes.undo(line) : line, number, offset, isOverwritten, isProse);
            return;
        }
        Wrapping wrapped = wrapping.get();
        Begun before = begun.get(wrapped.stream());
        if (wrapped.isWhole() && before == null) {
            wrapped(new JournalExport.Record(wrapped, number, offset));
            return;
        }
        if (before == null) {
            if (begun.size() >= MOST_OPEN) flush();
            before = new Begun(new StringBuilder(), number, offset, wrapped.stamps());
            begun.put(wrapped.stream(), before);
        }
        before.content.append(wrapped.content());
        if (wrapped.isWhole() || before.content.length() >= LogLine.LONGEST) finish(wrapped.stream());
    }

    private void plain(String line, long number, long offset, boolean isOverwritten, boolean isProse) {
        int start = 0;
        // what rsyslog wrote as #012
        for (int end = line.indexOf('\n'); end >= 0; end = line.indexOf('\n', start)) {
            said(line.substring(start, end), number, offset, List.of(), "", false, isProse);
            start = end + 1;
        }
        said(line.substring(start), number, offset, List.of(), "", isOverwritten, isProse);
    }

    private void finish(String stream) {
        Begun whole = begun.remove(stream);
        String content = whole.content.toString();
        if (content.length() > LogLine.LONGEST) content = content.substring(0, LogLine.LONGEST);
        wrapped(new JournalExport.Record(
                new Wrapping(stream, true, whole.stamps, "", content), whole.number, whole.offset));
    }

    private void wrapped(JournalExport.Record it) {
        Wrapping wrapping = it.wrapping();
        String content = wrapping.content();
        for (int start = 0; start <= content.length(); ) {
            int end = content.indexOf('\n', start);
            if (end < 0) end = content.length();
            int textEnd = end > start && content.charAt(end - 1) == '\r' ? end - 1 : end;
            said(
                    content.substring(start, textEnd),
                    it.number(),
                    it.offset(),
                    wrapping.stamps(),
                    wrapping.worker(),
                    false,
                    false);
            start = end + 1;
        }
    }

    private void said(
            String raw,
            long number,
            long offset,
            List<Stamp> stamps,
            String worker,
            boolean isOverwritten,
            boolean isProse) {
        List<String> states = Screen.states(raw);
        Held before = held;
        held = null;
        if (before != null && !(before.number == number && Screen.saysTheSame(before.text, states.getFirst())))
            made(before.text, before.number, before.offset, List.of(), "", false);
        for (int i = 0; i < states.size(); i++) {
            if (isOverwritten && i == states.size() - 1) held = new Held(states.get(i), number, offset);
            else made(states.get(i), number, offset, stamps, worker, isProse);
        }
    }

    private void made(String state, long number, long offset, List<Stamp> outer, String worker, boolean isProse) {
        if (isProse) {
            sink.accept(new LogLine(source, number, offset, Optional.empty(), Optional.empty(), "", state, true));
            return;
        }
        Prefixes.Peeled peeled = Prefixes.peel(state);
        List<Stamp> stamps = peeled.stamps();
        if (!outer.isEmpty()) {
            stamps = new ArrayList<>(outer);
            stamps.addAll(peeled.stamps());
        }
        Optional<Instant> time = times == null ? Optional.empty() : times.resolve(stamps);
        String who = worker.isEmpty() || peeled.worker().isEmpty()
                ? worker + peeled.worker()
                : worker.equals(peeled.worker()) ? worker : worker + " / " + peeled.worker();
        sink.accept(new LogLine(source, number, offset, time, TimeLine.clock(stamps), who, peeled.text(), false));
    }

    /// Looks at the first line of a block for its time only, so that days and years are counted across what is not
    /// made.
    public void observe(Block block) {
        int end = block.endOfLine(0);
        if (end > LONGEST_OBSERVED) return;
        String line = new String(block.bytes(), 0, end, StandardCharsets.UTF_8);
        Optional<Wrapping> wrapping = Wrapping.of(line);
        List<Stamp> stamps = new ArrayList<>(wrapping.map(Wrapping::stamps).orElse(List.of()));
        String content = wrapping.map(Wrapping::content).orElse(line);
        stamps.addAll(Prefixes.peel(Screen.states(content).getLast()).stamps());
        times.resolve(stamps);
    }

    /// Says what is still open: at the end of the input, or before lines are left out.
    public void flush() {
        for (String stream : List.copyOf(begun.keySet())) finish(stream);
        export.end().ifPresent(this::wrapped);
        if (held != null) made(held.text, held.number, held.offset, List.of(), "", false);
        held = null;
    }
}
