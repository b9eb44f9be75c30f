// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Death;
import dev.ullage.diagnosis.Diagnosis;
import dev.ullage.diagnosis.Differential.Symptom;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Status;
import dev.ullage.host.server.Workload;
import dev.ullage.host.service.Service;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The report for a person at a terminal: two calm lines for a healthy host, at most [#MOST_LINES] for a sick one,
/// everything with `-v`.
public final class TerminalReport {
    /// What fits on the smallest terminal with the prompt.
    private static final int MOST_LINES = 24;

    private static final int MOST_SERVERS = 2;

    private final Diagnosis diagnosis;
    private final Paint paint;
    private final int width;
    private final boolean everything;
    private final List<String> lines = new ArrayList<>();

    private TerminalReport(Diagnosis diagnosis, boolean colour, int width, boolean everything) {
        this.diagnosis = diagnosis;
        this.paint = new Paint(colour);
        this.width = Math.max(40, width);
        this.everything = everything;
    }

    /// @param colour whether the reader's terminal shows colours
    /// @param width its columns
    /// @param everything no limit on lines: all findings, all that was ruled out, all that could not be seen
    public static String of(Diagnosis diagnosis, boolean colour, int width, boolean everything) {
        TerminalReport report = new TerminalReport(diagnosis, colour, width, everything);
        report.write();
        return String.join(
                        "\n",
                        report.lines.stream().map(TerminalReport::readable).toList()) + "\n";
    }

    private void write() {
        List<Finding> alarms =
                diagnosis.ranked().causes().stream().filter(Finding::isAlarm).toList();
        if (alarms.isEmpty()) calm();
        for (int i = 0; i < alarms.size(); i++) {
            problem(alarms.get(i), i == 0);
            if (i == 0) servers();
        }
        if (!alarms.isEmpty() && !diagnosis.also().isEmpty() && !everything)
            add("", "also: " + words(diagnosis.also()) + ", an independent cause");
        advice();
        died();
        ruledOut();
        couldNotSee();
        if (!everything && lines.size() > MOST_LINES) {
            lines.subList(MOST_LINES - 1, lines.size()).clear();
            lines.add(paint.dim("… more with -v"));
        }
    }

    private void calm() {
        add("", paint.of(diagnosis.status(), diagnosis.status().word()) + ": " + diagnosis.headline());
        int unseen = diagnosis.couldNotSee().size();
        String rest = diagnosis.ruledOut().stream()
                        .filter(Diagnosis.RuledOut::couldBe)
                        .count() + " ruled out"
                + (diagnosis.evidence().hasWindow() ? "" : " at one instant")
                + (unseen == 0 ? "" : ", " + unseen + " not seen") + (everything ? "" : " (-v)");
        add("", paint.dim((diagnosis.numbers().isEmpty() ? "" : diagnosis.numbers() + "; ") + rest));
        servers();
    }

    /// Who serves what, with what of which memory: the one the verdict is about, or two on a calm host.
    private void servers() {
        Optional<Finding> verdict =
                diagnosis.ranked().causes().stream().filter(Finding::isAlarm).findFirst();
        List<Workload> servers = diagnosis.evidence().servers().stream()
                .sorted(Comparator.comparing(server -> verdict.map(finding -> !finding.subject()
                                .affects()
                                .contains(server.main().pid()))
                        .orElse(false)))
                .toList();
        int most = Math.min(servers.size(), everything ? servers.size() : verdict.isPresent() ? 1 : MOST_SERVERS);
        for (Workload server : servers.subList(0, most)) server(server);
        int more = servers.size() - most;
        if (more > 0 && verdict.isEmpty()) add("", "and " + more + (more == 1 ? " more server" : " more servers"));
    }

    private void server(Workload server) {
        add("server: ", ServerLine.of(diagnosis.evidence(), server));
        if (!everything) return;
        for (String trouble : ServerLine.troubles(diagnosis.evidence(), server)) add("        ", trouble);
        for (String tells : ServerLine.tells(diagnosis.evidence(), server)) add("        ", tells);
    }

    /// The first problem in full; a second one shorter, unless everything is wanted.
    private void problem(Finding finding, boolean isFirst) {
        if (!isFirst) add("", "");
        String mark = finding.severity().word() + "[" + finding.rule().name() + "]";
        add("", paint.of(statusOf(finding), mark) + ": " + finding.headline());
        String runsAs = runsAs(finding);
        if (!runsAs.isEmpty()) add("  in:  ", runsAs);
        List<Saw> saw = finding.saw().subList(0, Math.min(finding.saw().size(), everything ? 99 : isFirst ? 5 : 2));
        for (Saw s : saw) add("  saw: ", s.what() + " " + s.text() + paint.dim("  " + s.source()));
        if (isFirst || everything) add("  so:  ", finding.so());
        List<Remedy> remedies =
                finding.remedies().subList(0, Math.min(finding.remedies().size(), everything ? 99 : isFirst ? 2 : 1));
        for (Remedy remedy : remedies) remedy(remedy);
        symptoms(finding);
        if (isFirst || everything)
            add("  see: ", "ullage rules show " + finding.rule().name());
    }

    /// The container or unit of the process a finding is about, if the headline does not name it already.
    private String runsAs(Finding finding) {
        int pid = finding.subject().pid().orElse(0);
        String shown = diagnosis.evidence().workloads().stream()
                .filter(w -> w.main().pid() == pid)
                .findFirst()
                .map(w -> diagnosis
                        .evidence()
                        .latest(Service.FACT, w.main())
                        .orElse(Service.NONE)
                        .shown())
                .orElse("");
        String name = shown.substring(shown.lastIndexOf(' ') + 1);
        return name.isEmpty() || finding.headline().contains(name) ? "" : shown;
    }

    /// What the servers show of it, and the findings it accounts for: each in full with `-v`, else the rules' names and
    /// how often.
    private void symptoms(Finding cause) {
        List<String> explained = cause.explains();
        if (everything) for (String symptom : explained) add("  explains: ", symptom);
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Symptom symptom : diagnosis.ranked().symptoms()) {
            if (symptom.cause() != cause) continue;
            Finding finding = symptom.finding();
            if (everything) add("  explains: ", finding.rule().name() + ": " + finding.headline());
            else if (finding.isAlarm()) counts.merge(finding.rule().name(), 1, Integer::sum);
        }
        String names = counts.entrySet().stream()
                .map(e -> e.getKey() + (e.getValue() > 1 ? " ×" + e.getValue() : ""))
                .collect(Collectors.joining(", "));
        if (everything) return;
        List<String> all = new ArrayList<>(explained.subList(0, Math.min(MOST_SERVERS, explained.size())));
        if (!names.isEmpty()) all.add(names);
        if (!all.isEmpty()) add("  explains: ", String.join("; ", all));
    }

    private static Status statusOf(Finding finding) {
        return switch (finding.severity()) {
            case CRITICAL -> Status.CRITICAL;
            case WARNING -> Status.WARNING;
            case ADVICE -> Status.HEALTHY;
        };
    }

    private void remedy(Remedy remedy) {
        String price = remedy.when().word() + ", "
                + (remedy.cost() == Remedy.Cost.NONE
                        ? "no restart"
                        : remedy.cost().word())
                + (remedy.risk() == Remedy.Risk.NONE ? "" : ", " + remedy.risk().word());
        add("  try: ", remedy.action() + paint.dim(" (" + price + ")"));
        // A command must be copied whole: it is never wrapped or cut.
        if (!remedy.command().isEmpty()) lines.add("         " + paint.bold(remedy.command()));
        if (everything) {
            if (!remedy.verify().isEmpty()) lines.add("         verify: " + remedy.verify());
            if (!remedy.undo().equals("-")) lines.add("         undo:   " + remedy.undo());
        }
    }

    private void advice() {
        // What is about a server that lives comes before what was.
        Set<Integer> living = diagnosis.evidence().workloads().stream()
                .map(w -> w.main().pid())
                .collect(Collectors.toSet());
        List<Finding> advice = diagnosis.ranked().causes().stream()
                .filter(f -> !f.isAlarm() && !f.headline().equals(leading()))
                .sorted(Comparator.comparing(
                        f -> Collections.disjoint(f.subject().affects(), living)))
                .toList();
        if (everything) {
            for (Finding finding : advice) problem(finding, false);
        } else {
            for (Finding finding : advice.subList(0, Math.min(2, advice.size())))
                if (lines.size() < MOST_LINES - 2) add("advice: ", finding.headline());
        }
    }

    /// Units and containers that are gone: also when all that is left is calm.
    private void died() {
        List<Death> died = diagnosis.died();
        for (Death death : died.subList(0, everything ? died.size() : Math.min(3, died.size())))
            if (everything || lines.size() < MOST_LINES - 1) add("died: ", death.shown() + "; " + death.next());
    }

    /// The headline that the calm line begins with already.
    private String leading() {
        return diagnosis.ranked().causes().stream()
                .map(Finding::headline)
                .filter(h -> diagnosis.headline().startsWith(h))
                .findFirst()
                .orElse("");
    }

    private void ruledOut() {
        if (everything) {
            add("", "");
            for (Diagnosis.RuledOut ruledOut : diagnosis.ruledOut())
                add("ruled out: ", ruledOut.rule().name() + ": " + ruledOut.because());
        } else if (diagnosis.status() == Status.CRITICAL || diagnosis.status() == Status.WARNING) {
            List<Cause> causes = diagnosis.ruledOut().stream()
                    .filter(Diagnosis.RuledOut::couldBe)
                    .map(r -> r.rule().cause())
                    .distinct()
                    .toList();
            if (!causes.isEmpty() && lines.size() < MOST_LINES - 1) add(paint.dim("ruled out: "), words(causes));
        }
    }

    private void couldNotSee() {
        if (everything) {
            for (Diagnosis.CouldNotSee unseen : diagnosis.couldNotSee())
                add(
                        "could not see: ",
                        unseen.what() + paint.dim("  " + unseen.source()) + ": " + unseen.cause()
                                + (unseen.wouldHelp().isEmpty() ? "" : "; " + unseen.wouldHelp()));
        } else if (!diagnosis.couldNotSee().isEmpty() && lines.size() < MOST_LINES) {
            Diagnosis.CouldNotSee first = diagnosis.couldNotSee().getFirst();
            int more = diagnosis.couldNotSee().size() - 1;
            boolean sick = diagnosis.status() != Status.HEALTHY;
            if (sick)
                add(
                        paint.dim("could not see: "),
                        first.what() + " (" + first.cause() + ")" + (more > 0 ? " and " + more + " more" : ""));
        }
    }

    private static String words(List<Cause> causes) {
        return causes.stream().map(Cause::word).collect(Collectors.joining(", "));
    }

    /// Names come from the host: their control characters must neither paint nor add lines. Ours are the colours.
    private static String readable(String text) {
        return Paint.applied(Visible.of(text));
    }

    /// Adds a text under a label, wrapped at the terminal's width and indented under itself.
    private void add(String label, String text) {
        String indent = " ".repeat(Paint.length(label));
        StringBuilder line = new StringBuilder(label);
        int length = Paint.length(label);
        boolean isStart = true;
        for (String word : text.split(" ")) {
            int needed = Paint.length(word) + (isStart ? 0 : 1);
            if (!isStart && length + needed > width) {
                lines.add(line.toString());
                line = new StringBuilder(indent.isEmpty() ? "    " : indent);
                length = line.length();
                isStart = true;
                needed = Paint.length(word);
            }
            if (!isStart) line.append(' ');
            line.append(word);
            length += needed;
            isStart = false;
        }
        lines.add(line.toString());
    }
}
