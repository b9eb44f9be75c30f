// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import java.util.regex.Pattern;

/// A piece of a page that is being written. Only [#raw] takes markup, and only ours: everything that may have come from
/// a host goes through [#text] or [#element] and is escaped there.
final class Html {
    /// A number with its unit, as the deciding one of a headline: `600.0 MiB`, `46 %`, `258,211/s`.
    private static final Pattern FIGURE =
            Pattern.compile("(?<![\\w/.:,-])-?\\d[\\d.,]*(?: (?:[KMGTPE]iB|B|%|ms|s|min|h|days)(?:/s)?|/s)(?![\\w/])");

    private final StringBuilder out = new StringBuilder();

    Html raw(String ours) {
        out.append(ours);
        return this;
    }

    Html text(String text) {
        out.append(escaped(text));
        return this;
    }

    /// `element("td class=num", "1.1 GiB")` is `<td class=num>1.1 GiB</td>`.
    Html element(String open, String text) {
        return open(open).text(text).close(open);
    }

    /// The same with the numbers that carry a unit set off.
    Html sentence(String open, String text) {
        return open(open).raw(withFigures(text)).close(open);
    }

    /// The same with each number kept on one line with its unit, and nothing set off.
    Html quietly(String open, String text) {
        return open(open)
                .raw(withFigures(text).replace("<b>", "").replace("</b>", ""))
                .close(open);
    }

    Html open(String open) {
        out.append('<').append(open).append('>');
        return this;
    }

    Html close(String open) {
        int space = open.indexOf(' ');
        out.append("</").append(space < 0 ? open : open.substring(0, space)).append('>');
        return this;
    }

    Html line() {
        out.append('\n');
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }

    private static String withFigures(String text) {
        StringBuilder marked = new StringBuilder();
        var figure = FIGURE.matcher(text);
        int from = 0;
        while (figure.find()) {
            marked.append(escaped(text.substring(from, figure.start())))
                    .append("<b>")
                    // A number and its unit stay on one line.
                    .append(escaped(figure.group()).replace(' ', '\u00a0'))
                    .append("</b>");
            from = figure.end();
        }
        return marked.append(escaped(text.substring(from))).toString();
    }

    /// Safe between tags and between quotes of either kind.
    static String escaped(String text) {
        return Visible.of(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
