// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.python;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import dev.ullage.measure.Reading;
import dev.ullage.modelfiles.TopTable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The table that guppy's `hpy().heap()` prints: objects by their type.
///
/// ```
/// Partition of a set of 30976 objects. Total size = 3544220 bytes.
///  Index  Count   %     Size   % Cumulative  % Kind (class / dict of class)
///      0   8292  27   739022  21    739022  21 str
/// ```
/// Mistake people make: looking for a tensor's memory here. Its object is 72 bytes; what it points to is not counted.
///
/// @param held by all objects that Python's garbage collector can reach
public record HeapyReport(Count objects, Bytes held, List<Kind> kinds) {
    /// @param kind `dict of module`, `types.CodeType`
    public record Kind(Count objects, Bytes held, String kind) {}

    private static final Pattern HEADER =
            Pattern.compile("Partition of a set of (\\d{1,15}) objects\\. Total size = (\\d{1,18}) bytes\\.");
    private static final Pattern ROW = Pattern.compile("\\s*\\d{1,6}\\s+(\\d{1,15})\\s+\\d{1,3}\\s+(\\d{1,18})"
            + "\\s+\\d{1,3}\\s+\\d{1,18}\\s+\\d{1,3}\\s(.{1,300})");
    private static final int MOST = 1000;
    private static final int SHOWN = 10;

    /// The last table of a text: of several, the one after the growth. Absent when there is none.
    public static Reading<HeapyReport> parse(String text) {
        Count objects = null;
        Bytes held = Bytes.NONE;
        List<Kind> kinds = new ArrayList<>();
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (line.length() > 500) continue;
            Matcher header = HEADER.matcher(line);
            if (header.find()) {
                objects = new Count(Long.parseLong(header.group(1)));
                held = new Bytes(Long.parseLong(header.group(2)));
                kinds.clear();
                continue;
            }
            Matcher row = ROW.matcher(line);
            if (objects != null && kinds.size() < MOST && row.matches())
                kinds.add(new Kind(
                        new Count(Long.parseLong(row.group(1))),
                        new Bytes(Long.parseLong(row.group(2))),
                        row.group(3).strip()));
        }
        return objects == null
                ? Reading.malformed("heapy", text, "\"Partition of a set of 30976 objects. Total size = …\"")
                : Reading.of(new HeapyReport(objects, held, List.copyOf(kinds)));
    }

    /// As text of 80 columns.
    public List<String> shown() {
        List<String> lines = new ArrayList<>();
        lines.add("Python holds " + held.shown() + " in " + objects.shown() + " objects (heapy)");
        lines.addAll(TopTable.lines(
                kinds.stream()
                        .limit(SHOWN)
                        .map(each -> new TopTable.Row(each.held(), each.objects(), each.kind()))
                        .toList(),
                held));
        return lines;
    }
}
