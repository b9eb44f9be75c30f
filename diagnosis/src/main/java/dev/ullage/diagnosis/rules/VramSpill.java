// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Shell;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.CpuUse;
import dev.ullage.diagnosis.view.EngineFlags;
import dev.ullage.diagnosis.view.GpuServer;
import dev.ullage.diagnosis.view.Spill;
import dev.ullage.diagnosis.view.Spill.How;
import dev.ullage.diagnosis.view.VramPool;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.Engine;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// A part of the model lies on the host and is computed by the CPU, or crosses the bus for every token. Nothing fails,
/// so nobody is told.
///
/// A warning when the server is at work meanwhile and nobody asked for it; advice otherwise.
public final class VramSpill implements JudgesGpus {
    /// Of the model: less than this is rounding, an embedding table that llama.cpp keeps on the host by habit.
    private static final double LEAST = 0.05;

    /// Times what lies on the host: what layers take on a GPU beside their weights.
    private static final double WITH_BUFFERS = 1.2;

    @Override
    public String name() {
        return "vram-spill";
    }

    @Override
    public Cause cause() {
        return Cause.VRAM_SPILL;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cpu-bound", "cpu-throttled", "idle-server", "repacked-copy");
    }

    @Override
    public Verdict judge(Evidence evidence, List<GpuServer> servers) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server has a part of its model off the GPU";
        for (GpuServer server : servers) {
            Optional<Spill> spill = Spill.of(evidence, server);
            CpuUse cpu = CpuUse.of(evidence, server.workload());
            if (spill.isEmpty()) continue;
            if (spill.get().how() != How.STREAMED && !spill.get().share().isAtLeast(LEAST)) {
                clear = server.workload().shown() + " has all but "
                        + spill.get().onHost().shown() + " of its model on the GPU";
                continue;
            }
            findings.add(finding(server, spill.get(), cpu));
        }
        return Verdict.of(findings, clear);
    }

    private Finding finding(GpuServer server, Spill spill, CpuUse cpu) {
        boolean computes = cpu.cores() >= Spill.COMPUTES;
        boolean suffers = computes || spill.how() == How.STREAMED;
        List<Saw> saw = new ArrayList<>();
        if (spill.how() == How.STREAMED) {
            saw.add(Saw.of("received by the GPU over its link", spill.traffic(), spill.source()));
            saw.add(Saw.of("time in which the GPU computed", spill.busy(), "nvmlDeviceGetUtilizationRates gpu"));
        } else {
            saw.add(Saw.of("its model in memory", spill.model(), spill.source()));
            saw.add(Saw.of("of that on no GPU", spill.onHost(), spill.source()));
        }
        saw.add(Saw.of(
                "CPU time it used, in cores",
                new Ratio(cpu.cores()),
                "/proc/" + server.workload().main().pid() + "/stat"));
        for (VramPool place : server.places().stream().limit(2).toList())
            saw.add(Saw.of("free on " + place.shown(), place.memory().free(), place.source("free")));
        return new Finding(
                this,
                suffers && !spill.isAskedFor() ? Severity.WARNING : Severity.ADVICE,
                new Signs()
                        .sign(true)
                        .sign(suffers)
                        .doubt(spill.how() == How.HELD, 0.2)
                        .doubt(spill.how() == How.STREAMED, 0.3)
                        .confidence(),
                server.workload().shown() + " " + says(spill, cpu),
                saw,
                spill.how() == How.STREAMED
                        ? "the GPU waits for weights or cache that come over the bus again for every token"
                        : "the CPU computes its part of every token, and the GPU waits for it; others measured 3.3 times slower with 29 % of the layers on the CPU",
                spill.gpu()
                        .map(gpu -> Subject.of(server.workload()).onDevice(gpu.word()))
                        .orElse(Subject.of(server.workload())),
                remedies(server, spill));
    }

    private static String says(Spill spill, CpuUse cpu) {
        String model = spill.modelName().isEmpty() ? "its model" : spill.modelName();
        return switch (spill.how()) {
                    case TOLD ->
                        spill.share().isAtLeast(1)
                                ? "has all of " + model + " on the CPU, "
                                        + spill.model().shown()
                                : "has " + spill.share().shown() + " of " + model + " on the CPU, "
                                        + spill.onHost().shown() + " of "
                                        + spill.model().shown();
                    case CLAIMED ->
                        "says that " + model + " lies on the GPU, "
                                + spill.model().shown() + ", where all together have less in use";
                    case HELD ->
                        "holds " + spill.model().minus(spill.onHost()).shown() + " of its GPU for weights of "
                                + spill.model().shown() + ", and computes on "
                                + String.format(Locale.ROOT, "%.1f", cpu.cores()) + " CPUs";
                    case STREAMED ->
                        "is fed " + spill.traffic().shown() + " over the bus, and its GPU computes "
                                + spill.busy().shown() + " of the time";
                }
                + (spill.isAskedFor() ? ", as it was told to" : "");
    }

    private static List<Remedy> remedies(GpuServer server, Spill spill) {
        List<Remedy> remedies = new ArrayList<>();
        Engine engine = server.engine();
        String verify = engine == Engine.OLLAMA ? "ollama ps" : "ullage diagnose";
        if (engine == Engine.OLLAMA)
            remedies.add(Remedy.now(
                    "unload the model and load it again once the GPU has room: Ollama decides at load time",
                    "ollama stop " + Shell.word(spill.modelName()),
                    Remedy.Cost.RELOAD,
                    Remedy.Risk.NONE,
                    verify,
                    "-"));
        Bytes free =
                Bytes.sum(server.places().stream().map(p -> p.memory().free()).toList());
        boolean hasRoom = free.isMoreThan(spill.onHost().times(WITH_BUFFERS));
        if (hasRoom && engine == Engine.LLAMA_CPP)
            remedies.add(Remedy.medium(
                    "put all layers on the GPU: " + free.shown() + " are free there",
                    EngineFlags.command(engine, "-ngl 99"),
                    Remedy.Cost.RESTART,
                    Remedy.Risk.NONE,
                    verify,
                    "start it with the old number"));
        if (hasRoom && engine == Engine.OLLAMA)
            remedies.add(Remedy.now(
                    "see why it did not take the room there is: it may have found no GPU, or counted a model that was still being unloaded",
                    "journalctl -u ollama -n 500 | grep -iE 'inference compute|no compatible GPUs|library='",
                    Remedy.Cost.NONE,
                    Remedy.Risk.NONE,
                    verify,
                    "-"));
        EngineFlags.context(engine, context(server))
                .filter(_ -> spill.how() != How.STREAMED)
                .ifPresent(flag -> remedies.add(Remedy.medium(
                        "ask for a shorter context: its KV cache lies beside the weights",
                        EngineFlags.command(engine, flag),
                        Remedy.Cost.RESTART,
                        Remedy.Risk.RESULTS_CHANGE,
                        verify,
                        "start it with the old length")));
        EngineFlags.smallerKvCache(engine)
                .ifPresent(flag -> remedies.add(Remedy.medium(
                        "keep the KV cache in 8 bits",
                        EngineFlags.command(engine, flag),
                        Remedy.Cost.RESTART,
                        Remedy.Risk.RESULTS_CHANGE,
                        verify,
                        "start it without the option")));
        Bytes fits = spill.model().minus(spill.onHost());
        remedies.add(Remedy.medium(
                fits.bytes() > 0 && spill.onHost().bytes() > 0
                        ? "serve a quantisation that takes " + fits.shown() + " with its cache, "
                                + fits.shareOf(spill.model()).shown() + " of this one"
                        : "serve a quantisation that fits on the GPU with its cache",
                "",
                Remedy.Cost.RESTART,
                Remedy.Risk.RESULTS_CHANGE,
                verify,
                "start it with the old file"));
        return remedies;
    }

    private static String context(GpuServer server) {
        return server.settings().contextLength().isPresent()
                        && server.settings().contextLength().getAsLong() > 4096
                ? Long.toString(server.settings().contextLength().getAsLong() / 2)
                : "4096";
    }
}
