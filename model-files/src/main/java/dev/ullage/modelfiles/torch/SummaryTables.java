// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.torch;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import dev.ullage.measure.Reading;
import dev.ullage.modelfiles.torch.MemorySummary.Metric;
import dev.ullage.modelfiles.torch.MemorySummary.Row;
import dev.ullage.modelfiles.torch.MemorySummary.Usage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads memory_summary tables by their cells, not their lines: loggers put prefixes before lines, and some print the
/// whole table in one.
final class SummaryTables {
    private static final Pattern HEADER = Pattern.compile("memory summary, device ID (\\d{1,4})");
    private static final Pattern OOMS = Pattern.compile("OOMs: {1,20}(\\d{1,15})");
    private static final Pattern RETRIES = Pattern.compile("retries: {1,20}(\\d{1,15})");
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}) {1,4}(B|[KMGTP]i?B)");
    private static final int MOST_TABLES = 64;

    private final String[] cells;
    private final List<MemorySummary> tables = new ArrayList<>();

    SummaryTables(String text) {
        cells = text.split("[|\n]", -1);
    }

    List<MemorySummary> read() {
        for (int i = 0; i < cells.length && tables.size() < MOST_TABLES; i++) {
            Matcher header = HEADER.matcher(shortened(cells[i]));
            if (header.find()) i = table(Integer.parseInt(header.group(1)), i + 1) - 1;
        }
        return List.copyOf(tables);
    }

    /// Reads a table from the cell after its header; the cell where the next begins.
    private int table(int device, int from) {
        long ooms = 0;
        long retries = 0;
        EnumMap<Metric, Row> rows = new EnumMap<>(Metric.class);
        Metric metric = null;
        int i = from;
        for (; i < cells.length; i++) {
            String cell = shortened(cells[i]).strip();
            if (HEADER.matcher(cell).find()) break;
            ooms = number(OOMS, cell, ooms);
            retries = number(RETRIES, cell, retries);
            Metric named = MemorySummary.metric(cell);
            boolean large = cell.equals("from large pool");
            boolean small = cell.equals("from small pool");
            if (named == null && !large && !small) {
                // Counts of allocations follow: their pools are not those of the last row of bytes.
                if (cell.length() > 4 && Character.isLetter(cell.charAt(0)) && !cell.startsWith("Cur ")) metric = null;
                continue;
            }
            Usage usage = usage(i + 1);
            if (usage == null) continue;
            if (named != null) {
                metric = named;
                rows.put(metric, new Row(usage, noPools(), noPools()));
            } else if (metric != null) {
                Row row = rows.get(metric);
                rows.put(
                        metric,
                        large
                                ? new Row(row.all(), Reading.of(usage), row.small())
                                : new Row(row.all(), row.large(), Reading.of(usage)));
            }
            i += 4;
        }
        if (!rows.isEmpty())
            tables.add(new MemorySummary(device, new Count(ooms), new Count(retries), MemorySummary.rows(rows)));
        return i;
    }

    private Usage usage(int at) {
        if (at + 4 > cells.length) return null;
        Bytes[] four = new Bytes[4];
        for (int i = 0; i < 4; i++) {
            Matcher size = SIZE.matcher(shortened(cells[at + i]).strip());
            if (!size.matches()) return null;
            four[i] = new Bytes(saturated(Long.parseLong(size.group(1)), size.group(2)));
        }
        return new Usage(four[0], four[1], four[2], four[3]);
    }

    private static long saturated(long number, String unit) {
        int shift = 10 * "BKMGTP".indexOf(unit.charAt(0));
        return number > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : number << shift;
    }

    private static long number(Pattern pattern, String cell, long otherwise) {
        Matcher matcher = pattern.matcher(cell);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : otherwise;
    }

    private static Reading<Usage> noPools() {
        return Reading.absent("memory_summary", AbsentCause.NOT_RECORDED, "printed with abbreviated=True");
    }

    /// A cell is 75 characters at most; what is longer is no cell, and only its end can hold a header.
    private static String shortened(String cell) {
        return cell.length() <= 256 ? cell : cell.substring(cell.length() - 256);
    }
}
