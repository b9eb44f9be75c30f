// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A table of who holds most, 80 columns wide:
///
/// ```
///       held  share    count  where
///    2.0 GiB   34 %       12  …/vllm/worker/cache_engine.py:88 allocate
/// ```
public final class TopTable {
    private static final int WIDTH = 80;
    private static final int BEFORE_WHERE = 30;

    /// @param count 0 where it is not known
    public record Row(Bytes held, Count count, String where) {}

    private TopTable() {}

    /// @param whole what 100 % is; rows get no share of nothing
    public static List<String> lines(List<Row> rows, Bytes whole) {
        return lines(rows, whole, "held", "%.0f %%", "%s");
    }

    /// The same of differences: `+2.0 GiB`.
    public static List<String> differences(List<Row> rows, Bytes whole) {
        return lines(rows, whole, "grew by", "%+.0f %%", "+%s");
    }

    private static List<String> lines(List<Row> rows, Bytes whole, String title, String share, String positive) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%11s  %6s  %7s  %s", title, "share", "count", "where"));
        for (Row row : rows) {
            boolean more = row.held().bytes() > 0;
            String held = more
                    ? String.format(positive, row.held().shown())
                    : row.held().shown();
            String count = more && row.count().count() > 0
                    ? String.format(positive, short_(row.count().count()))
                    : short_(row.count().count());
            String part = whole.bytes() == 0
                    ? ""
                    : String.format(Locale.ROOT, share, 100.0 * row.held().bytes() / Math.abs(whole.bytes()));
            lines.add(String.format(Locale.ROOT, "%11s  %6s  %7s  %s", held, part, count, end(row.where())));
        }
        return lines;
    }

    private static String short_(long count) {
        if (count == 0) return "";
        long size = Math.abs(count);
        if (size < 1_000_000) return String.valueOf(count);
        return size < 1_000_000_000
                ? String.format(Locale.ROOT, "%.1f M", count / 1e6)
                : String.format(Locale.ROOT, "%.1f G", count / 1e9);
    }

    /// A line that belongs to the row above it: under its "where".
    public static String under(String text) {
        return " ".repeat(BEFORE_WHERE) + end(text);
    }

    /// The end of a path says more than its beginning.
    private static String end(String where) {
        String clean = clean(where);
        int room = WIDTH - BEFORE_WHERE;
        return clean.length() <= room ? clean : "…" + clean.substring(clean.length() - room + 1);
    }

    /// Text of a file as a terminal may get it: without what would steer it.
    public static String clean(String text) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), 4096));
        text.codePoints()
                .limit(4096)
                .forEach(code -> clean.appendCodePoint(
                        Character.isISOControl(code) || Character.getType(code) == Character.FORMAT ? '?' : code));
        return clean.toString();
    }
}
