// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import dev.ullage.logs.packing.CannotUnpack;
import dev.ullage.logs.packing.UnpackedStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// An input that was opened: unpacked, known to be text, turned into UTF-8, ready to be read once.
///
/// Most want [#everyLine]. Who looks for something in a big one takes its blocks ([#nextBlock]), finds the lines in
/// their bytes, and has only those made into [LogLine]s ([#assembler]); the package `scan` does.
///
/// ```
/// try (LogInput input = LogInput.open(LogSource.file(path), options)) {
///     input.everyLine(line -> …);
///     ReadSummary summary = input.summary();
/// }
/// ```
public final class LogInput implements AutoCloseable {
    /// Under it a text is taken as a whole: for broken lines and fences.
    public static final int SMALL = 1 << 20;

    private static final int HEAD = 4096;
    private static final int TAIL = 1 << 16;
    private static final int LAST_LINES = 50;

    private final LogSource source;
    private final ReadOptions options;
    private final UnpackedStream unpacked;
    private final boolean isUtf16;
    private final byte[] first;
    private final boolean isSmall;
    private final BlockReader blocks;
    private final TimeLine times;
    private final List<String> notes = new ArrayList<>();
    private long bytes;
    private long lines;
    private boolean isStopped;

    private LogInput(LogSource source, ReadOptions options, UnpackedStream unpacked, boolean isUtf16, InputStream text)
            throws IOException {
        this.source = source;
        this.options = options;
        this.unpacked = unpacked;
        this.isUtf16 = isUtf16;
        this.first = text.readNBytes(SMALL);
        this.isSmall = first.length < SMALL;
        this.blocks = new BlockReader(new SequenceInputStream(new ByteArrayInputStream(first), text));
        this.times = new TimeLine(source.lastWritten(), options.now(), options.zone());
        if (!isUtf16 && unpacked.packings().isEmpty()) times.endsWith(lastStamps(source.tail(TAIL)));
    }

    /// @throws Refused when it cannot be read, or is no text
    public static LogInput open(LogSource source, ReadOptions options) throws Refused {
        try {
            UnpackedStream unpacked = UnpackedStream.of(source.open(), options.unpackers());
            byte[] head = unpacked.readNBytes(HEAD);
            InputStream text = new SequenceInputStream(new ByteArrayInputStream(head), unpacked);
            Utf16.Order order = Utf16.of(head, head.length);
            if (order != Utf16.Order.NONE) {
                text = new Utf16(text, order);
                head = text.readNBytes(HEAD);
                text = new SequenceInputStream(new ByteArrayInputStream(head), text);
            }
            Optional<String> why = NotText.why(head, head.length);
            if (why.isPresent()) {
                unpacked.close();
                throw new Refused(unpacked.packings().isEmpty() ? why.get() : why.get() + " (unpacked)");
            }
            return new LogInput(source, options, unpacked, order != Utf16.Order.NONE, text);
        } catch (CannotUnpack e) {
            throw new Refused(e.getMessage());
        } catch (Refused e) {
            throw e;
        } catch (IOException e) {
            throw new Refused("cannot be read: " + e.getMessage());
        }
    }

    /// Whether every line must be made, because what a line says depends on those before it in ways that its bytes do
    /// not show: small inputs, the journal's records, what rsyslog escaped.
    public boolean needsEveryLine() {
        return isSmall || JournalExport.begins(first, 0, first.length) || hasSyslogEscapes();
    }

    private boolean hasSyslogEscapes() {
        return new String(first, StandardCharsets.ISO_8859_1).contains(SyslogEscapes.SIGN);
    }

    /// Makes all lines, in order.
    public void everyLine(Consumer<LogLine> sink) {
        LineAssembler assembler = assembler(sink);
        if (isSmall && pasted(assembler)) return;
        for (Block block = nextBlock(); block != null; block = nextBlock()) {
            int newlines = 0;
            for (int start = 0; start < block.length(); newlines++) {
                int end = block.endOfLine(start);
                long number = lines + block.linesBefore(start, newlines) + 1;
                assembler.line(block.bytes(), start, end, number, block.offsetOf(start), block.isOverwritten(end));
                start = end + 1;
            }
            done(block, newlines);
        }
        assembler.flush();
    }

