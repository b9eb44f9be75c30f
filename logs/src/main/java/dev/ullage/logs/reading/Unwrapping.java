// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Joins the lines that a terminal broke at its width before somebody copied them.
///
/// ```
/// (EngineCore_DP0 pid=316) ERROR 09-28 15:47:24 [core.py:718] ValueError: Free mem
/// ory on device (31.44/47.38 GiB) on startup is less than desired GPU memory utili
/// zation (0.95, 45.01 GiB).
/// ```
/// The trouble is never to join two real lines: wrong numbers would come out. So a text counts as wrapped only when its
/// longest lines are exactly of one width, at least [#FEWEST] of them go on in a line that looks like no beginning,
/// they
/// are not all the same line with other numbers, and most of all lines of that width do. Tables have lines of one width
/// too, but the next line is another row, of the same width or with a border. Words kept whole at the break (editors
/// and
/// mailers do that) are left as they are: nothing tells them from real lines.
final class Unwrapping {
    static final int NARROWEST = 40;
    private static final int WIDEST = 400;
    private static final int FEWEST = 2;

    private Unwrapping() {}

    /// A line of a text in memory.
    record Line(String text, long number, long offset) {}

    /// The width at which the lines are broken; 0 when they are not.
    static int width(List<Line> lines) {
        int longest = 0;
        for (Line line : lines) longest = Math.max(longest, line.text().length());
        if (longest < NARROWEST || longest > WIDEST) return 0;
        int full = 0;
        int inWords = 0;
        int rowsOfOneWidth = 0;
        Set<String> different = new HashSet<>();
        List<Line> goesOn = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).text();
            if (text.length() != longest) continue;
            full++;
            if (i + 1 == lines.size() || Heads.isHead(lines.get(i + 1).text())) continue;
            String next = lines.get(i + 1).text();
            goesOn.add(lines.get(i));
            different.add(text.replaceAll("\\d", "0"));
            if (Character.isLetterOrDigit(text.charAt(longest - 1)) && Character.isLetterOrDigit(next.charAt(0)))
                inWords++;
            if (next.length() == longest) rowsOfOneWidth++;
        }
        if (goesOn.size() < FEWEST || different.size() < FEWEST || inWords == 0) return 0;
        if (goesOn.size() * 4 < full * 3) return 0;
        // A wrapped text has the ends of its lines, which are shorter; a table has none.
        if (goesOn.size() - rowsOfOneWidth == 0) return 0;
        return longest;
    }

    static List<Line> joined(List<Line> lines, int width) {
        List<Line> joined = new ArrayList<>(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            Line first = lines.get(i);
            StringBuilder text = new StringBuilder(first.text());
            while (lines.get(i).text().length() == width
                    && i + 1 < lines.size()
                    && text.length() < LogLine.LONGEST
                    && !Heads.isHead(lines.get(i + 1).text()))
                text.append(lines.get(++i).text());
            joined.add(new Line(text.toString(), first.number(), first.offset()));
        }
        return joined;
    }
}
