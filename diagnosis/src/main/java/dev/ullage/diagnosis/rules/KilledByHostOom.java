// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.view.RecentKills;
import dev.ullage.host.Evidence;
import dev.ullage.host.kernellog.OomKill;
import dev.ullage.host.kernellog.OomScope;
import java.util.List;
import java.util.Set;

/// The kernel killed a server because the whole host was out of memory.
public final class KilledByHostOom extends KilledByOom {
    @Override
    public String name() {
        return "killed-by-host-oom";
    }

    @Override
    public Cause cause() {
        return Cause.HOST_RAM;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("host-memory-exhausted", "cold-start", "slow-disk", "disk-contention");
    }

    @Override
    boolean isAbout(OomKill kill) {
        return switch (kill.scope()) {
            case OomScope.OfTheHost _ -> true;
            case OomScope.OfCgroup _, OomScope.OfUnnamedCgroup _, OomScope.NotSaid _ -> false;
        };
    }

    @Override
    String place(OomKill kill) {
        return "the host";
    }

    @Override
    String headline(Evidence evidence, RecentKills last, int times) {
        return "the kernel killed " + victimOf(last) + " " + last.shownAge() + ": the host was out of memory"
                + (times > 1 ? "; " + times + " kills in all" : "");
    }

    @Override
    List<Saw> saw(OomKill kill) {
        return List.of();
    }

    @Override
    String so() {
        return "no limit was in the way: everything on this host together needs more RAM than it has";
    }

    @Override
    List<Remedy> remedies(RecentKills last) {
        return List.of(
                Remedy.now(
                        "before the next start, stop or move what holds the most memory beside it",
                        "ps -eo pid,rss,comm --sort=-rss | head",
                        Remedy.Cost.NONE,
                        Remedy.Risk.NONE,
                        "grep MemAvailable /proc/meminfo",
                        "start it again"),
                Remedy.medium(
                        "make the server smaller: one copy of the model, fewer workers, a smaller quantisation",
                        "",
                        Remedy.Cost.RESTART,
                        Remedy.Risk.RESULTS_CHANGE,
                        "ullage diagnose",
                        "start it with the old settings"),
                Remedy.byDesign("add RAM", "", Remedy.Cost.REBOOT, Remedy.Risk.NONE, "ullage diagnose", "-"));
    }
}
