// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import dev.ullage.measure.Reading;
import dev.ullage.modelfiles.TopTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text that `memray stats` or `memray summary` prints (`memray table` writes HTML, which is not read).
///
/// ```
/// 📦 Total memory allocated:
///         12.825GB
/// 📈 Peak memory usage:
///         4.169GB
/// 🥇 Top 5 largest allocating locations (by size):
///         - load:/app/loader.py:61 -> 3.252GB
/// ```
/// Mistake people make: taking "total memory allocated" for what is held. It is everything ever allocated; only the
/// peak
/// (printed since memray 1.6) is comparable with RSS.
///
/// Units: memray counts by 1024 and says KB, or, in later versions, by 1000 and says kB; MB and GB look alike. A report
/// with a "kB" in it is read by 1000, every other by 1024, which is at most 7 % too much for GB.
///
/// @param total ever allocated
/// @param peak held at once, at most
public record MemrayReport(
        Reading<Bytes> total, Reading<Bytes> peak, Reading<Count> allocations, List<AllocatedLocation> largest) {
    private static final Pattern LOCATION = Pattern.compile("^- (.{1,1000}) -> ([0-9.]{1,20}[kKMGTP]?B)$");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,6})?)([kKMGTP]?)B");
    private static final int MOST = 1000;
    private static final int SHOWN = 10;

    /// Absent when the text has no such report.
    public static Reading<MemrayReport> parse(String text) {
        boolean thousands = Pattern.compile("[0-9]kB").matcher(text).find();
        Reading<Bytes> total = none("Total memory allocated");
        Reading<Bytes> peak = none("Peak memory usage");
        Reading<Count> allocations =
                Reading.absent("memray", AbsentCause.NOT_RECORDED, "the report has no \"Total allocations\"");
        List<AllocatedLocation> largest = new ArrayList<>();
        boolean bySize = false;
        String title = "";
        for (String raw : (Iterable<String>) text.lines()::iterator) {
            String line = raw.length() > 1200 ? "" : raw.strip();
            if (line.endsWith(":") && line.length() < 100) {
                title = line;
                bySize = line.contains("largest allocating locations (by size)");
            } else if (title.endsWith("Total memory allocated:")) {
                if (size(line, thousands) instanceof Bytes bytes) total = Reading.of(bytes);
            } else if (title.endsWith("Peak memory usage:")) {
                if (size(line, thousands) instanceof Bytes bytes) peak = Reading.of(bytes);
            } else if (title.endsWith("Total allocations:") && line.matches("\\d{1,15}")) {
                allocations = Reading.of(new Count(Long.parseLong(line)));
            } else if (bySize && largest.size() < MOST) {
                Matcher location = LOCATION.matcher(line);
                if (location.matches() && size(location.group(2), thousands) instanceof Bytes bytes)
                    largest.add(new AllocatedLocation(location.group(1), bytes));
            } else if (line.startsWith("│") && largest.size() < MOST) {
                summaryRow(line, thousands, largest);
            }
        }
        if (!total.isPresent() && !peak.isPresent() && largest.isEmpty())
            return Reading.malformed("memray", text, "what \"memray stats\" or \"memray summary\" prints");
        largest.sort(Comparator.comparing(AllocatedLocation::allocated).reversed());
        return Reading.of(new MemrayReport(total, peak, allocations, List.copyOf(largest)));
    }

    /// `│ load at /app/loader.py │ 81.602MB │ 100.00% │ 12.000MB │ 14.71% │ 1022 │`: total, then own memory. Own is
    /// what
    /// counts here: a total contains that of all it called.
    private static void summaryRow(String line, boolean thousands, List<AllocatedLocation> rows) {
        String[] cells = line.split("│", 9);
        if (cells.length < 7 || cells[1].isBlank()) return;
        if (size(cells[4].strip(), thousands) instanceof Bytes own)
            rows.add(new AllocatedLocation(cells[1].strip(), own));
    }

    private static Bytes size(String text, boolean thousands) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) return null;
        int power = size.group(2).isEmpty()
                ? 0
                : "KMGTP".indexOf(Character.toUpperCase(size.group(2).charAt(0))) + 1;
        return new Bytes(Math.round(Double.parseDouble(size.group(1)) * Math.pow(thousands ? 1000 : 1024, power)));
    }

    private static Reading<Bytes> none(String title) {
        return Reading.absent("memray", AbsentCause.NOT_RECORDED, "the report has no \"" + title + '"');
    }

    /// As text of 80 columns.
    public List<String> shown() {
        List<String> lines = new ArrayList<>();
        lines.add("Python (memray): peak " + peak.map(Bytes::shown).orElse("not told") + ", ever allocated "
                + total.map(Bytes::shown).orElse("not told"));
        lines.addAll(TopTable.lines(
                largest.stream()
                        .limit(SHOWN)
                        .map(each -> new TopTable.Row(each.allocated(), new Count(0), each.where()))
                        .toList(),
                total.orElse(Bytes.NONE)));
        return lines;
    }
}
