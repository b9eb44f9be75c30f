// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.view.RecentKills;
import dev.ullage.host.kernellog.OomCgroup;
import dev.ullage.host.kernellog.OomKill;
import dev.ullage.host.kernellog.OomScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The kernel killed a server because its cgroup had used up its limit; the host itself had memory.
public final class KilledByCgroupOom extends KilledByOom {
    @Override
    public String name() {
        return "killed-by-cgroup-oom";
    }

    @Override
    public Cause cause() {
        return Cause.CGROUP_LIMIT;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cgroup-memory-exhausted");
    }

    @Override
    boolean isAbout(OomKill kill) {
        return switch (kill.scope()) {
            case OomScope.OfCgroup _, OomScope.OfUnnamedCgroup _ -> true;
            case OomScope.OfTheHost _, OomScope.NotSaid _ -> false;
        };
    }

    @Override
    String place(OomKill kill) {
        return switch (kill.scope()) {
            case OomScope.OfCgroup(String path) -> path;
            case OomScope.OfUnnamedCgroup _ -> kill.victim().cgroup().orElse("a cgroup the log does not name");
            case OomScope.OfTheHost _, OomScope.NotSaid _ -> "the host";
        };
    }

    @Override
    String headline(RecentKills last, int times) {
        String limit = last.kill()
                .cgroup()
                .flatMap(c -> c.memory().flatMap(OomCgroup.Charge::limit))
                .map(l -> " of " + l.shown())
                .orElse("");
        return "the kernel killed " + victimOf(last) + " " + last.shownAge() + ": " + place(last.kill())
                + " had used up its limit" + limit + (times > 1 ? "; " + times + " kills in all" : "");
    }

    @Override
    List<Saw> saw(OomKill kill) {
        List<Saw> saw = new ArrayList<>();
        kill.cgroup().ifPresent(cgroup -> {
            cgroup.memory()
                    .ifPresent(charge ->
                            saw.add(Saw.of("used at that moment", charge.usage(), "kernel log memory: usage")));
            cgroup.pageCache()
                    .ifPresent(b -> saw.add(Saw.of("of that page cache", b, "kernel log Memory cgroup stats")));
        });
        return saw;
    }

    @Override
    String so() {
        return "the host had memory; the server died at the limit of its container or unit and will again";
    }

    @Override
    List<Remedy> remedies(RecentKills last) {
        String path = place(last.kill());
        String needed = last.kill()
                .cgroup()
                .flatMap(c -> c.memory().flatMap(OomCgroup.Charge::limit))
                .map(l -> String.valueOf(l.times(1.5).bytes()))
                .orElse("<bytes>");
        String unit = path.substring(path.lastIndexOf('/') + 1);
        String command = unit.endsWith(".service") || unit.endsWith(".slice")
                ? "systemctl set-property " + unit + " MemoryMax=" + needed
                : path.startsWith("/docker/")
                        ? "docker update --memory " + needed + " --memory-swap " + needed + " " + unit
                        : "echo " + needed + " > /sys/fs/cgroup" + path + "/memory.max";
        return List.of(
                Remedy.now(
                        "raise the limit before the next start",
                        command,
                        Remedy.Cost.RESTART,
                        Remedy.Risk.NONE,
                        "dmesg | grep -c oom-kill  # stops growing",
                        "set the old limit again"),
                Remedy.medium(
                        "make the server smaller: fewer workers, a shorter context, a smaller quantisation",
                        "",
                        Remedy.Cost.RESTART,
                        Remedy.Risk.RESULTS_CHANGE,
                        "ullage diagnose",
                        "start it with the old settings"));
    }
}
