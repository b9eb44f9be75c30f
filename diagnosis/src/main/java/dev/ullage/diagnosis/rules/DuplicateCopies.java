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
import dev.ullage.diagnosis.view.Copies;
import dev.ullage.diagnosis.view.MemoryLimits;
import dev.ullage.diagnosis.view.Thrash;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Several workers hold the same model, each a copy of its own. The cause only when the copies are what fills the limit
/// or the host; with room it is advice.
public final class DuplicateCopies implements Rule {
    private static final double FULL = 0.95;

    @Override
    public String name() {
        return "duplicate-copies";
    }

    @Override
    public Cause cause() {
        return Cause.DUPLICATE_COPIES;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of(
                "cgroup-memory-exhausted",
                "cgroup-limit-too-low",
                "host-memory-exhausted",
                "killed-by-cgroup-oom",
                "killed-by-host-oom",
                "page-cache-thrash",
                "swap-thrash",
                "cold-start",
                "slow-disk",
                "disk-contention",
                "memory-leak");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        for (Copies copies : Copies.in(evidence)) {
            Finding finding = finding(evidence, copies);
            // Pools of other programs are nobody's business as long as they fit.
            if (finding.isAlarm() || copies.holders().getFirst().isServer()) findings.add(finding);
        }
        return Verdict.of(findings, "no two processes hold a copy of the same model each");
    }

    private Finding finding(Evidence evidence, Copies copies) {
        Optional<MemoryCgroup> filled = filledCgroup(evidence, copies);
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        boolean fillsHost = !mem.availableShare().isAtLeast(1 - FULL)
                && copies.wasted().isMoreThan(mem.total().times(0.1));
        boolean thrashes = copies.holders().stream()
                .anyMatch(w -> Thrash.of(evidence, w).isOn()
                        || SwapThrash.isSwapping(Thrash.of(evidence, w).refaults()));
        boolean isCause = filled.isPresent() || fillsHost;
        Severity severity = !isCause
                ? Severity.ADVICE
                : thrashes
                        ? Severity.ofStall(copies.stall(evidence).withKernelWork())
                                .atMost(Severity.CRITICAL)
                        : Severity.WARNING;
        if (isCause && severity == Severity.ADVICE) severity = Severity.WARNING;
        String where = filled.map(c -> CgroupName.shown(evidence, c.id().path()) + " ("
                        + c.bindingLimit().orElse(Bytes.NONE).shown() + ")")
                .orElse(fillsHost ? "the host (" + mem.total().shown() + ")" : "");
        String fills = isCause ? " and fill " + where : "; there is room for them";
        Subject subject = Subject.of(copies.holders().getFirst());
        Set<Integer> affected = new HashSet<>();
        copies.holders().forEach(w -> affected.add(w.main().pid()));
        if (filled.isPresent()) subject = subject.in(filled.get().id());
        return new Finding(
                this,
                severity,
                new Signs()
                        .sign(true)
                        .sign(copies.count() > 1)
                        .sign(isCause)
                        .sign(!copies.isEstimate())
                        .confidence(),
                copies.count() + " " + copies.kind() + " of " + copies.model() + ", "
                        + copies.each().shown() + " each, where one would do" + fills,
                List.of(
                        Saw.of("copies", new Count(copies.count()), copies.source()),
                        Saw.of("each", copies.each(), copies.source()),
                        Saw.of("memory that one shared copy would free", copies.wasted(), copies.source()),
                        Saw.of("memory the host has left", mem.available(), "/proc/meminfo MemAvailable")),
                "every worker pays for the whole model again, so memory runs out at a number of workers that should be harmless",
                subject.affecting(affected),
                List.of(
                        Remedy.now(
                                "run fewer workers until the copies are shared",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.SLOWER,
                                "ullage diagnose",
                                "start the old number"),
                        Remedy.medium(
                                "let all workers map one file (GGUF or safetensors, mmap on), or load before forking",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.NONE,
                                "grep -h Pss_Anon /proc/"
                                        + copies.holders().getFirst().main().pid() + "/smaps_rollup",
                                "start it with the old settings")));
    }

    /// The limit that the copies fill: nearly all used, and with the spare copies gone it would have a tenth left.
    private static Optional<MemoryCgroup> filledCgroup(Evidence evidence, Copies copies) {
        for (MemoryCgroup cgroup :
                MemoryLimits.above(evidence, copies.holders().getFirst()).limited()) {
            Bytes limit = cgroup.bindingLimit().orElse(Bytes.NONE);
            Bytes used = copies.areInPageCache()
                    ? cgroup.usage()
                    : cgroup.unreclaimable().plus(cgroup.swapped());
            boolean full = used.shareOf(limit).isAtLeast(copies.areInPageCache() ? 0.9 : FULL);
            boolean pressed = !copies.areInPageCache() || MemoryLimits.hits(evidence, cgroup) > 0;
            if (full && pressed && copies.wasted().isMoreThan(limit.times(0.1))) return Optional.of(cgroup);
        }
        return Optional.empty();
    }
}
