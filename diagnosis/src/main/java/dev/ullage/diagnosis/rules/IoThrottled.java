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
import dev.ullage.diagnosis.view.IoLimit;
import dev.ullage.diagnosis.view.Reads;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.server.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A cgroup limits how fast a server may read, and the server reads at the limit and waits.
public final class IoThrottled implements Rule {
    /// Of the limit that is used for it to be what holds the server back; the kernel spends it in slices.
    private static final double AT_THE_LIMIT = 0.6;

    @Override
    public String name() {
        return "io-throttled";
    }

    @Override
    public Cause cause() {
        return Cause.IO_THROTTLED;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(CgroupMounts.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cold-start", "slow-disk", "disk-contention");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no IO limit on the device of a model";
        for (Workload workload : evidence.servers()) {
            Optional<IoLimit> tightest = IoLimit.tightest(evidence, workload);
            if (tightest.isEmpty()) continue;
            IoLimit limit = tightest.get();
            Stall stall = Stall.of(evidence, workload);
            clear = "the limit of " + CgroupName.shown(evidence, limit.cgroup().path()) + " on " + limit.deviceName()
                    + " is used to " + limit.used().shown();
            boolean waits = stall.waiting().isAtLeast(Severity.WARNING_STALL);
            if (waits && limit.used().isAtLeast(AT_THE_LIMIT))
                findings.add(finding(evidence, workload, limit, stall, Reads.of(evidence, workload)));
        }
        return Verdict.of(findings, clear);
    }

    private Finding finding(Evidence evidence, Workload workload, IoLimit limit, Stall stall, Reads reads) {
        return new Finding(
                this,
                Severity.ofStall(stall.waiting()),
                new Signs()
                        .decides(limit.used().isAtLeast(0.8))
                        .sign(true)
                        .sign(stall.waiting().isAtLeast(Severity.CRITICAL_STALL))
                        .confidence(),
                CgroupName.shown(evidence, limit.cgroup().path()) + " may read " + limit.shownLimit() + " from "
                        + limit.deviceName() + ", and "
                        + workload.shown() + " waits at that limit "
                        + stall.waiting().shown() + " of the time",
                List.of(
                        Saw.of("limit", limit.limit(), limit.source()),
                        Saw.of("used of it", limit.used(), limit.usedSource()),
                        Saw.of(
                                "read by the server",
                                reads.rate(),
                                "/proc/" + workload.main().pid() + "/io read_bytes"),
                        stall.saw()),
                "the device would give more; the kernel holds the reads back",
                Subject.of(workload).in(limit.cgroup()).onDevice(limit.deviceName()),
                List.of(Remedy.now(
                        "lift the read limit of " + limit.cgroup().path() + " on " + limit.deviceName(),
                        limit.liftCommand(),
                        Remedy.Cost.NONE,
                        Remedy.Risk.NONE,
                        "ullage diagnose --pid " + workload.main().pid(),
                        limit.restoreCommand())));
    }
}
