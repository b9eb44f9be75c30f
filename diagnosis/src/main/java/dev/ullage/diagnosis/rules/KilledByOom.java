// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.MemoryLimits;
import dev.ullage.diagnosis.view.RecentKills;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.kernellog.OomKill;
import dev.ullage.host.kernellog.OomTask;
import dev.ullage.host.kernellog.OomVictim;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/// What the two rules about the kernel's OOM killer share: the kernel says whether a cgroup's limit or the whole host
/// was exhausted, and only its line decides. Exit code 137 or Docker's OOMKilled flag prove nothing either way.
abstract sealed class KilledByOom implements Rule permits KilledByCgroupOom, KilledByHostOom {
    @Override
    public final List<Fact<Host, ?>> needs() {
        return List.of(KernelEvents.FACT);
    }

    /// Whether this rule is about such a kill.
    abstract boolean isAbout(OomKill kill);

    /// Where kills belong together: one finding each.
    abstract String place(OomKill kill);

    abstract String headline(Evidence evidence, RecentKills last, int times);

    abstract List<Saw> saw(OomKill kill);

    abstract String so();

    abstract List<Remedy> remedies(RecentKills last);

    @Override
    public final Verdict judge(Evidence evidence) {
        Map<String, List<RecentKills>> byPlace = new LinkedHashMap<>();
        for (RecentKills kill : RecentKills.in(evidence))
            if (isAbout(kill.kill()))
                byPlace.computeIfAbsent(place(kill.kill()), _ -> new ArrayList<>())
                        .add(kill);
        List<Finding> findings = new ArrayList<>();
        for (List<RecentKills> kills : byPlace.values()) findings.add(finding(evidence, kills));
        return Verdict.of(findings, "the kernel log holds no such kill");
    }

    private Finding finding(Evidence evidence, List<RecentKills> kills) {
        List<RecentKills> counted = kills.stream().filter(RecentKills::counts).toList();
        RecentKills last = counted.isEmpty() ? kills.getLast() : counted.getLast();
        OomVictim victim = last.kill().victim();
        List<Saw> saw = new ArrayList<>();
        saw.add(Saw.of("kills", new Count(counted.isEmpty() ? kills.size() : counted.size()), "kernel log oom-kill"));
        victim.anonRss()
                .ifPresent(anon -> saw.add(Saw.of("anonymous memory of the victim", anon, "kernel log anon-rss")));
        saw.addAll(saw(last.kill()));
        last.kill().largerThanTheVictim().ifPresent(guilty -> saw.add(guilty(guilty)));
        return new Finding(
                        this,
                        counted.isEmpty() ? Severity.ADVICE : Severity.CRITICAL,
                        new Signs().decides(true).confidence(),
                        headline(evidence, last, counted.isEmpty() ? kills.size() : counted.size()),
                        saw,
                        so(),
                        new Subject(
                                OptionalInt.of(victim.pid()),
                                victim.name(),
                                victim.cgroup().orElse(""),
                                "",
                                "",
                                affected(evidence, last)),
                        remedies(last))
                .explaining(
                        !counted.isEmpty(),
                        victim.name() + " (pid " + victim.pid() + ") was killed " + last.shownAge());
    }

    /// The victim, and the servers that run in its cgroup now: it was started again.
    private static Set<Integer> affected(Evidence evidence, RecentKills kill) {
        Set<Integer> pids = new HashSet<>(Set.of(kill.kill().victim().pid()));
        String path = kill.kill().victim().cgroup().orElse("/");
        for (Workload server : evidence.servers())
            if (MemoryLimits.chain(evidence, server).stream()
                    .anyMatch(id -> !id.isRoot() && id.path().equals(path)))
                pids.add(server.main().pid());
        return pids;
    }

    private static Saw guilty(OomTask task) {
        return Saw.of(
                "held by " + task.name() + " (pid " + task.pid() + "), larger and still alive",
                task.held(),
                "kernel log task table");
    }

    static String victimOf(RecentKills kill) {
        OomVictim victim = kill.kill().victim();
        String held = victim.anonRss()
                .map(Bytes::shown)
                .map(s -> ", " + s + " anonymous")
                .orElse("");
        return victim.name() + " (pid " + victim.pid() + held + ")";
    }
}