    /// @return whether there was anything about it that needs the whole text
    private boolean pasted(LineAssembler assembler) {
        String text = new String(first, StandardCharsets.UTF_8);
        if (JournalExport.begins(first, 0, first.length) || text.isEmpty()) return false;
        int start = text.charAt(0) == '\uFEFF' ? 1 : 0;
        List<Unwrapping.Line> whole = new ArrayList<>();
        long offset = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            if (end < 0) end = text.length();
            // What is broken or cut into pieces elsewhere is no paste.
            if (end - start > LogLine.LONGEST / 4) return false;
            String line = text.substring(start, end);
            whole.add(new Unwrapping.Line(
                    line.endsWith("\r") ? line.substring(0, line.length() - 1) : line, whole.size() + 1, offset));
            offset += line.getBytes(StandardCharsets.UTF_8).length + 1;
            start = end + 1;
        }
        Pasted pasted = new Pasted(assembler);
        if (!pasted.read(whole)) return false;
        assembler.flush();
        notes.addAll(pasted.notes());
        bytes = first.length;
        lines = whole.size();
        return true;
    }

    /// What makes lines of the bytes of blocks.
    public LineAssembler assembler(Consumer<LogLine> sink) {
        return new LineAssembler(source.name(), times, hasSyslogEscapes(), sink);
    }

    /// The next MiB; to be given back with [#done] in the order they came.
    ///
    /// @return null at the end, or when the progress said so
    public Block nextBlock() {
        if (isStopped) return null;
        try {
            Block block = blocks.next();
            if (block == null) return null;
            if (bytes == 0 && startsWithMark(block)) Arrays.fill(block.bytes(), 0, 3, (byte) 0);
            bytes += block.length();
            isStopped = !options.progress().at(unpacked.packedCount(), bytes);
            return block;
        } catch (IOException e) {
            notes.add("reading failed after " + bytes + " bytes: " + e.getMessage());
            isStopped = true;
            return null;
        }
    }

    /// The byte order mark of UTF-8; as zeros it is taken off like any other.
    private static boolean startsWithMark(Block block) {
        byte[] b = block.bytes();
        return block.length() > 3 && b[0] == (byte) 0xef && b[1] == (byte) 0xbb && b[2] == (byte) 0xbf;
    }

    /// Takes a block back, whose bytes must not be used any more.
    ///
    /// @param newlines how many newline bytes it has
    public void done(Block block, int newlines) {
        lines += block.linesBefore(block.length(), newlines);
        blocks.recycle(block);
    }

    /// How many lines of the input the blocks had that were done.
    public long linesDone() {
        return lines;
    }

    /// What became of it, after it was read.
    public ReadSummary summary() {
        List<String> all = new ArrayList<>(notes);
        for (var packing : unpacked.packings()) all.add("was unpacked (" + packing.word() + ")");
        if (isUtf16) all.add("is UTF-16");
        unpacked.loss()
                .ifPresent(loss -> all.add("what comes after byte " + loss.offset() + " of the text (byte "
                        + loss.packedOffset() + " of the file) is lost: " + loss.why()));
        if (isStopped) all.add("was read up to byte " + bytes + " only");
        if (blocks.longLines() > 0)
            all.add(blocks.longLines()
                    + " times a line was longer than 64 KiB and was cut; what lies across a cut is not seen");
        all.addAll(times.guesses());
        return new ReadSummary(
                source.name(), bytes, lines, !isStopped && unpacked.loss().isEmpty(), List.copyOf(all));
    }

    private static List<Stamp> lastStamps(byte[] tail) {
        String[] last = new String(tail, StandardCharsets.UTF_8).split("\n", -1);
        for (int i = last.length - 1; i >= Math.max(0, last.length - LAST_LINES); i--) {
            String line = last[i].length() > LogLine.LONGEST / 4 ? "" : last[i];
            Optional<Wrapping> wrapping = Wrapping.of(line);
            if (wrapping.isPresent()) return wrapping.get().stamps();
            List<Stamp> stamps = Prefixes.peel(Screen.states(line).getLast()).stamps();
            if (!stamps.isEmpty()) return stamps;
        }
        return List.of();
    }

    @Override
    public void close() {
        try {
            unpacked.close();
        } catch (IOException e) {
            // Everything we wanted of it has been read.
            return;
        }
    }
}
