// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Shell;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.CgroupName;
import dev.ullage.diagnosis.view.Holders;
import dev.ullage.diagnosis.view.MemoryLimits;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A cgroup's limit is used up by what cannot be reclaimed: the next allocation above it ends in a kill.
public final class CgroupMemoryExhausted implements Rule {
    /// From here on the judgement contract calls it a warning.
    private static final double UNRECLAIMABLE_SHARE = 0.95;

    @Override
    public String name() {
        return "cgroup-memory-exhausted";
    }

    @Override
    public Cause cause() {
        return Cause.CGROUP_LIMIT;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT, CgroupMounts.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("page-cache-thrash", "cold-start", "slow-disk");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        Map<CgroupId, MemoryCgroup> full = new LinkedHashMap<>();
        Map<CgroupId, List<Workload>> members = new LinkedHashMap<>();
        String clear = "no server is under a memory limit";
        for (Workload workload : evidence.workloads()) {
            for (MemoryCgroup cgroup : MemoryLimits.above(evidence, workload).limited()) {
                if (!cgroup.unreclaimableShare().isAtLeast(UNRECLAIMABLE_SHARE) || canSwap(evidence, cgroup)) {
                    clear = cgroup.unreclaimable().shown() + " of the "
                            + cgroup.bindingLimit().orElse(Bytes.NONE).shown() + " that "
                            + CgroupName.shown(evidence, cgroup.id().path()) + " may use cannot be reclaimed";
                    continue;
                }
                full.put(cgroup.id(), cgroup);
                members.computeIfAbsent(cgroup.id(), _ -> new ArrayList<>()).add(workload);
            }
        }
        List<Finding> findings = new ArrayList<>();
        full.forEach((id, cgroup) -> findings.add(finding(evidence, cgroup, members.get(id))));
        return Verdict.of(findings, clear);
    }

    /// Whether anonymous memory still has somewhere to go.
    private static boolean canSwap(Evidence evidence, MemoryCgroup cgroup) {
        Bytes free = evidence.latest(MemInfo.FACT).orThrow().swapFree();
        Bytes tenth = cgroup.bindingLimit().orElse(Bytes.NONE).times(0.1);
        boolean allowed = cgroup.swapLimit()
                .map(l -> l.minus(cgroup.swapped()).isMoreThan(tenth))
                .orElse(true);
        return allowed && free.isMoreThan(tenth);
    }

    private Finding finding(Evidence evidence, MemoryCgroup cgroup, List<Workload> members) {
        Workload largest = members.stream()
                .max((a, b) -> Holders.own(evidence, a).compareTo(Holders.own(evidence, b)))
                .orElseThrow();
        Bytes limit = cgroup.bindingLimit().orElse(Bytes.NONE);
        long hits = MemoryLimits.hits(evidence, cgroup);
        Set<Integer> affected = new HashSet<>();
        members.forEach(m -> affected.add(m.main().pid()));
        CgroupId id = cgroup.id();
        return new Finding(
                this,
                Severity.WARNING,
                new Signs()
                        .decides(cgroup.unreclaimableShare().isAtLeast(0.98))
                        .sign(cgroup.unreclaimableShare().isAtLeast(UNRECLAIMABLE_SHARE))
                        .sign(!canSwap(evidence, cgroup))
                        .sign(hits > 0 || cgroup.limitHits() > 0)
                        .confidence(),
                cgroup.unreclaimable().shown() + " of the " + limit.shown() + " that "
                        + CgroupName.shown(evidence, id.path())
                        + " may use cannot be reclaimed; " + largest.shown() + " holds "
                        + Holders.own(evidence, largest).shown(),
                List.of(
                        Saw.of("memory limit", limit, id.file(id.isV2() ? "memory.max" : "memory.limit_in_bytes")),
                        Saw.of("anonymous memory", cgroup.anonymous(), id.file("memory.stat")),
                        Saw.of("shared memory and tmpfs", cgroup.shmem(), id.file("memory.stat")),
                        Saw.of("page cache it could give back", cgroup.reclaimableFile(), id.file("memory.stat")),
                        Saw.of(
                                "times the limit was hit",
                                new Count(hits),
                                id.file(id.isV2() ? "memory.events" : "memory.failcnt"))),
                "the next request that needs memory ends in a kill by the kernel, with the host itself far from full",
                Subject.of(largest).in(id).affecting(affected),
                List.of(
                        RaiseMemoryLimit.to(cgroup, limit.times(1.25)),
                        Remedy.medium(
                                "make the server smaller: fewer workers, a shorter context, a smaller quantisation",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.RESULTS_CHANGE,
                                "cat " + Shell.word(id.file("memory.stat")),
                                "start it with the old settings")));
    }
}
