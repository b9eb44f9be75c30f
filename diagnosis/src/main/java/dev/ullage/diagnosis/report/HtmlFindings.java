// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Differential.Symptom;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import java.util.List;

/// What was found: each cause with what was seen, what it means, what to do, and the symptoms under it.
final class HtmlFindings {
    private HtmlFindings() {}

    static void write(Html page, Diagnosis diagnosis) {
        List<Finding> causes = diagnosis.ranked().causes();
        List<Finding> alarms = causes.stream().filter(Finding::isAlarm).toList();
        List<Finding> advice = causes.stream().filter(f -> !f.isAlarm()).toList();
        for (Finding finding : alarms) {
            page.raw("<section class=finding>\n");
            // The first one's headline is the verdict's.
            boolean saidAbove = finding.headline().equals(diagnosis.headline());
            heading(page, "h2", finding);
            if (!saidAbove) page.sentence("p class=headline", finding.headline());
            body(page, finding, diagnosis);
            page.raw("</section>\n");
        }
        if (advice.isEmpty()) return;
        page.raw("<section class=advice>\n<h2>Advice</h2>\n");
        for (Finding finding : advice) {
            page.raw("<details>\n<summary>")
                    .sentence("span", finding.headline())
                    .raw("</summary>\n");
            heading(page, "h3", finding);
            body(page, finding, diagnosis);
            page.raw("</details>\n");
        }
        page.raw("</section>\n");
    }

    private static void heading(Html page, String level, Finding finding) {
        page.raw("<" + level + "><span class=\"status " + finding.severity().word() + "\">"
                        + finding.severity().word() + "</span> ")
                .text(finding.rule().name())
                .raw(" <small>confidence " + Math.round(finding.confidence() * 100) + " %</small></" + level + ">\n");
    }

    private static void body(Html page, Finding finding, Diagnosis diagnosis) {
        saw(page, finding);
        if (!finding.so().isEmpty()) page.sentence("p class=so", finding.so()).line();
        remedies(page, finding);
        symptoms(page, finding, diagnosis);
    }

    private static void saw(Html page, Finding finding) {
        if (finding.saw().isEmpty()) return;
        page.raw("<div class=scroll tabindex=0 role=region aria-label=\"What was seen\">\n<table class=saw>\n"
                + "<thead><tr><th scope=col>seen<th scope=col class=num>value<th scope=col>source</thead>\n<tbody>\n");
        for (Saw saw : finding.saw())
            page.raw("<tr>")
                    .element("td", saw.what())
                    .element(saw.unit().equals("text") ? "td" : "td class=num", saw.text())
                    .element("td class=source", saw.source())
                    .line();
        page.raw("</tbody></table></div>\n");
    }

    private static void remedies(Html page, Finding finding) {
        if (finding.remedies().isEmpty()) return;
        page.raw("<div class=remedies>\n");
        for (Remedy.When when : Remedy.When.values()) {
            List<Remedy> due =
                    finding.remedies().stream().filter(r -> r.when() == when).toList();
            if (due.isEmpty()) continue;
            page.raw("<div class=when>").element("h3", words(when)).raw("<ol>\n");
            for (Remedy remedy : due) remedy(page, remedy);
            page.raw("</ol></div>\n");
        }
        page.raw("</div>\n");
    }

    /// When, as the page's headings have it.
    static String words(Remedy.When when) {
        return switch (when) {
            case NOW -> "Now";
            case MEDIUM -> "This week";
            case LONG -> "By design";
        };
    }

    private static void remedy(Html page, Remedy remedy) {
        page.raw("<li>").sentence("p", remedy.action());
        if (!remedy.command().isEmpty()) command(page, remedy.command());
        page.raw("<dl>");
        entry(
                page,
                "cost",
                remedy.cost() == Remedy.Cost.NONE ? "none" : remedy.cost().word());
        entry(page, "risk", remedy.risk().word().replace('-', ' '));
        if (!remedy.verify().isEmpty()) entry(page, "verify", remedy.verify());
        if (!remedy.undo().isEmpty() && !remedy.undo().equals("-")) entry(page, "undo", remedy.undo());
        page.raw("</dl></li>\n");
    }

    /// The button is for those with JavaScript, which shows it; the text can be selected by everybody.
    private static void command(Html page, String command) {
        page.raw("<div class=command><pre tabindex=0>")
                .element("code", command)
                .raw("</pre><button type=button class=copy hidden>copy</button></div>");
    }

    private static void entry(Html page, String name, String text) {
        page.raw("<div>").element("dt", name).element("dd", text).raw("</div>");
    }

    private static void symptoms(Html page, Finding cause, Diagnosis diagnosis) {
        List<Finding> symptoms = diagnosis.ranked().symptoms().stream()
                .filter(s -> s.cause() == cause)
                .map(Symptom::finding)
                .toList();
        if (symptoms.isEmpty() && cause.explains().isEmpty()) return;
        page.raw("<div class=symptoms><h3>Explains</h3>\n");
        for (String explained : cause.explains())
            page.sentence("p class=explained", explained).line();
        for (Finding symptom : symptoms) {
            page.raw("<details><summary><span class=\"status "
                            + symptom.severity().word() + "\">"
                            + symptom.severity().word() + "</span> ")
                    .element("span class=rule", symptom.rule().name())
                    .raw(" ")
                    .sentence("span", symptom.headline())
                    .raw("</summary>\n");
            saw(page, symptom);
            if (!symptom.so().isEmpty()) page.sentence("p class=so", symptom.so());
            page.raw("</details>\n");
        }
        page.raw("</div>\n");
    }
}
