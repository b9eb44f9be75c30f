// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.CgroupName;
import dev.ullage.diagnosis.view.MemoryLimits;
import dev.ullage.diagnosis.view.Reads;
import dev.ullage.diagnosis.view.Refaults;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.diagnosis.view.Thrash;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.VmStat;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A server thrashes, its page cache or its swap, because its cgroup may use less than it needs, on a host that has
/// the room. The limit is the cause; the thrash is how it shows.
public final class CgroupLimitTooLow implements Rule {
    @Override
    public String name() {
        return "cgroup-limit-too-low";
    }

    @Override
    public Cause cause() {
        return Cause.CGROUP_LIMIT;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT, VmStat.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    /// Reclaim takes the CPU too: what brings pages in and throws them out runs beside the server.
    @Override
    public Set<String> accountsFor() {
        return Set.of(
                "page-cache-thrash",
                "swap-thrash",
                "cold-start",
                "cpu-bound",
                "slow-disk",
                "disk-contention",
                "cgroup-memory-exhausted",
                "memory-leak");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no memory limit above a server was hit in the window";
        for (Workload workload : evidence.workloads()) {
            Optional<MemoryCgroup> hit = MemoryLimits.above(evidence, workload).hit(evidence);
            if (hit.isEmpty()) continue;
            Thrash thrash = Thrash.of(evidence, workload);
            Refaults refaults = thrash.refaults();
            boolean swaps = SwapThrash.isSwapping(refaults);
            // A program without a model that re-reads files in a small box is nobody's server.
            if (!(thrash.isOn() && workload.isServer()) && !swaps) {
                clear = "the limit of " + hit.get().id().path() + " is reached by cache that nobody has to read again";
                continue;
            }
            Bytes missing = swaps && !(thrash.isOn() && workload.isServer())
                    ? hit.get()
                            .swapped()
                            .plus(hit.get().bindingLimit().orElse(Bytes.NONE).times(0.1))
                    : thrash.missingUnder(hit.get());
            if (!Thrash.hostHasRoomFor(evidence, missing)) {
                clear = "raising the limit of " + hit.get().id().path() + " would not help: it lacks " + missing.shown()
                        + ", the host has "
                        + evidence.latest(MemInfo.FACT).orThrow().available().shown() + " left";
                continue;
            }
            findings.add(finding(evidence, workload, hit.get(), thrash, missing));
        }
        return Verdict.of(findings, clear);
    }

    private static String ownPath(Evidence evidence, Workload workload) {
        return MemoryLimits.chain(evidence, workload).stream()
                .findFirst()
                .map(CgroupId::path)
                .orElse("");
    }

    private Finding finding(Evidence evidence, Workload workload, MemoryCgroup cgroup, Thrash thrash, Bytes missing) {
        Reads reads = thrash.reads();
        Stall stall = Stall.of(evidence, workload);
        Bytes limit = cgroup.bindingLimit().orElse(Bytes.NONE);
        Bytes available = evidence.latest(MemInfo.FACT).orThrow().available();
        long hits = MemoryLimits.hits(evidence, cgroup);
        boolean byCache = thrash.isOn();
        Signs signs = new Signs()
                .sign(hits > 0)
                .sign(thrash.refaults().file().perSecond() > 0
                        || thrash.refaults().anonymous().perSecond() > 0)
                .sign(!byCache
                        || thrash.reads().lost().isMoreThan(thrash.reads().kept()))
                .sign(available.isMoreThan(missing.times(2)));
        String who = ownPath(evidence, workload).equals(cgroup.id().path())
                ? "its cgroup"
                : CgroupName.shown(evidence, cgroup.id().path()) + " around it";
        String headline = byCache
                ? workload.shown() + " maps " + reads.mapped().shown() + " of model, " + who + " may hold "
                        + limit.shown() + "; the host has " + available.shown() + " to spare"
                : workload.shown() + " swaps because " + who + " may hold only " + limit.shown() + "; the host has "
                        + available.shown() + " to spare";
        List<Saw> saw = new ArrayList<>();
        saw.add(Saw.of(
                "memory limit", limit, cgroup.id().file(cgroup.id().isV2() ? "memory.max" : "memory.limit_in_bytes")));
        saw.add(Saw.of(
                "times the limit was hit",
                new Count(hits),
                cgroup.id().file(cgroup.id().isV2() ? "memory.events" : "memory.failcnt")));
        if (byCache) {
            saw.add(Saw.of(
                    "read from storage",
                    reads.rate(),
                    "/proc/" + workload.main().pid() + "/io read_bytes"));
            saw.add(Saw.of("growth of the model in memory", reads.residentGrowth(), reads.residentSource()));
            saw.add(Saw.of(
                    "pages read again after eviction",
                    thrash.refaults().file(),
                    thrash.refaults().source()));
        } else {
            saw.add(Saw.of(
                    "pages swapped in again",
                    thrash.refaults().anonymous(),
                    cgroup.id().file("memory.stat") + " workingset_refault_anon"));
        }
        saw.add(stall.saw());
        saw.add(Saw.of("memory the host has left", available, "/proc/meminfo MemAvailable"));
        return new Finding(
                this,
                Severity.ofStall(stall.withKernelWork()).forWhat(workload),
                signs.confidence(),
                headline,
                saw,
                "every page that comes in pushes out one that is needed next, so the model is read again for every token",
                Subject.of(workload)
                        .in(cgroup.id())
                        .at(
                                workload.models().isEmpty()
                                        ? ""
                                        : workload.models().getFirst().path()),
                List.of(
                        RaiseMemoryLimit.to(cgroup, limit.plus(missing)),
                        Remedy.medium(
                                "serve a smaller quantisation of the model, below "
                                        + limit.times(0.8).shown(),
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.RESULTS_CHANGE,
                                "ullage diagnose --pid <new pid>",
                                "start the server with the old file")));
    }
}
