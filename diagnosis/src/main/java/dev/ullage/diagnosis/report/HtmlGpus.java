// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.view.MemoryPart;
import dev.ullage.diagnosis.view.WhereVramWent;
import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.GpuPresence;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.gpu.Vram;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Absent;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Where the memory of the GPUs went: a bar for each, and under it who holds what. Nothing on a host without a GPU.
///
/// Of many GPUs the bars come first and one table for all of them after: eight legends are a page that nobody reads.
final class HtmlGpus {
    private static final int MOST_WITH_OWN_TABLE = 2;

    private HtmlGpus() {}

    static void write(Html page, Evidence evidence) {
        int there = evidence.latest(GpuPresence.FACT).map(GpuPresence::count).orElse(0);
        boolean isSilent = evidence.latest(Gpus.FACT) instanceof Absent<Gpus>;
        List<Gpu> gpus = evidence.latest(Gpus.FACT).map(Gpus::gpus).orElse(List.of());
        if (gpus.isEmpty() && (there == 0 || !isSilent)) return;
        page.raw("<section>\n<h2>Where VRAM went</h2>\n");
        if (evidence.latest(Gpus.FACT) instanceof Absent<Gpus> absent)
            page.element(
                    "p class=quiet",
                    "not seen: " + absent.source() + " (" + absent.cause().word() + ")");
        List<WhereVramWent> seen = WhereVramWent.in(evidence);
        boolean ownTables = seen.size() <= MOST_WITH_OWN_TABLE;
        for (Gpu gpu : gpus) {
            seen.stream()
                    .filter(s -> s.gpu().equals(gpu))
                    .findFirst()
                    .ifPresentOrElse(went -> picture(page, went, ownTables), () -> unseen(page, gpu));
        }
        if (!ownTables) {
            page.raw("<figure class=memory>");
            HtmlMemory.tableOf(
                    page,
                    () -> seen.forEach(
                            went -> rows(page, went, "GPU " + went.gpu().index() + ", ")));
            page.raw("</figure>\n");
        }
        page.raw("</section>\n");
    }

    private static void rows(Html page, WhereVramWent went, String before) {
        Map<MemoryPart.Kind, Integer> shades = new EnumMap<>(MemoryPart.Kind.class);
        for (MemoryPart part : went.parts())
            HtmlMemory.row(page, part, before, HtmlMemory.swatch(part, shades), went.total());
    }

    private static void picture(Html page, WhereVramWent went, boolean ownTable) {
        String said = went.used().shown() + " of " + went.total().shown() + " in use" + beside(went.gpu());
        page.raw("<figure class=memory>\n").element("h3", went.gpu().shown()).line();
        page.sentence("figcaption", said);
        HtmlMemory.bar(page, went.parts(), went.total(), Bytes.NONE, went.gpu().shown() + ": " + said);
        if (ownTable) HtmlMemory.tableOf(page, () -> rows(page, went, ""));
        page.raw("</figure>\n");
    }

    private static void unseen(Html page, Gpu gpu) {
        String why = gpu.unifiedMemory()
                ? "shares the host's memory, which is above"
                : gpu.memory() instanceof Absent<Vram> absent
                        ? "not seen: " + absent.source() + " (" + absent.cause().word() + ")"
                        : "not seen";
        page.raw("<figure class=memory>\n").element("h3", gpu.shown()).line();
        page.element("figcaption class=quiet", why).raw("</figure>\n");
    }

    /// What else a reader wants beside the memory: `, busy 97 %, PCIe generation 5 ×16, 54 °C`.
    private static String beside(Gpu gpu) {
        StringBuilder text = new StringBuilder();
        gpu.load().map(load -> text.append(", busy ").append(load.compute().shown()));
        gpu.pcie().map(link -> text.append(", PCIe generation ")
                .append(link.generation())
                .append(" ×")
                .append(link.width()));
        gpu.health().celsius().map(degrees -> text.append(", ").append(degrees).append(" °C"));
        return text.toString();
    }
}
