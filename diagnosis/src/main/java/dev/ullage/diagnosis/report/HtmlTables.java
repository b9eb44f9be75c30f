// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.Death;
import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.view.ServerMemory;
import dev.ullage.diagnosis.view.ServerTold;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFile;
import java.util.List;

/// The servers; what was ruled out; what could not be seen.
final class HtmlTables {
    private static final int MOST_FILES = 5;

    private HtmlTables() {}

    static void write(Html page, Diagnosis diagnosis) {
        servers(page, diagnosis);
        died(page, diagnosis);
        ruledOut(page, diagnosis);
        couldNotSee(page, diagnosis);
    }

    private static void servers(Html page, Diagnosis diagnosis) {
        List<Workload> servers = diagnosis.evidence().servers();
        if (servers.isEmpty()) return;
        page.raw("<section>\n<h2>Servers</h2>\n");
        begin(page, "Servers", "server", "engine", "model", "memory", "symptoms");
        for (Workload server : servers) {
            ServerTold told = ServerTold.of(diagnosis.evidence(), server);
            page.raw("<tr>")
                    .element("th scope=row", server.shown())
                    .element("td class=short", ServerLine.engine(server, told))
                    .raw("<td class=wide>");
            if (server.models().isEmpty()) page.text(told.modelOf(server));
            List<ModelFile> models = server.models();
            for (ModelFile model : models.subList(0, Math.min(MOST_FILES, models.size())))
                page.raw("<div>")
                        .element("code", model.path())
                        .text(" " + model.size().shown())
                        .raw("</div>");
            if (models.size() > MOST_FILES) page.element("div", "and " + (models.size() - MOST_FILES) + " more files");
            page.raw("<td>");
            memory(page, ServerMemory.of(diagnosis.evidence(), server));
            page.raw("<td class=wide>");
            List<String> symptoms = ServerLine.troubles(diagnosis.evidence(), server);
            for (String symptom : symptoms) page.element("div", symptom);
            if (symptoms.isEmpty())
                page.element("div", Stall.of(diagnosis.evidence(), server).isKnown() ? "none" : "none seen");
            for (String tells : ServerLine.tells(diagnosis.evidence(), server)) page.element("div class=tells", tells);
            page.line();
        }
        end(page);
        page.raw("</section>\n");
    }

    /// What it holds, place by place; the host needs no name as long as it is the only one.
    private static void memory(Html page, ServerMemory memory) {
        List<String> places =
                memory.parts().stream().map(ServerMemory.Part::where).distinct().toList();
        for (String where : places) {
            if (!memory.gpus().isEmpty()) page.element("div class=place", ServerLine.place(memory, where));
            for (ServerMemory.Part part : memory.in(where))
                page.element("div class=pair", part.bytes().shown() + " " + ServerLine.words(part.what()));
        }
        for (Gpu gpu : memory.gpus())
            if (!places.contains(gpu.word()))
                page.element("div class=place", "GPU " + gpu.index() + ": how much is not told");
    }

    private static void died(Html page, Diagnosis diagnosis) {
        if (diagnosis.died().isEmpty()) return;
        page.raw("<section>\n<h2>Died lately</h2>\n");
        begin(page, "Services that died lately", "what", "look here");
        for (Death death : diagnosis.died())
            page.raw("<tr>")
                    .element("td", death.shown())
                    .element("td class=wide", death.next())
                    .line();
        end(page);
        page.raw("</section>\n");
    }

    private static void ruledOut(Html page, Diagnosis diagnosis) {
        if (diagnosis.ruledOut().isEmpty()) return;
        page.raw("<section>\n<details open><summary><h2>Ruled out</h2> <small>"
                + diagnosis.ruledOut().size() + "</small></summary>\n");
        begin(page, "Ruled out", "rule", "because");
        for (Diagnosis.RuledOut ruledOut : diagnosis.ruledOut())
            page.raw("<tr>")
                    .element("th scope=row", ruledOut.rule().name())
                    .element("td class=wide", ruledOut.because())
                    .line();
        end(page);
        page.raw("</details>\n</section>\n");
    }

    private static void couldNotSee(Html page, Diagnosis diagnosis) {
        if (diagnosis.couldNotSee().isEmpty()) return;
        page.raw("<section>\n<details open><summary><h2>Could not see</h2> <small>"
                + diagnosis.couldNotSee().size() + "</small></summary>\n");
        begin(page, "Could not see", "what", "where", "why", "would help");
        for (Diagnosis.CouldNotSee unseen : diagnosis.couldNotSee())
            page.raw("<tr>")
                    .element("th scope=row", unseen.what())
                    .element("td class=source", unseen.source())
                    .element("td class=short", unseen.cause().replace('-', ' '))
                    .element("td class=wide", unseen.wouldHelp())
                    .line();
        end(page);
        page.raw("</details>\n</section>\n");
    }

    private static void begin(Html page, String label, String... columns) {
        page.raw("<div class=scroll tabindex=0 role=region aria-label=\"" + label + "\"><table class="
                + (columns.length == 2 ? "two" : "many") + ">\n<thead><tr>");
        for (String column : columns) page.raw("<th scope=col>").raw(column);
        page.raw("</thead>\n<tbody>\n");
    }

    private static void end(Html page) {
        page.raw("</tbody></table></div>\n");
    }
}
