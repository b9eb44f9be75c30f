// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CgroupMembers;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.kernellog.OomKill;
import dev.ullage.host.kernellog.OomScope;
import dev.ullage.host.kernellog.OomVictim;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One kill by the kernel's OOM killer, with its age.
///
/// @param age empty when the log does not say when
/// @param cgroup whose limit it was, when it was a cgroup's
/// @param counts whether it is news about a server: young enough, and what was killed was a server or is gone
public record RecentKills(OomKill kill, Optional<Seconds> age, Optional<CgroupId> cgroup, boolean counts) {
    public static List<RecentKills> in(Evidence evidence) {
        List<RecentKills> kills = new ArrayList<>();
        double now = evidence.to().monotonic().seconds();
        KernelEvents log = evidence.latest(KernelEvents.FACT).orElse(KernelEvents.NONE);
        for (OomKill kill : log.kills()) {
            // Whoever asks to be killed first is no loss: Ullage itself does.
            if (kill.victim().oomScoreAdj().orElse(0) >= 1000) continue;
            Optional<Seconds> age = kill.sinceBoot().map(at -> new Seconds(Math.max(0, now - at.seconds())));
            boolean young =
                    age.map(a -> a.compareTo(evidence.focus().since()) <= 0).orElse(false);
            kills.add(
                    new RecentKills(kill, age, cgroupOf(evidence, kill), young && wasServer(evidence, kill.victim())));
        }
        return kills;
    }

    private static Optional<CgroupId> cgroupOf(Evidence evidence, OomKill kill) {
        String path =
                switch (kill.scope()) {
                    case OomScope.OfCgroup(String limited) -> limited;
                    case OomScope.OfUnnamedCgroup _ -> kill.victim().cgroup().orElse("");
                    case OomScope.OfTheHost _, OomScope.NotSaid _ -> "";
                };
        if (path.isEmpty()) return Optional.empty();
        return evidence.latest(CgroupMounts.FACT)
                .map(mounts -> mounts.of("memory"))
                .orElse(Optional.empty())
                .map(mounted -> new CgroupId(mounted.version(), mounted.mountPoint(), path));
    }

    private static boolean wasServer(Evidence evidence, OomVictim victim) {
        String path = victim.cgroup().orElse("/");
        for (Workload server : evidence.servers()) {
            boolean sameName = evidence.lastSeen(ProcessStat.FACT, server.main())
                    .map(stat -> stat.command().equals(victim.name()))
                    .orElse(false);
            boolean sameCgroup = MemoryLimits.chain(evidence, server).stream()
                    .anyMatch(id -> !id.isRoot() && id.path().equals(path));
            if (sameName || sameCgroup) return true;
        }
        return isLeft(evidence, path) || hasNameOfEngine(victim.name());
    }

    /// Whether the cgroup is gone, or nobody is in it any more.
    private static boolean isLeft(Evidence evidence, String path) {
        if (path.equals("/")) return false;
        for (CgroupId id : evidence.subjects(CgroupMembers.FACT)) {
            if (!id.path().equals(path)) continue;
            return switch (evidence.latest(CgroupMembers.FACT, id)) {
                case Reading.Present<CgroupMembers>(CgroupMembers members) ->
                    members.pids().isEmpty();
                case Reading.Absent<CgroupMembers> absent ->
                    switch (absent.cause()) {
                        case NOT_PRESENT, VANISHED -> true;
                        case NO_PERMISSION, NOT_ON_THIS_KERNEL, NOT_CONFIGURED, NOT_RECORDED, MALFORMED, TIMED_OUT ->
                            false;
                    };
            };
        }
        return false;
    }

    /// The kernel's names have 15 characters; Python servers show as python or as the title they set.
    private static boolean hasNameOfEngine(String name) {
        return name.startsWith("python")
                || name.startsWith("pt_main_thread")
                || name.startsWith("ray::")
                || Engine.of(new CommandLine(List.of(name))).isPresent();
    }

    /// `4 min ago`.
    public String shownAge() {
        return age.map(a -> a.shown() + " ago").orElse("at an unknown time");
    }
}
