// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Layer;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.GpuServer;
import dev.ullage.diagnosis.view.Spill;
import dev.ullage.diagnosis.view.Suffering;
import dev.ullage.diagnosis.view.VramPool;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.ServerState.Health;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Two servers hold the weights of one model on one GPU: a second copy of what one server would share among all
/// requests.
///
/// Advice with room; the cause when one of them lacks what the other's copy takes.
public final class DuplicateCopiesOnGpu implements JudgesGpus {
    @Override
    public String name() {
        return "duplicate-copies-on-gpu";
    }

    @Override
    public Cause cause() {
        return Cause.DUPLICATE_COPIES;
    }

    @Override
    public Layer layer() {
        return Layer.GPU_MEMORY;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("vram-other-process", "vram-kv-cache", "vram-spill", "cpu-bound", "idle-server");
    }

    @Override
    public Verdict judge(Evidence evidence, List<GpuServer> servers) {
        List<Finding> findings = new ArrayList<>();
        for (VramPool pool : VramPool.in(evidence)) {
            Map<String, List<GpuServer>> byModel = new LinkedHashMap<>();
            for (GpuServer server : servers)
                if (pool.isOn(server.workload()) && !modelOf(server).isEmpty())
                    byModel.computeIfAbsent(modelOf(server), _ -> new ArrayList<>())
                            .add(server);
            byModel.forEach((model, copies) -> {
                if (copies.size() > 1) findings.add(finding(evidence, pool, model, copies));
            });
        }
        return Verdict.of(findings, "no two servers hold the same model on one GPU");
    }

    /// What both serve: the same file, or files of one name and size; else the same name of a hub.
    private static String modelOf(GpuServer server) {
        if (server.workload().models().isEmpty())
            return server.settings()
                    .model()
                    .map(m -> m.substring(m.lastIndexOf('/') + 1))
                    .orElse("");
        ModelFile largest = server.workload().models().getFirst();
        return largest.name()
                + (largest.size().bytes() == 0 ? "" : " of " + largest.size().shown());
    }

    private Finding finding(Evidence evidence, VramPool pool, String model, List<GpuServer> copies) {
        Severity severity = Severity.ADVICE;
        String suffers = "";
        Set<Integer> affected = new HashSet<>();
        List<Saw> saw = new ArrayList<>();
        for (GpuServer server : copies) {
            affected.add(server.workload().main().pid());
            Bytes held = pool.heldBy(server.workload());
            saw.add(Saw.of(
                    "held by " + server.workload().shown(),
                    held,
                    "nvmlDeviceGetComputeRunningProcesses usedGpuMemory"));
            Suffering suffering = Suffering.of(evidence, server);
            boolean lacks = VramKvCache.isShort(suffering)
                    || suffering.fails() && suffering.health() != Health.SERVING
                    || Spill.of(evidence, server).map(s -> !s.isAskedFor()).orElse(false);
            if (!lacks) continue;
            Severity its = suffering.fails() ? Severity.CRITICAL : Severity.WARNING;
            if (its.compareTo(severity) < 0) {
                severity = its;
                suffers = "; " + server.workload().shown() + " "
                        + (suffering.shown().isEmpty() ? "has a part of it on the CPU" : suffering.shown());
            }
        }
        saw.add(Saw.of("free on " + pool.shown(), pool.memory().free(), "nvmlDeviceGetMemoryInfo free"));
        GpuServer first = copies.getFirst();
        return new Finding(
                this,
                severity,
                new Signs()
                        .sign(true)
                        .sign(!first.workload().models().isEmpty())
                        .sign(severity.isAlarm())
                        .confidence(),
                new Count(copies.size()).shown() + " servers hold " + model + " each on " + pool.shown()
                        + ", where one would do" + (suffers.isEmpty() ? "; there is room for them" : suffers),
                saw,
                "each pays for the whole model and keeps a KV cache of its own; one server would batch the requests of both",
                JudgesGpus.subject(first, pool).affecting(affected),
                List.of(
                        Remedy.now(
                                "stop " + copies.getLast().workload().shown() + " and send its requests to "
                                        + first.workload().shown(),
                                "kill " + copies.getLast().workload().main().pid(),
                                Remedy.Cost.RESTART,
                                Remedy.Risk.NONE,
                                "nvidia-smi --query-compute-apps=pid,used_memory --format=csv",
                                "start it again"),
                        Remedy.medium(
                                "serve the model once, with more requests at a time",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.NONE,
                                "ullage diagnose",
                                "start both as before")));
    }
}
