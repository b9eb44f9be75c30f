// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Finding;
import dev.ullage.host.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/// The report as one page for a browser: verdict, evidence, cures, where the memory went, what the counters did.
///
/// One file that asks the network for nothing: style, script and data stand in it, and its policy forbids everything
/// else. Without JavaScript it lacks the lines and the copy buttons; their numbers stand in tables.
public final class HtmlReport {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    private HtmlReport() {}

    /// @param version of this Ullage
    public static String of(Diagnosis diagnosis, String version) {
        Inlined style = Inlined.of("uPlot.min.css", "page.css");
        Inlined script = Inlined.of("uPlot.iife.min.js", "page.js");
        HtmlCourses courses = HtmlCourses.of(diagnosis.evidence());
        String title = diagnosis.status().word() + ": " + diagnosis.headline() + " — " + diagnosis.subjectName();
        Html page = new Html()
                .raw("<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n")
                .raw("<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; script-src "
                        + script.source() + "; style-src " + style.source()
                        + "; base-uri 'none'; form-action 'none'\">\n")
                .raw("<meta name=viewport content=\"width=device-width, initial-scale=1\">\n")
                .raw("<meta name=color-scheme content=\"light dark\">\n<meta name=referrer content=no-referrer>\n")
                .element("title", title)
                // The licence of what is inlined goes with it.
                .raw("\n<!-- uPlot is in this page:\n"
                        + Inlined.read("uPlot-LICENSE").strip() + "\n-->\n")
                .raw("<style>" + style.text() + "</style>\n</head>\n<body>\n");
        header(page, diagnosis);
        page.raw("<main>\n");
        HtmlFindings.write(page, diagnosis);
        HtmlMemory.write(page, diagnosis.evidence());
        HtmlGpus.write(page, diagnosis.evidence());
        courses.write(page);
        HtmlTables.write(page, diagnosis);
        page.raw("</main>\n");
        footer(page, diagnosis, version);
        page.raw("<script type=application/json id=courses>" + courses.data() + "</script>\n");
        page.raw("<script>" + script.text() + "</script>\n</body>\n</html>\n");
        return page.toString();
    }

    private static void header(Html page, Diagnosis d) {
        String status = d.status().word();
        page.raw("<header>\n<p class=verdict><span class=\"status " + status + "\">" + status + "</span>");
        d.cause().ifPresent(cause -> page.raw(" <span class=cause>" + cause.word() + "</span>"));
        d.also().forEach(cause -> page.raw(" <span class=cause>also: " + cause.word() + "</span>"));
        page.raw("</p>\n").sentence("h1", d.headline()).line();
        if (!d.numbers().isEmpty())
            page.sentence("p class=numbers", d.numbers()).line();
        d.cause().ifPresent(cause -> page.quietly(
                        "p class=meaning", cause.meaning() + "; confidence " + Math.round(d.confidence() * 100) + " %")
                .line());
        page.raw("<p class=where>")
                .element("span", d.subjectName() + (d.subjectKind().equals("live") ? "" : ", " + d.subjectKind()))
                .raw(" <span>" + window(d) + "</span></p>\n");
        page.raw("<ul class=layers>\n");
        for (Diagnosis.LayerStatus layer : d.layers()) {
            String word = layer.status().word();
            page.raw("<li><span class=layer>" + layer.layer().shown() + "</span> <span class=\"status " + word + "\">"
                    + word + "</span> ");
            // The headline of the verdict need not be read twice.
            if (!layer.because().equals(d.headline())) page.quietly("span class=because", layer.because());
            page.raw("</li>\n");
        }
        page.raw("</ul>\n</header>\n");
    }

    /// `2026-03-01 10:00:00 to 10:00:03 UTC (3.0 s)`.
    static String window(Diagnosis d) {
        String from = time(d.evidence().from());
        String to = time(d.evidence().to());
        if (!d.evidence().hasWindow()) return from.isEmpty() ? "one instant" : from + " UTC, one instant";
        String length = d.evidence().window().shown();
        if (from.isEmpty()) return "a window of " + length;
        boolean sameDay = from.regionMatches(0, to, 0, 10);
        return from + " to " + (sameDay ? to.substring(11) : to) + " UTC (" + length + ")";
    }

    private static String time(Clock clock) {
        Instant last = Instant.parse("9999-12-31T00:00:00Z");
        return clock.wall().filter(at -> at.isBefore(last)).map(TIME::format).orElse("");
    }

    private static void footer(Html page, Diagnosis d, String version) {
        List<String> rules = d.findings().stream()
                .filter(Finding::isAlarm)
                .map(f -> f.rule().name())
                .distinct()
                .toList();
        page.raw("<footer>\n<p>");
        if (!rules.isEmpty()) {
            page.raw("More about ")
                    .raw(rules.size() == 1 ? "the cause" : "each cause")
                    .raw(": ");
            for (int i = 0; i < rules.size(); i++)
                page.raw(i > 0 ? ", " : "").element("code", "ullage rules show " + rules.get(i));
            page.raw("</p>\n<p>");
        }
        page.text("ullage " + version + " · " + d.subjectName() + " · " + window(d))
                .raw("</p>\n</footer>\n");
    }
}
