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
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.gpu.PcieLink;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/// The link between a GPU and the host is narrower, or under load slower, than both ends could.
public final class PcieLinkDegraded implements Rule {
    /// An idle card lowers its speed to save power: only one at work tells what the link can do.
    private static final double AT_WORK = 0.3;

    public PcieLinkDegraded() {}

    @Override
    public String name() {
        return "pcie-link-degraded";
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
        List<Gpu> gpus = evidence.latest(Gpus.FACT).orThrow().gpus().stream()
                .filter(gpu -> !gpu.unifiedMemory())
                .toList();
        if (gpus.isEmpty()) return new Verdict.NotApplicable("there is no GPU on a PCIe link");
        List<Finding> findings = new ArrayList<>();
        List<Absent<?>> missing = new ArrayList<>();
        String seen = "";
        for (Gpu gpu : gpus) {
            Reading<PcieLink> told = gpu.pcie().flatMap(PcieLinkDegraded::plausible);
            if (!(told instanceof Present<PcieLink>(PcieLink link))) {
                if (told instanceof Absent<PcieLink> absent) missing.add(absent);
                continue;
            }
            seen = shown(link.generation(), link.width());
            boolean narrow = link.width() < link.maxWidth();
            boolean slow = link.generation() < link.maxGeneration() && isAtWork(gpu);
            if (narrow || slow) findings.add(finding(evidence, gpu, link, slow));
        }
        if (findings.isEmpty() && seen.isEmpty()) return UntoldByGpus.of(missing, "no GPU tells of a PCIe link");
        return Verdict.of(findings, "PCIe links are as wide as they could be: " + seen);
    }

    /// Seven generations and 32 lanes are the most there are.
    private static Reading<PcieLink> plausible(PcieLink link) {
        boolean isOne = isIn(link.generation(), 7)
                && isIn(link.maxGeneration(), 7)
                && isIn(link.width(), 32)
                && isIn(link.maxWidth(), 32);
        return isOne ? Reading.of(link) : Reading.malformed("PCIe link", link.toString(), "a generation and lanes");
    }

    private static boolean isIn(int number, int most) {
        return number > 0 && number <= most;
    }

    private static boolean isAtWork(Gpu gpu) {
        return gpu.load().map(load -> load.compute().isAtLeast(AT_WORK)).orElse(false);
    }

    private static String shown(int generation, int width) {
        return "generation " + generation + " ×" + width;
    }

    private Finding finding(Evidence evidence, Gpu gpu, PcieLink link, boolean slow) {
        String is = shown(link.generation(), link.width());
        String could = shown(link.maxGeneration(), link.maxWidth());
        Ratio left = new Ratio((double) link.width()
                / link.maxWidth()
                * (slow ? Math.pow(0.5, link.maxGeneration() - link.generation()) : 1));
        Set<Integer> affected = new HashSet<>();
        GpuHolders on = GpuHolders.of(evidence, gpu);
        evidence.servers().stream()
                .filter(on::isOn)
                .forEach(server -> affected.add(server.main().pid()));
        return new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(true).confidence(),
                gpu.shown() + " has a PCIe link of " + is + "; both ends can do " + could,
                List.of(
                        Saw.text("link", is, gpu.word() + " PCIe link"),
                        Saw.text("link at most", could, gpu.word() + " PCIe link"),
                        Saw.of("of its bandwidth there is", left, gpu.word() + " PCIe link")),
                "loading weights takes longer; generating does not, unless layers, KV blocks or tensors go over the link all the time",
                new Subject(OptionalInt.empty(), "", "", gpu.word(), "", affected),
                List.of(Remedy.byDesign(
                        "have card, riser and slot looked at, and the slot's setting in the firmware: a contact, a slot that shares its lanes, a cap",
                        "",
                        Remedy.Cost.REBOOT,
                        Remedy.Risk.NONE,
                        "lspci -vv | grep -E 'LnkCap:|LnkSta:'",
                        "-")));
    }
}
