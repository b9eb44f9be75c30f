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
import dev.ullage.diagnosis.view.GpuHolders;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.GpuHealth.Throttling;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/// A GPU runs below its clock because it is too hot, or because the power supply holds it back. One at its own power
/// limit is at work and is not meant.
public final class GpuThrottled implements Rule {
    /// A loss that shows in tokens a second.
    private static final double LOWERED = 0.9;

    public GpuThrottled() {}

    @Override
    public String name() {
        return "gpu-throttled";
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
        int seen = 0;
        for (Gpu gpu : gpus) {
            if (!(gpu.health().throttling() instanceof Present<Throttling>(Throttling now))) {
                if (gpu.health().throttling() instanceof Absent<Throttling> absent) missing.add(absent);
                continue;
            }
            seen++;
            boolean held = now.isSlowedByHeat() || now.isSlowedByPowerSupply() || now.isSlowedByHardware();
            if (held && !share(now).isAtLeast(LOWERED)) findings.add(finding(evidence, gpu, now));
        }
        if (seen == 0) return UntoldByGpus.of(missing, "no GPU tells why its clock is low");
        return Verdict.of(findings, "no GPU is held back by heat or its power supply");
    }

    private static Ratio share(Throttling now) {
        return new Ratio(
                now.maxClockMHz() <= 0 || now.clockMHz() < 0 ? 1 : (double) now.clockMHz() / now.maxClockMHz());
    }

    private static String why(Throttling now) {
        if (now.isSlowedByHeat()) return "heat";
        return now.isSlowedByPowerSupply() ? "its power supply" : "its hardware, which does not say why";
    }

    private Finding finding(Evidence evidence, Gpu gpu, Throttling now) {
        List<Saw> saw = new ArrayList<>(List.of(
                Saw.text("clock", now.clockMHz() + " MHz of " + now.maxClockMHz(), gpu.word() + " clocks"),
                Saw.text("held back by", why(now), gpu.word() + " clocks event reasons")));
        gpu.health().celsius().map(degrees -> saw.add(Saw.text("temperature", degrees + " °C", gpu.word())));
        Set<Integer> affected = new HashSet<>();
        GpuHolders on = GpuHolders.of(evidence, gpu);
        evidence.servers().stream()
                .filter(on::isOn)
                .forEach(server -> affected.add(server.main().pid()));
        return new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(gpu.load().isPresent()).confidence(),
                gpu.shown() + " runs at " + share(now).shown() + " of its clock, held back by " + why(now),
                saw,
                "it computes that much slower, whatever memory there is; in a tensor-parallel server all the others wait for it",
                new Subject(OptionalInt.empty(), "", "", gpu.word(), "", affected),
                List.of(Remedy.medium(
                        now.isSlowedByHeat()
                                ? "see to its cooling: fans, filters, the air it gets, neighbours that blow at it"
                                : "see to its power: cables, the supply's load, the chassis's power cap",
                        "",
                        Remedy.Cost.REBOOT,
                        Remedy.Risk.NONE,
                        "nvidia-smi -q -d PERFORMANCE,TEMPERATURE,CLOCK",
                        "-")));
    }
}
