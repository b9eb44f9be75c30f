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
import dev.ullage.diagnosis.view.CpuUse;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cpu.CpuTime;
import dev.ullage.host.memory.PressureStall;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A server computes as fast as its CPUs allow. Slow perhaps, but not for want of memory or disk.
///
/// Advice as long as it gets the CPU it asks for: computing is its job. A warning when it is kept from running, by
/// other processes or by the hypervisor.
public final class CpuBound implements Rule {
    private static final double NEARLY_ONE_CORE = 0.8;
    /// Of the time it ran, the time it stood in the run queue: from here on it gets less than two thirds of what it
    /// asks for.
    private static final double CROWDED = 0.5;

    @Override
    public String name() {
        return "cpu-bound";
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
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        Ratio crowded = evidence.change(PressureStall.CPU)
                .map(c -> c.share(PressureStall::some))
                .orElse(Ratio.NONE);
        for (Workload workload : evidence.servers()) {
            CpuUse use = CpuUse.of(evidence, workload);
            Stall stall = Stall.of(evidence, workload);
            boolean computes =
                    use.cores() >= NEARLY_ONE_CORE && !stall.waiting().isAtLeast(Severity.WARNING_STALL);
            boolean queues = use.held().isAtLeast(Severity.WARNING_STALL) && use.queued() >= CROWDED * use.cores();
            boolean starved = (queues || isStolenFrom(use)) && !stall.waiting().isAtLeast(Severity.WARNING_STALL);
            if (computes || starved) findings.add(finding(workload, use, stall, crowded, starved));
        }
        return Verdict.of(findings, "no server is held up by the CPU");
    }

    /// What the hypervisor takes matters to a server that wants a whole core; one that needs a tenth of it gets that.
    private static boolean isStolenFrom(CpuUse use) {
        return use.steal().isAtLeast(Severity.WARNING_STALL) && use.cores() >= 0.5;
    }

    private Finding finding(Workload workload, CpuUse use, Stall stall, Ratio crowded, boolean starved) {
        String cores = String.format(Locale.ROOT, "%.1f of %d CPUs", use.cores(), use.cpus());
        String headline = starved
                ? workload.shown() + " has to share its CPUs: it got " + cores
                        + (use.steal().compareTo(use.held()) > 0
                                ? " and the hypervisor took " + use.steal().shown() + " of the time"
                                : " and stood in the run queue for "
                                        + use.held().shown() + " of the window")
                : workload.shown() + " is CPU-bound: " + cores + ", "
                        + stall.waiting().shown() + " waiting";
        return new Finding(
                this,
                starved ? Severity.WARNING : Severity.ADVICE,
                new Signs()
                        .sign(use.cores() >= NEARLY_ONE_CORE || starved)
                        .sign(!stall.waiting().isAtLeast(Severity.WARNING_STALL))
                        .confidence(),
                headline,
                List.of(
                        Saw.of(
                                "CPU time it used, in cores",
                                new Ratio(use.cores()),
                                "/proc/" + workload.main().pid() + "/stat"),
                        Saw.of("CPU time of the host", use.hostBusy(), "/proc/stat"),
                        Saw.of(
                                "time a thread of it stood in the run queue",
                                use.held(),
                                "/proc/" + workload.main().pid() + "/task/*/schedstat"),
                        Saw.of("stolen by the hypervisor", use.steal(), "/proc/stat steal"),
                        Saw.of("share of the window some task waited for a CPU", crowded, "/proc/pressure/cpu some"),
                        stall.saw()),
                "more RAM or a faster disk would change nothing",
                Subject.of(workload),
                List.of(Remedy.medium(
                        starved ? "move what else computes on this host" : "use a GPU, more cores, or a smaller model",
                        "top -b -n 1 | head -15",
                        Remedy.Cost.RESTART,
                        Remedy.Risk.NONE,
                        "ullage diagnose --pid " + workload.main().pid(),
                        "-")));
    }
}
