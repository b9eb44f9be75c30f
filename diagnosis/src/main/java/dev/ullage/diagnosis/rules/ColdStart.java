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
import dev.ullage.diagnosis.view.Reads;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.diagnosis.view.Thrash;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.VmStat;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;

/// A server waits for its model to be read for the first time. Not a shortage: what is read stays.
public final class ColdStart implements Rule {
    /// A load that ends sooner is how servers start.
    private static final Seconds SHORT = Seconds.ofMinutes(1);

    @Override
    public String name() {
        return "cold-start";
    }

    @Override
    public Cause cause() {
        return Cause.COLD_START;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(VmStat.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server waits for a model that is not in memory yet";
        for (Workload workload : evidence.servers()) {
            Reads reads = Reads.of(evidence, workload);
            Stall stall = Stall.of(evidence, workload);
            if (workload.models().isEmpty() || !standsStill(stall)) continue;
            if (reads.isKnown() && reads.fromStorage().bytes() < 1 << 20) continue;
            // A rate needs a beginning: a server that was started in the window has none yet.
            if (!reads.isKnown() && startedInWindow(evidence, workload)) continue;
            if (Thrash.of(evidence, workload).isOn()) {
                clear = workload.shown() + " reads its model, but "
                        + reads.lost().shown() + " of " + reads.fromStorage().shown() + " did not stay in memory";
                continue;
            }
            boolean isLoaded = reads.left().bytes() < reads.modelSize().bytes() / 100;
            if (isLoaded && reads.kept().bytes() < reads.fromStorage().bytes() / 2) {
                clear = workload.shown() + " waits with its whole model in memory";
                continue;
            }
            findings.add(finding(workload, reads, stall));
        }
        return Verdict.of(findings, clear);
    }

    /// Of a fast disk a page comes in 50 µs, and the kernel is at work with the fault as long again: both is time that
    /// the
    /// server spends on first touches.
    private static boolean standsStill(Stall stall) {
        return stall.waiting().isAtLeast(Severity.WARNING_STALL)
                && stall.withKernelWork().isAtLeast(Severity.CRITICAL_STALL);
    }

    private static boolean startedInWindow(Evidence evidence, Workload workload) {
        return evidence.course(ProcessStat.FACT, workload.main()).size() < 2
                || !evidence.change(ProcessMemory.FACT, workload.main()).isPresent();
    }

    private Finding finding(Workload workload, Reads reads, Stall stall) {
        Seconds left = reads.rate().timeFor(reads.left());
        PerSecond faults = new PerSecond(reads.majorFaults() / reads.window().seconds());
        Bytes perFault =
                new Bytes(reads.majorFaults() == 0 ? 0 : reads.fromStorage().bytes() / reads.majorFaults());
        boolean byPage = perFault.bytes() > 0 && perFault.bytes() <= 64 << 10;
        String model = workload.models().getFirst().path();
        Severity severity = left.compareTo(SHORT) > 0 ? Severity.WARNING : Severity.ADVICE;
        String how = byPage ? " in pieces of " + perFault.shown() : "";
        List<Remedy> remedies = new ArrayList<>();
        remedies.add(Remedy.now(
                "read the file once from front to back, which the disk does best; the server finds it in memory",
                "cat " + Shell.word(model) + " > /dev/null",
                Remedy.Cost.NONE,
                Remedy.Risk.NONE,
                "ullage diagnose --pid " + workload.main().pid(),
                "-"));
        remedies.add(Remedy.medium(
                "warm the model before the server starts, or load it without mmap",
                workload.engine().map(e -> e.word().equals("llama.cpp")).orElse(false)
                        ? "llama-server --no-mmap …"
                        : "cat " + Shell.word(model) + " > /dev/null && <the server's command>",
                Remedy.Cost.RESTART,
                Remedy.Risk.NONE,
                "ullage diagnose --pid <new pid>",
                "start it as before"));
        return new Finding(
                this,
                severity,
                new Signs()
                        .sign(reads.kept().isMoreThan(reads.fromStorage().times(0.5)))
                        .sign(standsStill(stall))
                        .sign(reads.left().bytes() > 0)
                        .confidence(),
                workload.shown() + " loads " + workload.models().getFirst().name() + " at "
                        + reads.rate().shown() + how + "; "
                        + (reads.left().bytes() > 0
                                ? reads.left().shown() + " are left, " + left.shown()
                                : "it is all there now"),
                List.of(
                        Saw.of(
                                "read from storage",
                                reads.rate(),
                                "/proc/" + workload.main().pid() + "/io read_bytes"),
                        Saw.of("growth of the model in memory", reads.residentGrowth(), reads.residentSource()),
                        Saw.of("of the model in memory", reads.resident(), reads.residentSource()),
                        Saw.of("left to read", reads.left(), reads.residentSource()),
                        Saw.of(
                                "major faults",
                                faults,
                                "/proc/" + workload.main().pid() + "/stat majflt"),
                        stall.saw(),
                        Saw.of(
                                "share of it in which the kernel worked for it",
                                stall.system(),
                                "/proc/" + workload.main().pid() + "/stat stime")),
                "it is slow once and fast afterwards; memory is not short, so more of it would not help",
                Subject.of(workload).at(model),
                remedies);
    }
}
