// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.EngineFlags;
import dev.ullage.diagnosis.view.GpuServer;
import dev.ullage.diagnosis.view.Suffering;
import dev.ullage.diagnosis.view.VramPool;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.ServerState.Health;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// The model's weights are larger than what the server may have of the GPU, or leave nothing beside them.
///
/// Judged only of a server that does not serve: one that does has shown that they fit.
public final class VramWeights implements JudgesGpus {
    /// What a server needs on each GPU beside its weights, at the very least: CUDA's context, buffers, one request.
    private static final Bytes BESIDE = Bytes.ofGiB(1);

    /// What it should have beside them, for remedies.
    private static final Bytes WISHED = Bytes.ofGiB(3);

    /// With this much of its weights on GPUs it has found its place, whatever it says.
    private static final double LOADED = 0.9;

    @Override
    public String name() {
        return "vram-weights";
    }

    @Override
    public Cause cause() {
        return Cause.VRAM_WEIGHTS;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("vram-spill", "vram-kv-cache", "cpu-bound", "idle-server");
    }

    @Override
    public Verdict judge(Evidence evidence, List<GpuServer> servers) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server has weights that its GPUs cannot hold";
        for (GpuServer server : servers) {
            Suffering suffering = Suffering.of(evidence, server);
            String who = server.workload().shown();
            if (server.weights().bytes() == 0) continue;
            if (suffering.health() == Health.SERVING) {
                clear = who + " serves: its weights are where they belong";
                continue;
            }
            if (!mustLieOnGpus(evidence, server)) {
                clear = who + " may keep a part of its weights on the host, or make them smaller";
                continue;
            }
            VramPool tightest = server.places().stream()
                    .min(Comparator.comparing(server::budgetOf))
                    .orElseThrow();
            Bytes room = server.splitsByLayers()
                    ? Bytes.sum(server.all().stream().map(server::budgetOf).toList())
                    : server.budgetOf(tightest);
            Bytes each = server.weights().times(1.0 / server.parallel());
            clear = who + " has weights of " + each.shown() + ", and may have " + room.shown() + " of "
                    + tightest.shown();
            if (!each.plus(BESIDE).isMoreThan(room)) continue;
            if (server.held().compareTo(server.weights().times(LOADED)) >= 0 && !suffering.fails()) continue;
            findings.add(finding(server, suffering, tightest, each, room));
        }
        return Verdict.of(findings, clear);
    }

    /// Whether the files' size is what its GPUs must hold. Ollama and its like spill what does not fit; llama.cpp puts
    /// as
    /// many layers on GPUs as it was told.
    private static boolean mustLieOnGpus(Evidence evidence, GpuServer server) {
        return server.loadsAsItIs(evidence)
                && switch (server.engine()) {
                    case VLLM, SGLANG, TGI, TENSORRT_LLM -> true;
                    case LLAMA_CPP -> server.putsAllLayersOnGpus();
                    case OLLAMA, LM_STUDIO, LOCALAI, KOBOLDCPP, DEEPSPEED, TRANSFORMERS, UNKNOWN -> false;
                };
    }

    private Finding finding(GpuServer server, Suffering suffering, VramPool pool, Bytes each, Bytes room) {
        boolean tooLarge = each.isMoreThan(room);
        List<Saw> saw = new ArrayList<>();
        saw.add(Saw.of(
                server.parallel() > 1 ? "weights for each of " + server.parallel() + " GPUs" : "weights",
                each,
                server.workload().models().getFirst().path()));
        saw.add(Saw.of("memory it may have there", room, server.sourceOfShare()));
        saw.add(Saw.of("memory of " + pool.shown(), pool.memory().total(), "nvmlDeviceGetMemoryInfo total"));
        saw.addAll(suffering.saw());
        return new Finding(
                this,
                suffering.fails() ? Severity.CRITICAL : Severity.WARNING,
                new Signs()
                        .sign(true)
                        .sign(tooLarge)
                        .sign(suffering.fails())
                        // A checkpoint of 32-bit numbers is loaded as one of 16.
                        .doubt(!suffering.fails(), 0.3)
                        .confidence(),
                server.workload().shown() + " has weights of " + each.shown()
                        + (server.parallel() > 1 ? " for each GPU" : "") + " and may have " + room.shown() + " of "
                        + pool.shown()
                        + (suffering.shown().isEmpty() ? "" : "; it " + suffering.shown()),
                saw,
                tooLarge
                        ? "the weights cannot be loaded, whatever else is made smaller"
                        : "once they are loaded nothing is left for a KV cache, so it gives up",
                JudgesGpus.subject(server, pool)
                        .at(server.workload().models().getFirst().path()),
                remedies(server, pool, each, room));
    }

    private static List<Remedy> remedies(GpuServer server, VramPool pool, Bytes each, Bytes room) {
        List<Remedy> remedies = new ArrayList<>();
        String verify = "ullage diagnose";
        double wanted = (double) each.plus(WISHED).bytes()
                / Math.max(1, pool.memory().total().bytes());
        double most = 0.95 * pool.usable().shareOf(pool.memory().total()).ratio();
        if (wanted <= most && pool.usable().isMoreThan(room))
            EngineFlags.memoryShare(server.engine(), Math.ceil(wanted * 100) / 100)
                    .ifPresent(flag -> remedies.add(Remedy.medium(
                            "let it take more of the card: " + each.plus(WISHED).shown() + " would do",
                            EngineFlags.command(server.engine(), flag),
                            Remedy.Cost.RESTART,
                            Remedy.Risk.NONE,
                            verify,
                            "start it with the old share")));
        int gpus = gpusFor(server, room);
        int there = server.all().size();
        if (gpus > server.parallel() && gpus <= there)
            remedies.addAll(EngineFlags.splitOver(server.engine(), gpus)
                    .map(flag -> Remedy.medium(
                            "split each layer over " + gpus + " GPUs",
                            EngineFlags.command(server.engine(), flag),
                            Remedy.Cost.RESTART,
                            Remedy.Risk.NONE,
                            verify,
                            "start it with the old number"))
                    .stream()
                    .toList());
        Bytes fits = room.minus(WISHED).orNoneIfNegative().times(server.splitsByLayers() ? 1 : server.parallel());
        if (fits.bytes() > 0)
            remedies.add(Remedy.medium(
                    "serve a quantisation whose files are below " + fits.shown() + ", "
                            + fits.shareOf(server.weights()).shown() + " of these"
                            + (server.splitsByLayers()
                                    ? ""
                                    : " (of 16-bit files FP8 leaves half, AWQ or GPTQ a third)"),
                    "",
                    Remedy.Cost.RESTART,
                    Remedy.Risk.RESULTS_CHANGE,
                    verify,
                    "start it with the old files"));
        EngineFlags.offload(server.engine(), each.plus(WISHED).minus(room))
                .ifPresent(flag -> remedies.add(Remedy.medium(
                        "keep the part that does not fit in host memory; each token then waits for it to cross the bus",
                        EngineFlags.command(server.engine(), flag),
                        Remedy.Cost.RESTART,
                        Remedy.Risk.SLOWER,
                        verify,
                        "start it without the option")));
        if (gpus > there)
            remedies.add(Remedy.byDesign(
                    "give it GPUs with room for " + server.weights().shown() + " of weights and " + WISHED.shown()
                            + " beside them on each",
                    "",
                    Remedy.Cost.RESTART,
                    Remedy.Risk.NONE,
                    verify,
                    "-"));
        return remedies;
    }

    /// The number of GPUs that would have room, doubled as engines want it.
    private static int gpusFor(GpuServer server, Bytes room) {
        int gpus = server.parallel();
        while (gpus < 1024 && server.weights().times(1.0 / gpus).plus(WISHED).isMoreThan(room)) gpus *= 2;
        return gpus;
    }
}
