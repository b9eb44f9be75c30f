// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.view.MemoryPart;
import dev.ullage.diagnosis.view.WhereLimitWent;
import dev.ullage.diagnosis.view.WhereRamWent;
import dev.ullage.host.Evidence;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Where memory went, as a bar over all of it with a table that says the same in numbers: the host's RAM, and what each
/// limited cgroup may hold.
///
/// The bar is SVG with positions in per cent: it needs no script, and no style of its own that the policy would refuse.
final class HtmlMemory {
    private HtmlMemory() {}

    static void write(Html page, Evidence evidence) {
        page.raw("<section>\n<h2>Where RAM went</h2>\n");
        switch (WhereRamWent.of(evidence)) {
            case Absent<WhereRamWent> absent ->
                page.element(
                        "p class=quiet",
                        "not seen: " + absent.source() + " (" + absent.cause().word() + ")");
            case Present<WhereRamWent>(WhereRamWent ram) -> {
                String said =
                        ram.total().shown() + " in all, " + ram.available().shown() + " available to new work";
                page.raw("<figure class=memory>").sentence("figcaption", said);
                bar(page, ram.parts(), ram.total(), ram.available(), said);
                legend(page, ram.parts(), ram.total());
                page.raw("</figure>\n");
            }
        }
        for (WhereLimitWent cgroup : WhereLimitWent.of(evidence)) {
            page.raw("<figure class=memory>\n<h3>What ")
                    .element("code", cgroup.cgroup().id().path())
                    .raw(" may hold</h3>\n");
            String said = "limit "
                    + cgroup.cgroup().bindingLimit().orElse(cgroup.limit()).shown()
                    + ", " + cgroup.cgroup().unreclaimable().shown() + " of it cannot be reclaimed";
            page.sentence("figcaption", said);
            bar(page, cgroup.parts(), cgroup.limit(), Bytes.NONE, said);
            legend(page, cgroup.parts(), cgroup.limit());
            page.raw("</figure>\n");
        }
        page.raw("</section>\n");
    }

    /// @param available marked from the right, where what can be given back and what is free lie; nothing: no mark
    static void bar(Html page, List<MemoryPart> parts, Bytes whole, Bytes available, String said) {
        boolean marked = available.bytes() > 0;
        page.raw("<svg class=bar width=\"100%\" height=" + (marked ? 60 : 34) + " role=img aria-label=\"")
                .text(said)
                .raw("\"><defs><pattern id=hatch width=6 height=6 patternUnits=userSpaceOnUse"
                        + " patternTransform=\"rotate(45)\"><rect class=hatch width=3 height=6 /></pattern></defs>\n");
        double at = 0;
        Map<MemoryPart.Kind, Integer> shades = new EnumMap<>(MemoryPart.Kind.class);
        for (MemoryPart part : parts) {
            double width = part.bytes().shareOf(whole).ratio() * 100;
            page.raw("<rect class=\"" + swatch(part, shades) + "\" x=\"" + percent(at) + "\" y=1 width=\""
                            + percent(width) + "\" height=32><title>")
                    .text(part.name() + ": " + part.bytes().shown())
                    .raw("</title></rect>\n");
            at += width;
        }
        page.raw("<rect class=frame x=0.5 y=1 width=\"99.9%\" height=32 />");
        if (marked) {
            double width = available.shareOf(whole).ratio() * 100;
            page.raw("<rect class=mark x=\"" + percent(100 - width) + "\" y=38 width=\"" + percent(width)
                    + "\" height=3 /><rect class=mark x=\"" + percent(Math.min(100 - width, 99.9))
                    + "\" y=35 width=2 height=9 />"
                    + "<text x=\"100%\" y=56 text-anchor=end>available " + available.shown() + "</text>");
        }
        page.raw("</svg>\n");
    }

    private static void legend(Html page, List<MemoryPart> parts, Bytes whole) {
        tableOf(page, () -> {
            Map<MemoryPart.Kind, Integer> shades = new EnumMap<>(MemoryPart.Kind.class);
            for (MemoryPart part : parts) row(page, part, kind(part), swatch(part, shades), whole);
        });
    }

    /// The table under a bar.
    static void tableOf(Html page, Runnable rows) {
        page.raw("<table class=legend>\n<thead class=unseen><tr><th scope=col>part<th scope=col>size"
                + "<th scope=col>share</thead>\n<tbody>\n");
        rows.run();
        page.raw("</tbody></table>\n");
    }

    /// @param before words before the name
    /// @param colour the class of its place in the bar
    static void row(Html page, MemoryPart part, String before, String colour, Bytes whole) {
        page.raw("<tr><td><svg class=swatch width=12 height=12 aria-hidden=true><rect class=\"" + colour
                        + "\" width=12 height=12 /></svg>")
                .raw(before)
                .element("span", part.name());
        if (!part.detail().isEmpty() && !part.detail().equals(part.name()))
            page.element("span class=path", part.detail());
        page.element("td class=num", part.bytes().shown())
                .element("td class=num", part.bytes().shareOf(whole).shown())
                .line();
    }

    /// A name of a process or a file does not say what it holds.
    private static String kind(MemoryPart part) {
        return switch (part.kind()) {
            case MODEL_CACHE -> "page cache of ";
            case SHARED -> part.detail().isEmpty() ? "" : "tmpfs: ";
            case ANONYMOUS -> part.name().contains("(pid ") ? "anonymous memory of " : "";
            case HUGE_PAGES_USED, HUGE_PAGES_UNUSED, SLAB, OTHER, OTHER_CACHE, FREE -> "";
        };
    }

    /// The class that colours a part; parts of one kind differ by shade.
    static String swatch(MemoryPart part, Map<MemoryPart.Kind, Integer> shades) {
        int shade = shades.merge(part.kind(), 1, Integer::sum) - 1;
        return "k-" + part.kind().name().toLowerCase(Locale.ROOT).replace('_', '-') + " n" + shade % 6;
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.3f%%", Math.clamp(share, 0, 100));
    }
}
