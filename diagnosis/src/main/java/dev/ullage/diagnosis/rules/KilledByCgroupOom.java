// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.view.CgroupName;
import dev.ullage.diagnosis.view.RecentKills;
import dev.ullage.host.Evidence;
import dev.ullage.host.kernellog.OomCgroup;
import dev.ullage.host.kernellog.OomKill;
import dev.ullage.host.kernellog.OomScope;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        return Set.of("cgroup-memory-exhausted", "cold-start", "slow-disk", "disk-contention", "page-cache-thrash");
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
    String headline(Evidence evidence, RecentKills last, int times) {
        String limit = last.kill()
                .cgroup()
                .flatMap(c -> c.memory().flatMap(OomCgroup.Charge::limit))
                .map(l -> " of " + l.shown())
                .orElse("");
        return "the kernel killed " + victimOf(last) + " " + last.shownAge() + ": "
                + CgroupName.shown(evidence, place(last.kill())) + " had used up its limit" + limit
                + (times > 1 ? "; " + times + " kills in all" : "");
    }

    @Override
    List<Saw> saw(OomKill kill) {
        List<Saw> saw = new ArrayList<>();
        kill.cgroup().ifPresent(cgroup -> {
            cgroup.memory()
                    .ifPresent(charge ->
                            saw.add(Saw.of("used at that moment", charge.usage(), "kernel log memory: usage")));
            cgroup.anonymous()
                    .ifPresent(b -> saw.add(Saw.of("of that anonymous", b, "kernel log Memory cgroup stats")));
            cgroup.pageCache()
                    .ifPresent(b -> saw.add(Saw.of("of that page cache", b, "kernel log Memory cgroup stats")));
            cgroup.shmem()
                    .filter(b -> b.bytes() > 0)
                    .ifPresent(b ->
                            saw.add(Saw.of("of that shared memory and tmpfs", b, "kernel log Memory cgroup stats")));
            cgroup.swap()
                    .filter(charge -> charge.usage().bytes() > 0)
                    .ifPresent(charge -> saw.add(Saw.of("swapped out", charge.usage(), "kernel log swap: usage")));
        });
        return saw;
    }

    @Override
    String so() {
        return "the host had memory; the server died at the limit of its container or unit and will again";
    }

    @Override
    List<Remedy> remedies(RecentKills last) {
        Bytes limit = last.kill()
                .cgroup()
                .flatMap(c -> c.memory().flatMap(OomCgroup.Charge::limit))
                .orElse(Bytes.NONE);
        // A limit that the log does not tell is no limit of 0.
        Optional<Remedy> raise = last.cgroup()
                .filter(_ -> limit.bytes() > 0)
                .map(id -> RaiseMemoryLimit.from(id, limit, limit.times(1.25)));
        List<Remedy> remedies = new ArrayList<>();
        raise.ifPresent(remedies::add);
        remedies.add(Remedy.medium(
                "make the server smaller: fewer workers, a shorter context, a smaller quantisation",
                "",
                Remedy.Cost.RESTART,
                Remedy.Risk.RESULTS_CHANGE,
                "ullage diagnose",
                "start it with the old settings"));
        return remedies;
    }
}
