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
import dev.ullage.diagnosis.view.FaultyGpu;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.kernellog.GpuFault;
import dev.ullage.host.kernellog.GpuFault.Kind;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.kernellog.Xid;
import dev.ullage.host.service.Confinement;
import dev.ullage.measure.Count;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/// The kernel log holds faults of a GPU: it is lost, its memory fails, its work hangs.
///
/// What NVIDIA's numbers mean stands in [Xid], and why we decide as we do where those who publish meanings disagree.
public final class GpuFaulted implements Rule {
    /// As many faults of programs are no longer one program's mistake.
    private static final double OFTEN = 3;

    public GpuFaulted() {}

    @Override
    public String name() {
        return "gpu-fault";
    }

    @Override
    public Cause cause() {
        return Cause.GPU_FAULT;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(KernelEvents.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of(
                "gpu-memory-errors",
                "gpu-throttled",
                "pcie-link-degraded",
                "vram-weights",
                "vram-kv-cache",
                "vram-activation",
                "vram-fragmentation",
                "vram-other-process",
                "vram-leak",
                "vram-spill");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        for (FaultyGpu gpu : FaultyGpu.in(evidence)) {
            List<GpuFault> counted = isLostStill(evidence, gpu) ? all(gpu) : gpu.recent();
            if (counted.stream().anyMatch(f -> f.kind() != Kind.NO_MEMORY))
                findings.add(finding(evidence, gpu, counted));
            else if (!gpu.old().isEmpty()) findings.add(old(evidence, gpu));
        }
        boolean hasNone =
                evidence.latest(Gpus.FACT).map(g -> g.gpus().isEmpty()).orElse(false);
        if (findings.isEmpty() && hasNone) return new Verdict.NotApplicable("there is no GPU");
        return Verdict.of(findings, "the kernel log holds no fault of a GPU");
    }

    /// Once fallen off the bus it stays away, however long ago that was, until it tells something again.
    private static boolean isLostStill(Evidence evidence, FaultyGpu gpu) {
        boolean isSilent = gpu.gpu().isEmpty()
                && (!evidence.latest(Gpus.FACT).isPresent()
                        || !evidence.latest(Gpus.FACT).orThrow().gpus().isEmpty());
        return isSilent && gpu.old().stream().anyMatch(f -> f.kind() == Kind.LOST);
    }

    private static List<GpuFault> all(FaultyGpu gpu) {
        List<GpuFault> all = new ArrayList<>(gpu.old());
        all.addAll(gpu.recent());
        return all;
    }

    private static Severity severity(Evidence evidence, FaultyGpu gpu, Kind kind, int times) {
        // A container reads the whole host's log.
        boolean isOthers = gpu.gpu().isEmpty()
                && evidence.latest(Gpus.FACT).map(g -> g.gpus().isEmpty()).orElse(false)
                && evidence.latest(Confinement.FACT).map(Confinement::container).orElse(false);
        if (isOthers) return Severity.ADVICE;
        return switch (kind) {
            case LOST -> Severity.CRITICAL;
            case UNCORRECTABLE ->
                gpu.servers().isEmpty() && !gpu.namesServer(evidence, kind) ? Severity.WARNING : Severity.CRITICAL;
            case CONTAINED, HUNG, RESET -> gpu.namesServer(evidence, kind) ? Severity.CRITICAL : Severity.WARNING;
            case RESET_NEEDED, REPAIR_FAILED, LINK -> Severity.WARNING;
            case APPLICATION -> times >= OFTEN ? Severity.WARNING : Severity.ADVICE;
            case NO_MEMORY, WATCH, UNCLEAR -> Severity.ADVICE;
        };
    }

    private Finding finding(Evidence evidence, FaultyGpu gpu, List<GpuFault> faults) {
        // A hang that a reset followed is one trouble; which of several is worst says what has happened.
        Kind worst = faults.stream()
                .map(GpuFault::kind)
                .min(Comparator.comparing((Kind k) -> severity(evidence, gpu, k, count(faults, k)))
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
        Severity severity = severity(evidence, gpu, worst, count(faults, worst));
        List<GpuFault> same = faults.stream().filter(f -> f.kind() == worst).toList();
        GpuFault last = same.getLast();
        String who = gpu.servers().isEmpty()
                ? ""
                : "; " + gpu.servers().iterator().next().shown() + " runs on it";
        return new Finding(
                        this,
                        severity,
                        new Signs()
                                .decides(severity != Severity.ADVICE)
                                .sign(true)
                                .sign(faults.size() > 1)
                                .confidence(),
                        headline(evidence, gpu, same) + who,
                        saw(faults, last),
                        so(worst),
                        new Subject(OptionalInt.empty(), "", "", gpu.word(), "", gpu.affected(evidence)),
                        GpuFaultRemedies.of(worst, gpu))
                .explaining(severity == Severity.CRITICAL, symptom(worst, gpu));
    }

    private static int count(List<GpuFault> faults, Kind kind) {
        return (int) faults.stream().filter(f -> f.kind() == kind).count();
    }

    /// @param same faults of the kind that decides
    private static String headline(Evidence evidence, FaultyGpu gpu, List<GpuFault> same) {
        GpuFault last = same.getLast();
        String age = FaultyGpu.age(evidence, last)
                .map(Seconds::shown)
                .map(a -> a + " ago")
                .orElse("at an unknown time");
        boolean oneNumber = same.stream().map(GpuFault::xid).distinct().count() == 1;
        String number = last.xid().isPresent() ? " (Xid " + last.xid().getAsInt() + ")" : "";
        String clause = last.xid().isPresent() && oneNumber
                ? Xid.meaning(last.xid().getAsInt()).clause()
                : "";
        if (last.kind() == Kind.LOST)
            return gpu.shown() + " does not answer any more" + (clause.isEmpty() ? "" : ": " + clause) + number + ", "
                    + age;
        boolean isNamed =
                clause.isEmpty() && last.kind() == Kind.HUNG && !last.process().isEmpty();
        String what = isNamed
                ? "work of " + last.process() + " hung"
                : clause.isEmpty() ? last.kind().shown() : clause;
        return same.size() == 1
                ? gpu.shown() + ": " + what + number + ", " + age
                : gpu.shown() + ": " + what + ", " + same.size() + " times, the last" + number + " " + age;
    }

    /// How often each kind, the worst first; then the line itself.
    private static List<Saw> saw(List<GpuFault> faults, GpuFault last) {
        List<Saw> saw = new ArrayList<>();
        for (Kind kind : Kind.values())
            if (count(faults, kind) > 0) saw.add(Saw.of(kind.shown(), new Count(count(faults, kind)), "kernel log"));
        String line = last.text();
        saw.add(Saw.text(
                "the last one", line.endsWith(".") ? line.substring(0, line.length() - 1) : line, "kernel log"));
        return saw;
    }

    private static String symptom(Kind worst, FaultyGpu gpu) {
        return worst == Kind.LOST
                ? gpu.shown() + " is gone, and with it all that ran on it"
                : "a server on " + gpu.shown() + " lost its data there";
    }

    private static String so(Kind worst) {
        return switch (worst) {
            case LOST ->
                "whatever ran on it has failed, and on a host with several the driver may refuse the others too until this one is back";
            case UNCORRECTABLE ->
                "what programs had in its memory is wrong: results since then cannot be trusted, and the next error may end them";
            case CONTAINED -> "the program that had the memory was ended; the others were not touched";
            case HUNG, RESET ->
                "a reset throws away what programs have in its memory: servers on it fail, or answer errors until they are started again";
            case RESET_NEEDED, REPAIR_FAILED -> "it works on with less than it should have, and may fail at any time";
            case LINK -> "tensor-parallel servers wait for each other over this link, or fail";
            case APPLICATION ->
                "one program's mistake ends that program; the same from different programs points at the GPU's memory, its power or its heat";
            case NO_MEMORY, WATCH, UNCLEAR -> "it works; what was seen is worth watching";
        };
    }

    private Finding old(Evidence evidence, FaultyGpu gpu) {
        GpuFault last = gpu.old().getLast();
        List<GpuFault> same =
                gpu.old().stream().filter(f -> f.kind() == last.kind()).toList();
        return new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(false).confidence(),
                headline(evidence, gpu, same),
                saw(gpu.old(), last),
                "that is over; what came of it is among the other findings, if anything",
                new Subject(OptionalInt.empty(), "", "", gpu.word(), "", gpu.affected(evidence)),
                GpuFaultRemedies.of(Kind.WATCH, gpu));
    }
}
