// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Seconds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The kernel's ring buffer: the only place that says why a process was killed and which disk refused a read.
/// Source: Documentation/ABI/testing/dev-kmsg.
///
/// ```
/// 6,391,1213544022,-;memory: usage 65536kB, limit 65536kB, failcnt 87
/// 5,345,1282339,-;virtio_blk virtio1: [vda] new size: 536870912 512-byte logical blocks
///  SUBSYSTEM=virtio
///  DEVICE=+virtio:virtio1
/// ```
/// Captures hold the same as `dmesg`, syslog or the journal write it; [LogLine] reads all of these.
///
/// Mistake people make: taking silence for health. The buffer is a ring: what it says begins at [#reachesBackTo()].
/// Its clock is the scheduler's and stands still while the machine sleeps, as CLOCK_MONOTONIC does.
///
/// @param entries from the oldest to the newest; a record of several lines is several entries of the same time
public record KernelLog(List<Entry> entries) {
    /// A ring buffer of 1 MiB holds about 10,000 lines. Of longer logs the end is kept: the newest failure counts.
    static final int MOST_ENTRIES = 20_000;

    /// The kernel cuts a record at 1,024 bytes; what is longer did not come from it.
    static final int LONGEST_ENTRY = 2_048;

    /// The same with every byte escaped (`\x0a`), and the prefix.
    private static final int LONGEST_LINE = 4 * LONGEST_ENTRY + 256;

    public static final Fact<Host, KernelLog> FACT = new Fact<>(
            "kernel log",
            "/dev/kmsg",
            Cadence.END,
            "run as root, or pass the log with `ullage explain`",
            (root, _) -> root.ask(Call.KERNEL_LOG, "-").flatMap(KernelLog::parse));

    /// One line the kernel said.
    ///
    /// @param sinceBoot empty where the log tells the wall clock only, or no time at all
    /// @param text without any prefix and without blanks at its ends
    public record Entry(Optional<Seconds> sinceBoot, String text) {}

    public static Reading<KernelLog> parse(String text) {
        // `dmesg > file` without the right to read it: stderr is often in the file, the log is not.
        if (text.startsWith("dmesg: ") && text.strip().lines().count() == 1)
            return Reading.absent("/dev/kmsg", AbsentCause.NO_PERMISSION, text.strip());
        ArrayDeque<Entry> entries = new ArrayDeque<>();
        LogLine before = LogLine.NONE;
        for (int start = 0; start < text.length(); ) {
            int end = text.indexOf('\n', start);
            if (end < 0) end = text.length();
            LogLine line = LogLine.parse(text.substring(start, Math.min(end, start + LONGEST_LINE)));
            start = end + 1;
            // " DEVICE=b8:0" below a record of /dev/kmsg: a property of it, not said by the kernel's code.
            if (line.isIndented() && before.form() == LogLine.Form.KMSG) continue;
            // dmesg indents the further lines of a record and gives them no time of their own.
            if (line.isIndented()) line = line.at(before.sinceBoot());
            add(entries, line);
            before = line;
        }
        List<Entry> ended = new ArrayList<>(entries.size());
        for (Entry entry : entries)
            ended.add(new Entry(entry.sinceBoot(), entry.text().stripTrailing()));
        return Reading.of(new KernelLog(List.copyOf(ended)));
    }

    private static void add(ArrayDeque<Entry> entries, LogLine line) {
        String text = line.text();
        if (line.continues() && !entries.isEmpty()) {
            Entry begun = entries.removeLast();
            entries.add(new Entry(begun.sinceBoot(), cut(begun.text() + text)));
            return;
        }
        for (int start = 0; start < text.length(); ) {
            int end = text.indexOf('\n', start);
            if (end < 0) end = text.length();
            // Blanks at the end stay until all is read: "Task in " may go on in the next record.
            String part = text.substring(start, end).stripLeading();
            start = end + 1;
            if (part.isEmpty()) continue;
            if (entries.size() == MOST_ENTRIES) entries.removeFirst();
            entries.add(new Entry(line.sinceBoot(), cut(part)));
        }
    }

    private static String cut(String text) {
        return text.length() > LONGEST_ENTRY ? text.substring(0, LONGEST_ENTRY) : text;
    }

    /// When the oldest entry that has a time was written: before that, this log knows nothing.
    public Optional<Seconds> reachesBackTo() {
        return entries.stream().flatMap(entry -> entry.sinceBoot().stream()).findFirst();
    }
}
