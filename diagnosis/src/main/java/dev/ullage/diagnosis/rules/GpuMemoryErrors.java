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
import dev.ullage.diagnosis.view.GpuHolders;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.GpuHealth.Ecc;
import dev.ullage.host.gpu.GpuHealth.Repairs;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.gpu.Vendor;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Count;
import dev.ullage.measure.Reading.Absent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// A GPU's own counters say that its memory fails: errors that come in now, places that could not be replaced.
public final class GpuMemoryErrors implements Rule {
    public GpuMemoryErrors() {}

    @Override
    public String name() {
        return "gpu-memory-errors";
    }

    @Override
    public Cause cause() {
        return Cause.GPU_FAULT;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(Gpus.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Gpu> gpus = evidence.latest(Gpus.FACT).orThrow().gpus();
        if (gpus.isEmpty()) return new Verdict.NotApplicable("there is no GPU");
        List<Finding> findings = new ArrayList<>();
        List<Absent<?>> missing = new ArrayList<>();
        int counted = 0;
        for (Gpu gpu : gpus) {
            if (gpu.health().ecc().isPresent() || gpu.health().repairs().isPresent()) counted++;
            else if (gpu.health().ecc() instanceof Absent<Ecc> absent) missing.add(absent);
            trouble(evidence, gpu).ifPresent(t -> findings.add(finding(evidence, gpu, t)));
        }
        if (counted == 0) return UntoldByGpus.of(missing, "its GPUs count no memory errors");
        return Verdict.of(
                findings,
                (counted == 1 ? "the GPU" : counted + " GPUs")
                        + " counted no uncorrectable error, and no repair is due");
    }

    private record Trouble(Severity severity, String headline, String so) {}

    private static Optional<Trouble> trouble(Evidence evidence, Gpu gpu) {
        Ecc now = gpu.health().ecc().orElse(new Ecc(0, 0, 0, 0));
        Ecc before = before(evidence, gpu).orElse(now);
        Repairs repairs = gpu.health().repairs().orElse(new Repairs(0, 0, false, false));
        long lost = now.uncorrectedVolatile() - before.uncorrectedVolatile();
        long corrected = now.correctedVolatile() - before.correctedVolatile();
        if (lost > 0)
            return Optional.of(new Trouble(
                    servers(evidence, gpu).isEmpty() ? Severity.WARNING : Severity.CRITICAL,
                    gpu.shown() + " lost data in its memory: " + lost + " uncorrectable errors while we looked",
                    "what programs had there is wrong: results since then cannot be trusted"));
        if (repairs.failed())
            return Optional.of(new Trouble(
                    Severity.WARNING,
                    gpu.shown() + " could not replace a bad place in its memory",
                    "it has no spare rows left there: the next error in that place ends whoever has it"));
        if (repairs.pending())
            return Optional.of(new Trouble(
                    Severity.WARNING,
                    gpu.shown() + " has found a bad place in its memory and replaces it with its next reset",
                    "until then the bad place is in use, and may end whoever has it"));
        if (now.uncorrectedVolatile() > 0)
            return Optional.of(new Trouble(
                    Severity.ADVICE,
                    gpu.shown() + " has counted " + errors(now.uncorrectedVolatile(), "uncorrectable memory error")
                            + " since its driver was loaded",
                    "whoever had that memory was ended then; none came while we looked"));
        if (corrected > 0)
            return Optional.of(new Trouble(
                    Severity.ADVICE,
                    gpu.shown() + " corrected " + errors(corrected, "memory error") + " while we looked",
                    "nothing was lost; memory that is corrected this often fails sooner"));
        return Optional.empty();
    }

    private static String errors(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static Optional<Ecc> before(Evidence evidence, Gpu gpu) {
        return evidence.course(Gpus.FACT, Host.THE_HOST).stream()
                .findFirst()
                .flatMap(first -> first.value().gpus().stream()
                        .filter(g -> g.pciAddress().equals(gpu.pciAddress()) && g.index() == gpu.index())
                        .findFirst())
                .flatMap(g -> Optional.ofNullable(g.health().ecc().orElse(null)));
    }

    private static List<Workload> servers(Evidence evidence, Gpu gpu) {
        GpuHolders on = GpuHolders.of(evidence, gpu);
        return evidence.servers().stream().filter(on::isOn).toList();
    }

    private Finding finding(Evidence evidence, Gpu gpu, Trouble trouble) {
        List<Saw> saw = new ArrayList<>();
        String source = gpu.vendor() == Vendor.NVIDIA ? "nvidia-smi -q -d ECC,ROW_REMAPPER" : "ras/umc_err_count";
        gpu.health()
                .ecc()
                .map(ecc -> saw.add(Saw.of(
                        "uncorrectable errors since the driver was loaded",
                        new Count(Math.max(0, ecc.uncorrectedVolatile())),
                        source)));
        gpu.health()
                .ecc()
                .map(ecc -> saw.add(Saw.of("corrected ones", new Count(Math.max(0, ecc.correctedVolatile())), source)));
        gpu.health()
                .repairs()
                .map(r -> saw.add(Saw.of(
                        "places replaced", new Count(Math.max(0, r.remappedRows() + r.retiredPages())), source)));
        Set<Integer> affected = new HashSet<>();
        servers(evidence, gpu).forEach(server -> affected.add(server.main().pid()));
        return new Finding(
                        this,
                        trouble.severity(),
                        new Signs()
                                .decides(trouble.severity().isAlarm())
                                .sign(true)
                                .confidence(),
                        trouble.headline(),
                        saw,
                        trouble.so(),
                        new Subject(OptionalInt.empty(), "", "", gpu.word(), "", affected),
                        remedies(gpu, trouble.severity().isAlarm()))
                .explaining(trouble.severity() == Severity.CRITICAL, "servers on " + gpu.shown() + " lost data there");
    }

    private static List<Remedy> remedies(Gpu gpu, boolean alarm) {
        String verify = gpu.vendor() == Vendor.NVIDIA
                ? "nvidia-smi -q -d ECC,ROW_REMAPPER"
                : "cat /sys/class/drm/card*/device/ras/umc_err_count";
        Remedy replace = Remedy.byDesign(
                "replace the card if the errors go on", "", Remedy.Cost.REBOOT, Remedy.Risk.NONE, verify, "-");
        if (!alarm) return List.of(replace);
        boolean isNvidia = gpu.vendor() == Vendor.NVIDIA;
        return List.of(
                Remedy.now(
                        "stop what runs on it, reset it, and start the servers again",
                        isNvidia ? "nvidia-smi --gpu-reset -i " + Shell.word(gpu.pciAddress()) : "systemctl reboot",
                        isNvidia ? Remedy.Cost.RESTART : Remedy.Cost.REBOOT,
                        Remedy.Risk.NONE,
                        verify,
                        "-"),
                replace);
    }
}
