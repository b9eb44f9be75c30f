// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.Saw;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CgroupMembership;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.cgroup.CgroupPressure;
import dev.ullage.host.cpu.CpuTime;
import dev.ullage.host.memory.PressureStall;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.process.ThreadStates;
import dev.ullage.host.server.Workload;
import dev.ullage.host.service.Confinement;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Present;
import java.util.Optional;

/// How much of the window a workload stood still, by the best meter this host has.
///
/// In order: its threads looked at twenty times a second; the time it was delayed by block IO (when
/// `kernel.task_delayacct` is on); the IO and memory pressure of a cgroup of its own. Host-wide pressure is no meter
/// of one server: the backup next door makes it too.
///
/// @param waiting share of the window in which a thread of it waited uninterruptibly
/// @param system CPU time it spent in the kernel, as a share of the window: page faults and reclaim are work the
///     server did not ask for
/// @param source where [#waiting] was read
public record Stall(Ratio waiting, Ratio system, String source) {
    /// Never stalled, as far as anybody can tell.
    private static final Stall UNKNOWN = new Stall(Ratio.NONE, Ratio.NONE, "");

    public static Stall of(Evidence evidence, Workload workload) {
        Stall worst = UNKNOWN;
        for (ProcessId id : workload.processes()) {
            Stall stall = ofProcess(evidence, id);
            if (worst.source.isEmpty() || stall.waiting.compareTo(worst.waiting) > 0) worst = stall;
        }
        Optional<Ratio> pressure = ofOwnCgroup(evidence, workload);
        if (pressure.isPresent() && pressure.get().compareTo(worst.waiting) > 0)
            return new Stall(pressure.get(), worst.system, "io.pressure, memory.pressure of its cgroup");
        return worst;
    }

    private static Stall ofProcess(Evidence evidence, ProcessId id) {
        Ratio system = Ratio.NONE;
        Ratio delayed = Ratio.NONE;
        if (evidence.change(ProcessStat.FACT, id) instanceof Present<Change<ProcessStat>>(Change<ProcessStat> change)) {
            system = ofTicks(change, change.increase(ProcessStat::systemTicks));
            delayed = ofTicks(change, change.increase(ProcessStat::delayedTicks));
        }
        if (evidence.latest(ThreadStates.FACT, id) instanceof Present<ThreadStates>(ThreadStates states))
            return new Stall(states.waitingShare(), system, "/proc/" + id.pid() + "/task/*/stat state D");
        if (delayed.ratio() > 0) return new Stall(delayed, system, "/proc/" + id.pid() + "/stat field 42");
        return new Stall(Ratio.NONE, system, "");
    }

    private static Ratio ofTicks(Change<?> change, long ticks) {
        return new Ratio(
                Math.min(1, ticks / CpuTime.TICKS_PER_SECOND / change.elapsed().seconds()));
    }

    /// Pressure of the innermost v2 cgroup of the main process, unless that is the root, which is the
    /// whole host (or, in a container, the container).
    private static Optional<Ratio> ofOwnCgroup(Evidence evidence, Workload workload) {
        if (!(evidence.latest(CgroupMounts.FACT) instanceof Present<CgroupMounts>(CgroupMounts mounts))
                || !(evidence.lastSeen(CgroupMembership.FACT, workload.main())
                        instanceof Present<CgroupMembership>(CgroupMembership membership))) return Optional.empty();
        Optional<CgroupId> own =
                mounts.locateUnified(membership).filter(id -> !id.isRoot() || Confinement.hasOwnRoot(evidence));
        return own.map(id -> {
            Ratio io = some(evidence, CgroupPressure.IO, id);
            Ratio memory = some(evidence, CgroupPressure.MEMORY, id);
            return io.compareTo(memory) > 0 ? io : memory;
        });
    }

    private static Ratio some(Evidence evidence, Fact<CgroupId, PressureStall> fact, CgroupId id) {
        return evidence.change(fact, id)
                .map(change -> change.share(PressureStall::some))
                .orElse(Ratio.NONE);
    }

    public boolean isKnown() {
        return !source.isEmpty();
    }

    /// Waiting plus work in the kernel: what a thrash costs, where half of the loss is reclaim and fault handling.
    public Ratio withKernelWork() {
        return new Ratio(Math.min(1, waiting.ratio() + system.ratio()));
    }

    public Saw saw() {
        return Saw.of("share of the window it waited", waiting, source);
    }
}
