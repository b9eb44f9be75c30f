// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.ullage.diagnosis.view.Course;
import dev.ullage.diagnosis.view.Courses;
import dev.ullage.diagnosis.view.DisksInUse;
import dev.ullage.host.Evidence;
import dev.ullage.measure.Quantity;
import dev.ullage.measure.Seconds;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The lines over the window. The script draws them from [#data]; under each one stands what it shows in numbers.
///
/// A course in which nothing happened is a sentence: an empty diagram says less.
record HtmlCourses(List<Chart> charts) {
    /// More rows than these nobody reads; of a longer window every n-th instant is in the table, all are in the line.
    private static final int MOST_ROWS = 60;

    private static final int MOST_DISKS = 3;

    /// @param note beside its title
    /// @param quiet what to say instead when all of it is zero
    private record Chart(Course course, String note, String quiet) {
        boolean isDrawn() {
            return !course.isEmpty() && !course.isQuiet();
        }
    }

    static HtmlCourses of(Evidence evidence) {
        List<Chart> charts = new ArrayList<>();
        if (!evidence.hasWindow()) return new HtmlCourses(charts);
        Courses courses = new Courses(evidence);
        charts.add(new Chart(courses.memory(), "of the host", "memory was not seen"));
        charts.add(new Chart(
                courses.pressure(),
                "share of time in which some or all tasks waited",
                "no task waited for memory, IO or a CPU"));
        List<DisksInUse> disks = DisksInUse.of(evidence);
        for (DisksInUse disk : disks.subList(0, Math.min(MOST_DISKS, disks.size()))) {
            charts.add(new Chart(
                    courses.throughput(disk.number(), disk.name()),
                    disk.why(),
                    disk.name() + " (" + disk.why() + "): nothing was read or written"));
            charts.add(new Chart(courses.await(disk.number(), disk.name()), "from the queue to the end", ""));
        }
        if (disks.isEmpty()) charts.add(new Chart(courses.throughput("", ""), "", "no disk read or wrote anything"));
        charts.add(new Chart(courses.swapping(), "of the host", "nothing was swapped in or out"));
        return new HtmlCourses(charts);
    }

    void write(Html page) {
        page.raw("<section>\n<h2>Over the window</h2>\n");
        if (charts.isEmpty()) {
            page.raw("<p class=quiet>one instant was looked at: nothing to compare it with</p>\n</section>\n");
            return;
        }
        page.raw("<div class=charts>\n");
        List<Chart> drawn = charts.stream().filter(Chart::isDrawn).toList();
        for (int i = 0; i < drawn.size(); i++) chart(page, drawn.get(i), i);
        page.raw("</div>\n");
        charts.stream().filter(c -> !c.isDrawn()).forEach(chart -> {
            if (!chart.quiet.isEmpty())
                page.element("p class=quiet", chart.course.isEmpty() ? notSeen(chart) : chart.quiet);
        });
        page.raw("</section>\n");
    }

    private static String notSeen(Chart chart) {
        return chart.course.title().isBlank() || chart.course.title().startsWith(" ")
                ? chart.quiet
                : chart.course.title() + ": not seen";
    }

    private static void chart(Html page, Chart chart, int index) {
        Course course = chart.course;
        page.raw("<figure class=chart>\n<figcaption>")
                .element("b", course.title())
                .raw(" ")
                .element("span", chart.note)
                .raw("<span class=mean></span></figcaption>\n<div class=plot id=plot" + index
                        + " role=img aria-label=\"")
                .text(course.title() + " over the window; the table below has its numbers")
                .raw("\"></div>\n<table class=lines>\n<thead><tr><th scope=col><span class=unseen>line</span>"
                        + "<th scope=col class=num>least<th scope=col class=num>most"
                        + "<th scope=col class=\"num moment\">at the end</thead>\n<tbody>\n");
        for (int i = 0; i < course.lines().size(); i++) {
            Course.Line line = course.lines().get(i);
            page.raw("<tr><th scope=row><svg class=swatch width=18 height=8 aria-hidden=true><line class=\""
                            + stroke(line, i) + "\" x1=0 y1=4 x2=18 y2=4 /></svg>")
                    .text(line.name())
                    .raw("</th>")
                    .element("td class=num", shown(line.least()))
                    .element("td class=num", shown(line.most()))
                    .element("td class=\"num value\"", shown(line.last()))
                    .line();
        }
        page.raw("</tbody></table>\n");
        table(page, course);
        page.raw("</figure>\n");
    }

    /// "some" and "full" of one resource share a colour.
    private static String stroke(Course.Line line, int index) {
        return "s" + colour(line, index) + (line.name().endsWith(" full") ? " dashed" : "");
    }

    private static int colour(Course.Line line, int index) {
        return switch (line.name().split(" ")[0]) {
            case "memory" -> 0;
            case "io" -> 1;
            case "cpu" -> 2;
            default -> index;
        };
    }

    private static void table(Html page, Course course) {
        int size = course.at().size();
        int step = Math.max(1, (size + MOST_ROWS - 1) / MOST_ROWS);
        page.raw("<details class=numbers><summary>as a table" + (step > 1 ? ", 1 row in " + step : "")
                + "</summary><div class=scroll tabindex=0 role=region aria-label=\"");
        page.text(course.title())
                .raw("\"><table>\n<thead><tr><th scope=col class=num>" + (course.isPerInterval() ? "until" : "at"));
        for (Course.Line line : course.lines()) page.element("th scope=col class=num", line.name());
        page.raw("</thead>\n<tbody>\n");
        for (int row = (size - 1) % step; row < size; row += step) {
            page.raw("<tr>")
                    .element("th scope=row class=num", course.at().get(row).shown());
            for (Course.Line line : course.lines())
                page.element("td class=num", shown(line.values().get(row)));
            page.line();
        }
        page.raw("</tbody></table></div></details>\n");
    }

    private static String shown(Optional<Quantity> quantity) {
        return quantity.map(Quantity::shown).orElse("–");
    }

    /// For the script: `[{"unit":"bytes","steps":false,"x":[0,1],"lines":[{"name":…,"colour":0,"y":[…]}]}]`. In steps,
    /// y[i] holds from x[i−1] to x[i].
    String data() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartArray();
            for (Chart chart : charts) if (chart.isDrawn()) course(json, chart.course);
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        // Nothing in it may end the script element or begin a comment.
        return text.toString().replace("<", "\\u003c");
    }

    private static void course(JsonGenerator json, Course course) throws IOException {
        json.writeStartObject();
        json.writeStringField("unit", course.unit());
        json.writeBooleanField("steps", course.isPerInterval());
        json.writeArrayFieldStart("x");
        if (course.isPerInterval()) number(json, course.begin().seconds(), 3);
        for (Seconds at : course.at()) number(json, at.seconds(), 3);
        json.writeEndArray();
        json.writeArrayFieldStart("lines");
        for (int i = 0; i < course.lines().size(); i++) {
            Course.Line line = course.lines().get(i);
            json.writeStartObject();
            json.writeStringField("name", Visible.of(line.name()));
            json.writeNumberField("colour", colour(line, i));
            json.writeBooleanField("dashed", line.name().endsWith(" full"));
            json.writeArrayFieldStart("y");
            int decimals = course.unit().startsWith("bytes") ? 0 : course.unit().equals("s") ? 6 : 4;
            if (course.isPerInterval()) value(json, line.values().getFirst(), decimals);
            for (Optional<Quantity> value : line.values()) value(json, value, decimals);
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void value(JsonGenerator json, Optional<Quantity> value, int decimals) throws IOException {
        if (value.isPresent() && Double.isFinite(value.get().value()))
            number(json, value.get().value(), decimals);
        else json.writeNull();
    }

    private static void number(JsonGenerator json, double number, int decimals) throws IOException {
        json.writeRawValue(new BigDecimal(number)
                .setScale(decimals, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString());
    }
}
