// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.CgroupName;
import dev.ullage.diagnosis.view.MemoryLimits;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
/// The kernel counted a kill in a server's cgroup, and its log cannot be read: from inside a container this is all
/// there
/// is.

public final class CgroupCountedKill implements Rule {

    @Override
    public String name() {
        return "cgroup-counted-a-kill";
    }

    @Override
    public Cause cause() {
        return Cause.CGROUP_LIMIT;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(CgroupMounts.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cgroup-memory-exhausted", "cold-start", "slow-disk", "disk-contention", "page-cache-thrash");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        if (evidence.latest(KernelEvents.FACT).isPresent())
            return new Verdict.NotApplicable("the kernel log can be read and tells more");
        Map<CgroupId, MemoryCgroup> counted = new LinkedHashMap<>();
        Map<CgroupId, Workload> members = new LinkedHashMap<>();
        for (Workload workload : evidence.workloads())
            for (MemoryCgroup cgroup : MemoryLimits.above(evidence, workload).limited())
                if (cgroup.oomKills() > 0) {
                    counted.put(cgroup.id(), cgroup);
                    members.putIfAbsent(cgroup.id(), workload);
                }
        List<Finding> findings = new ArrayList<>();
        counted.forEach((id, cgroup) -> findings.add(finding(evidence, cgroup, members.get(id))));
        return Verdict.of(findings, "no cgroup of a server has counted a kill");
    }

    private Finding finding(Evidence evidence, MemoryCgroup cgroup, Workload member) {
        long now = evidence.change(MemoryCgroup.FACT, cgroup.id())
                .map(change -> change.increase(MemoryCgroup::oomKills))
                .orElse(0L);
        Bytes limit = cgroup.bindingLimit().orElse(Bytes.NONE);
        String who = CgroupName.shown(evidence, cgroup.id().path());
        String place = cgroup.id().isRoot() ? "this container" : who;
        return new Finding(
                        this,
                        now > 0 ? Severity.CRITICAL.forWhat(member) : Severity.ADVICE,
                        new Signs().decides(now > 0).sign(true).confidence(),
                        now > 0
                                ? "the kernel killed " + now + (now == 1 ? " process" : " processes") + " of " + place
                                        + " while we looked: its limit of " + limit.shown() + " was used up"
                                : "the kernel has killed " + cgroup.oomKills()
                                        + (cgroup.oomKills() == 1 ? " process" : " processes") + " of " + place
                                        + " since it was made, for its limit of " + limit.shown(),
                        List.of(
                                Saw.of(
                                        "kills counted",
                                        new Count(cgroup.oomKills()),
                                        cgroup.id().file(cgroup.id().isV2() ? "memory.events" : "memory.oom_control")
                                                + " oom_kill"),
                                Saw.of("of them while we looked", new Count(now), "the same, twice"),
                                Saw.of(
                                        "limit",
                                        limit,
                                        cgroup.id().file(cgroup.id().isV2() ? "memory.max" : "memory.limit_in_bytes")),
                                Saw.of(
                                        "cannot be reclaimed now",
                                        cgroup.unreclaimable(),
                                        cgroup.id().file("memory.stat"))),
                        "when and whom, only the kernel log says, which cannot be read here",
                        Subject.of(member).in(cgroup.id()),
                        List.of(RaiseMemoryLimit.to(cgroup, limit.times(1.25))))
                .explaining(
                        now > 0,
                        "the kernel killed " + now + (now == 1 ? " process" : " processes") + " of " + place
                                + " while we looked");
    }
}
