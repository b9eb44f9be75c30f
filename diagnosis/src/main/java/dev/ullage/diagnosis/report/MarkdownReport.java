// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.Death;
import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Differential.Symptom;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.host.server.Workload;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The report to paste into a ticket: the verdict and each cause in the open, what was ruled out and what could not be
/// seen folded away. See [MarkdownText] for how names from the host are kept harmless.
public final class MarkdownReport {
    private final Diagnosis diagnosis;
    private final StringBuilder out = new StringBuilder();

    private MarkdownReport(Diagnosis diagnosis) {
        this.diagnosis = diagnosis;
    }

    /// @param version of this Ullage
    public static String of(Diagnosis diagnosis, String version) {
        MarkdownReport report = new MarkdownReport(diagnosis);
        report.write(version);
        return report.out.toString();
    }

    private void write(String version) {
        line("**" + diagnosis.status().word() + ":** " + MarkdownText.of(diagnosis.headline()));
        if (!diagnosis.numbers().isEmpty()) paragraph(MarkdownText.of(diagnosis.numbers()));
        List<Finding> causes = diagnosis.ranked().causes();
        causes.stream().filter(Finding::isAlarm).forEach(this::problem);
        servers();
        died();
        List<Finding> advice = causes.stream().filter(f -> !f.isAlarm()).toList();
        if (!advice.isEmpty()) {
            paragraph("<details><summary>Advice: " + advice.size() + "</summary>");
            advice.forEach(this::problem);
            paragraph("</details>");
        }
        ruledOut();
        couldNotSee();
        paragraph("<sub>ullage " + version + " on " + MarkdownText.of(diagnosis.subjectName()) + ", "
                + HtmlReport.window(diagnosis) + "</sub>");
    }

    private void servers() {
        List<Workload> servers = diagnosis.evidence().servers();
        if (servers.isEmpty()) return;
        paragraph(servers.size() == 1 ? "**Server:**" : "**Servers:**");
        line("");
        for (Workload server : servers) {
            line("- " + MarkdownText.of(ServerLine.of(diagnosis.evidence(), server)));
            Stream.concat(
                            ServerLine.troubles(diagnosis.evidence(), server).stream(),
                            ServerLine.tells(diagnosis.evidence(), server).stream())
                    .forEach(words -> line("  - " + MarkdownText.of(words)));
        }
    }

    private void died() {
        if (diagnosis.died().isEmpty()) return;
        paragraph("**Died lately:**");
        line("");
        for (Death death : diagnosis.died())
            line("- " + MarkdownText.of(death.shown()) + "; " + MarkdownText.of(death.next()));
    }

    private void problem(Finding finding) {
        paragraph("### " + finding.severity().word() + ": " + finding.rule().name());
        // The verdict's stands above already.
        if (!finding.headline().equals(diagnosis.headline())) paragraph(MarkdownText.of(finding.headline()));
        if (!finding.saw().isEmpty()) {
            table("saw", "value", "source");
            for (Saw saw : finding.saw())
                row(MarkdownText.cell(saw.what()), MarkdownText.cell(saw.text()), MarkdownText.codeCell(saw.source()));
        }
        if (!finding.so().isEmpty()) paragraph("**So:** " + MarkdownText.of(finding.so()));
        finding.remedies().forEach(this::remedy);
        List<Symptom> symptoms = diagnosis.ranked().symptoms().stream()
                .filter(s -> s.cause() == finding)
                .toList();
        if (symptoms.isEmpty() && finding.explains().isEmpty()) return;
        paragraph("**Explains:**");
        line("");
        for (String explained : finding.explains()) line("- " + MarkdownText.of(explained));
        for (Symptom symptom : symptoms)
            line("- " + symptom.finding().rule().name() + ": "
                    + MarkdownText.of(symptom.finding().headline()));
    }

    private void remedy(Remedy remedy) {
        String price = (remedy.cost() == Remedy.Cost.NONE
                        ? "no restart"
                        : remedy.cost().word())
                + (remedy.risk() == Remedy.Risk.NONE ? "" : ", " + remedy.risk().word());
        paragraph("**Try, " + HtmlFindings.words(remedy.when()).toLowerCase(Locale.ROOT) + "** (" + price + "): "
                + MarkdownText.of(remedy.action()));
        if (!remedy.command().isEmpty())
            paragraph(MarkdownText.fenced("sh", remedy.command()).strip());
        StringBuilder rest = new StringBuilder();
        if (!remedy.verify().isEmpty()) rest.append("Verify: ").append(MarkdownText.of(remedy.verify()));
        if (!remedy.undo().isEmpty() && !remedy.undo().equals("-"))
            rest.append(rest.isEmpty() ? "" : "  \n").append("Undo: ").append(MarkdownText.of(remedy.undo()));
        if (!rest.isEmpty()) paragraph(rest.toString());
    }

    private void ruledOut() {
        if (diagnosis.ruledOut().isEmpty()) return;
        paragraph("<details><summary>Ruled out: " + diagnosis.ruledOut().size() + "</summary>");
        table("rule", "because");
        for (Diagnosis.RuledOut ruledOut : diagnosis.ruledOut())
            row(ruledOut.rule().name(), MarkdownText.cell(ruledOut.because()));
        paragraph("</details>");
    }

    private void couldNotSee() {
        if (diagnosis.couldNotSee().isEmpty()) return;
        paragraph("<details><summary>Could not see: " + diagnosis.couldNotSee().size() + "</summary>");
        table("what", "where", "why", "would help");
        for (Diagnosis.CouldNotSee unseen : diagnosis.couldNotSee())
            row(
                    MarkdownText.cell(unseen.what()),
                    MarkdownText.codeCell(unseen.source()),
                    unseen.cause(),
                    MarkdownText.cell(unseen.wouldHelp()));
        paragraph("</details>");
    }

    private void table(String... columns) {
        line("");
        row(columns);
        row("---|".repeat(columns.length).replaceAll("\\|$", "").split("\\|"));
    }

    private void row(String... cells) {
        line("| " + String.join(" | ", cells) + " |");
    }

    /// After an empty line: inside of `<details>` Markdown begins again only there.
    private void paragraph(String text) {
        line("");
        line(text);
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
