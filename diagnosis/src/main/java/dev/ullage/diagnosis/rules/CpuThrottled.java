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
import dev.ullage.diagnosis.view.CpuUse;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cpu.CpuTime;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Count;
import dev.ullage.measure.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// A server is stopped by its CPU quota. It looks like waiting for memory or disk, and is neither.
public final class CpuThrottled implements Rule {
    /// Of the periods in which it wanted to run.
    private static final double OFTEN = 0.25;

    @Override
    public String name() {
        return "cpu-throttled";
    }

    @Override
    public Cause cause() {
        return Cause.NOT_MEMORY;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(CpuTime.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cpu-bound");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        for (Workload workload : evidence.servers()) {
            Optional<CpuUse.Throttled> throttled =
                    CpuUse.throttled(evidence, workload).filter(t -> t.share().isAtLeast(OFTEN));
            Stall stall = Stall.of(evidence, workload);
            CpuUse use = CpuUse.of(evidence, workload);
            boolean usesQuota = throttled
                    .map(t -> use.cores() >= 0.5 * t.cgroup().cores().orElse(0.0))
                    .orElse(false);
            if (usesQuota && !stall.waiting().isAtLeast(Severity.CRITICAL_STALL))
                findings.add(finding(workload, throttled.get(), use, stall));
        }
        return Verdict.of(findings, "no server was stopped by a CPU quota");
    }

    private Finding finding(Workload workload, CpuUse.Throttled throttled, CpuUse use, Stall stall) {
        CgroupId id = throttled.cgroup().id();
        double quota = throttled.cgroup().cores().orElse(0.0);
        String cores = String.format(Locale.ROOT, "%.2f", quota);
        return new Finding(
                this,
                Severity.WARNING,
                new Signs()
                        .decides(throttled.share().isAtLeast(0.5))
                        .sign(true)
                        .sign(!stall.waiting().isAtLeast(Severity.WARNING_STALL))
                        .confidence(),
                workload.shown() + " is stopped by its CPU quota of " + cores + " cores in "
                        + throttled.share().shown() + " of its periods; it does not wait for memory or disk",
                List.of(
                        Saw.of(
                                "share of periods in which it was stopped",
                                throttled.share(),
                                id.file("cpu.stat") + " nr_throttled"),
                        Saw.of(
                                "CPU time it used, in cores",
                                new Ratio(use.cores()),
                                "/proc/" + workload.main().pid() + "/stat"),
                        Saw.of("CPUs of the host", new Count(use.cpus()), "/proc/stat"),
                        stall.saw()),
                "tokens come as slowly as the quota lets them; more RAM or a faster disk would change nothing",
                Subject.of(workload).in(id),
                List.of(Remedy.now(
                        "raise the CPU quota of " + id.path(),
                        id.isV2()
                                ? "echo \"max 100000\" > " + Shell.word(id.file("cpu.max"))
                                : "echo -1 > " + Shell.word(id.file("cpu.cfs_quota_us")),
                        Remedy.Cost.NONE,
                        Remedy.Risk.NONE,
                        "grep nr_throttled " + Shell.word(id.file("cpu.stat")) + "  # stops growing",
                        id.isV2()
                                ? "echo \"" + (long) (quota * 100_000) + " 100000\" > " + Shell.word(id.file("cpu.max"))
                                : "echo " + (long) (quota * 100_000) + " > "
                                        + Shell.word(id.file("cpu.cfs_quota_us")))));
    }
}
