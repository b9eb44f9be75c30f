// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A small text that may have gone through a terminal, a clipboard and an issue before it came here: with ``` around
/// what programs said and prose around that, with lines broken at the terminal's width, with colours that lost their
/// escape character.
final class Pasted {
    private static final Pattern FENCE = Pattern.compile(" {0,3}(?:```|~~~).*");
    /// What is left of `ESC[1;36m`. `[5m]` is five minutes of PromQL: only in lines that also end a colour.
    private static final Pattern BARE_COLOUR = Pattern.compile("\\[(?:\\d{1,3}(?:;\\d{1,3}){0,4})?m");

    private static final Pattern ENDS_COLOUR = Pattern.compile("\\[(?:0|0;0)?m");
    /// More lines than anybody pastes.
    private static final int MOST_LINES = 50_000;

    private final List<String> notes = new ArrayList<>();
    private final LineAssembler sink;

    Pasted(LineAssembler sink) {
        this.sink = sink;
    }

    List<String> notes() {
        return notes;
    }

    /// Reads it, unless it has so many lines that nobody pasted it.
    ///
    /// @return whether it was read
    boolean read(List<Unwrapping.Line> lines) {
        if (lines.size() > MOST_LINES) return false;
        List<Unwrapping.Line> plain = lines.stream().map(Pasted::withoutColours).toList();
        if (isIssue(plain)) issue(plain);
        else programs(plain);
        return true;
    }

    private static Unwrapping.Line withoutColours(Unwrapping.Line line) {
        if (line.text().indexOf("m") < 0
                || line.text().indexOf(0x1b) >= 0
                || !ENDS_COLOUR.matcher(line.text()).find()) return line;
        return new Unwrapping.Line(BARE_COLOUR.matcher(line.text()).replaceAll(""), line.number(), line.offset());
    }

    /// Whether there are fences, and prose around them. A server that logs its prompts has fences too, in the middle of
    /// lines that programs wrote.
    private static boolean isIssue(List<Unwrapping.Line> lines) {
        boolean inside = false;
        int fences = 0;
        int outside = 0;
        int byPrograms = 0;
        for (Unwrapping.Line line : lines) {
            if (FENCE.matcher(line.text()).matches()) {
                inside = !inside;
                fences++;
            } else if (!inside && !line.text().isBlank()) {
                outside++;
                if (Heads.isProgramLine(line.text())) byPrograms++;
            }
        }
        return fences > 0 && byPrograms * 2 <= outside;
    }

    private void issue(List<Unwrapping.Line> lines) {
        notes.add("has ``` fences: what stands outside of them is taken for prose");
        List<Unwrapping.Line> fenced = new ArrayList<>();
        boolean inside = false;
        for (Unwrapping.Line line : lines) {
            if (FENCE.matcher(line.text()).matches()) {
                programs(fenced);
                fenced.clear();
                inside = !inside;
            } else if (inside) {
                fenced.add(line);
            } else {
                sink.text(line.text(), line.number(), line.offset(), false, true);
            }
        }
        programs(fenced);
    }

    private void programs(List<Unwrapping.Line> lines) {
        int width = Unwrapping.width(lines);
        if (width > 0) notes.add("lines that were broken at " + width + " columns are joined");
        for (Unwrapping.Line line : width > 0 ? Unwrapping.joined(lines, width) : lines)
            sink.text(line.text(), line.number(), line.offset(), false, false);
    }
}
