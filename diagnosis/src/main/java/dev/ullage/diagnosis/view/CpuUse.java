// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CpuCgroup;
import dev.ullage.host.cpu.CpuTime;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.process.RunQueue;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Present;
import java.util.Optional;

/// CPU time of a workload and of its host in the window.
///
/// @param cores CPUs' worth of time the workload used: 1.98 = nearly two cores
/// @param queued time its threads were runnable with no CPU free, as cores like [#cores]
/// @param held share of the window in which the thread that waited longest for a CPU did so
/// @param hostBusy share of all CPUs' time that was used
/// @param steal share that the hypervisor gave to others
public record CpuUse(double cores, double queued, Ratio held, int cpus, Ratio hostBusy, Ratio steal) {
    public static CpuUse of(Evidence evidence, Workload workload) {
        double cores = 0;
        double queued = 0;
        double held = 0;
        for (ProcessId id : workload.processes()) {
            queued += evidence.change(RunQueue.FACT, id)
                    .map(c -> Math.max(
                                    0,
                                    c.after().waited().seconds()
                                            - c.before().waited().seconds())
                            / c.elapsed().seconds())
                    .orElse(0.0);
            held = Math.max(
                    held,
                    evidence.change(RunQueue.FACT, id)
                            .map(c -> c.after().longestWaitSince(c.before()).seconds()
                                    / c.elapsed().seconds())
                            .orElse(0.0));
            cores += evidence.change(ProcessStat.FACT, id)
                    .map(c -> c.increase(ProcessStat::ticks)
                            / CpuTime.TICKS_PER_SECOND
                            / c.elapsed().seconds())
                    .orElse(0.0);
        }
        if (!(evidence.change(CpuTime.FACT) instanceof Present<Change<CpuTime>>(Change<CpuTime> host)))
            return new CpuUse(cores, queued, new Ratio(Math.min(1, held)), 1, Ratio.NONE, Ratio.NONE);
        // As doubles: the sum of five absurd counters must not wrap around.
        double busy = (double) host.increase(CpuTime::user) + host.increase(CpuTime::system);
        double steal = host.increase(CpuTime::steal);
        double all = busy + steal + host.increase(CpuTime::idle) + host.increase(CpuTime::iowait);
        return new CpuUse(
                cores,
                queued,
                new Ratio(Math.min(1, held)),
                host.after().cpus(),
                new Ratio(busy / Math.max(1, all)),
                new Ratio(steal / Math.max(1, all)));
    }

    /// A quota that stopped the workload in the window.
    ///
    /// @param share of the periods in which it wanted to run, the ones in which it was stopped
    public record Throttled(CpuCgroup cgroup, Ratio share) {}

    public static Optional<Throttled> throttled(Evidence evidence, Workload workload) {
        Throttled worst = null;
        for (CgroupId id : CgroupsAbove.chain(evidence, workload, "cpu")) {
            if (!(evidence.change(CpuCgroup.FACT, id) instanceof Present<Change<CpuCgroup>>(Change<CpuCgroup> change)))
                continue;
            long periods = change.increase(CpuCgroup::periods);
            if (periods == 0 || change.after().cores().isEmpty()) continue;
            Ratio share = new Ratio((double) change.increase(CpuCgroup::throttledPeriods) / periods);
            if (worst == null || share.compareTo(worst.share) > 0) worst = new Throttled(change.after(), share);
        }
        return Optional.ofNullable(worst);
    }
}
