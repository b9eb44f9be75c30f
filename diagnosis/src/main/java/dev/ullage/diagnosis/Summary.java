// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.diagnosis.Diagnosis.LayerStatus;
import dev.ullage.diagnosis.Differential.Ranked;
import dev.ullage.diagnosis.view.MemoryLimits;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.PressureStall;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The one verdict: the worst finding that nothing accounts for, else healthy with its numbers, else unknown with the
/// reason.
record Summary(
        Status status,
        Optional<Cause> cause,
        double confidence,
        String headline,
        String numbers,
        List<LayerStatus> layers) {
    static Summary of(Evidence evidence, Ranked ranked, Visibility visibility) {
        List<LayerStatus> layers = layers(evidence, ranked, visibility);
        Optional<Finding> worst = Diagnostician.worst(ranked);
        if (worst.isPresent()) {
            Finding finding = worst.get();
            return new Summary(
                    Status.of(finding.severity()),
                    Optional.of(finding.cause()),
                    finding.confidence(),
                    finding.headline(),
                    "",
                    layers);
        }
        Optional<LayerStatus> unseen =
                layers.stream().filter(l -> l.status() == Status.UNKNOWN).findFirst();
        if (unseen.isPresent())
            return new Summary(
                    Status.UNKNOWN,
                    Optional.empty(),
                    0,
                    unseen.get().layer().shown() + " could not be seen: "
                            + unseen.get().because(),
                    numbers(evidence),
                    layers);
        Optional<Workload> unexplained = waitsUnexplained(evidence, ranked);
        if (unexplained.isPresent()) {
            Stall stall = Stall.of(evidence, unexplained.get());
            return new Summary(
                    Status.UNKNOWN,
                    Optional.empty(),
                    0,
                    "none of these: " + unexplained.get().shown() + " waits "
                            + stall.waiting().shown()
                            + " of the time and no known cause explains it; a longer look may: ullage diagnose --for 30s",
                    "",
                    layers);
        }
        Optional<Finding> looksLike = ranked.causes().stream()
                .filter(f -> f.cause() == Cause.NOT_MEMORY)
                .findFirst();
        return new Summary(
                Status.HEALTHY,
                looksLike.map(Finding::cause),
                looksLike.map(Finding::confidence).orElse(0.9),
                healthy(evidence, looksLike),
                numbers(evidence),
                layers);
    }

    /// A server that waited for half of the window, with nothing found that is about it.
    private static Optional<Workload> waitsUnexplained(Evidence evidence, Ranked ranked) {
        return evidence.servers().stream()
                .filter(w -> Stall.of(evidence, w).waiting().isAtLeast(Severity.CRITICAL_STALL))
                .filter(w -> ranked.causes().stream()
                        // Advice explains no waiting, but for a load that is over in a minute.
                        .filter(f -> f.isAlarm() || f.cause() == Cause.COLD_START)
                        .noneMatch(f -> f.subject().affects().contains(w.main().pid())))
                .findFirst();
    }

    private static String healthy(Evidence evidence, Optional<Finding> looksLike) {
        List<Workload> servers = evidence.servers();
        if (servers.isEmpty()) return "no LLM server found; the host itself is fine";
        return looksLike
                .map(Finding::headline)
                .orElse(servers.getFirst().shown() + " lacks neither memory nor disk"
                        + (servers.size() > 1 ? ", nor do " + (servers.size() - 1) + " more" : ""));
    }

    /// RAM, GPU, disk: the numbers of a calm line.
    private static String numbers(Evidence evidence) {
        String ram = evidence.latest(MemInfo.FACT)
                .map(m -> m.available().shown() + " RAM available")
                .orElse("RAM not seen");
        ram += tightLimit(evidence).orElse("");
        return ram + ", " + gpu(evidence) + ", " + diskWait(evidence);
    }

    /// A server in a box of 4 GiB has no use for the host's 50: the limit is said when most of it is used up.
    private static Optional<String> tightLimit(Evidence evidence) {
        return evidence.servers().stream()
                .flatMap(server -> MemoryLimits.above(evidence, server).limited().stream())
                .filter(limited -> limited.unreclaimableShare().isAtLeast(0.75))
                .min(Comparator.comparing(MemoryCgroup::room))
                .map(tightest -> " (" + tightest.room().shown() + " under the limit)");
    }

    private static String gpu(Evidence evidence) {
        return new GpuLayer(evidence).shown();
    }

    private static String diskWait(Evidence evidence) {
        return evidence.change(PressureStall.IO) instanceof Present<Change<PressureStall>>(Change<PressureStall> io)
                ? "disk wait " + io.share(PressureStall::some).shown()
                : "no disk wait measured";
    }

    private static List<LayerStatus> layers(Evidence evidence, Ranked ranked, Visibility visibility) {
        List<LayerStatus> layers = new ArrayList<>();
        for (Layer layer : List.of(Layer.HOST_MEMORY, Layer.GPU_MEMORY, Layer.STORAGE))
            layers.add(layer(evidence, layer, ranked, visibility));
        return layers;
    }

    private static LayerStatus layer(Evidence evidence, Layer layer, Ranked ranked, Visibility visibility) {
        Optional<Finding> worst = ranked.causes().stream()
                .filter(f -> f.isAlarm() && f.layer() == layer)
                .findFirst();
        if (worst.isPresent())
            return new LayerStatus(
                    layer, Status.of(worst.get().severity()), worst.get().headline());
        List<Absent<?>> missing = visibility.missingOf(layer);
        if (!missing.isEmpty()) {
            Absent<?> first = missing.getFirst();
            String because = layer == Layer.GPU_MEMORY
                    ? new GpuLayer(evidence).unseen(first)
                    : first.source() + ": " + first.cause().word();
            return new LayerStatus(layer, Status.UNKNOWN, because);
        }
        return switch (layer) {
            case HOST_MEMORY -> new LayerStatus(layer, Status.HEALTHY, memory(evidence));
            case STORAGE -> new LayerStatus(layer, Status.HEALTHY, diskWait(evidence));
            case GPU_MEMORY ->
                new LayerStatus(
                        layer, new GpuLayer(evidence).isThere() ? Status.HEALTHY : Status.ABSENT, gpu(evidence));
            case OTHER -> new LayerStatus(layer, Status.HEALTHY, "");
        };
    }

    private static String memory(Evidence evidence) {
        Ratio share = evidence.latest(MemInfo.FACT).map(MemInfo::availableShare).orElse(Ratio.NONE);
        return share.shown() + " of RAM available";
    }
}
