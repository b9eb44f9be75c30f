// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.GpuLoad;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.gpu.PcieLink;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.ServerState.LoadedModel;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Present;
import java.util.List;
import java.util.Optional;

/// That a part of a model does not lie where it should be computed.
///
/// @param how by what it was told
/// @param model how large it is in memory; nothing when not known
/// @param onHost what of it is not on a GPU; nothing when only the traffic tells
/// @param isAskedFor whether the server was told to: `--cpu-offload-gb`, `-ngl 20`
/// @param traffic what the GPU received over its link; nothing unless that tells
/// @param busy how busy the GPU computed meanwhile
public record Spill(
        How how,
        String modelName,
        Bytes model,
        Bytes onHost,
        boolean isAskedFor,
        BytesPerSecond traffic,
        Ratio busy,
        Optional<Gpu> gpu,
        String source) {
    public enum How {
        /// The server says so.
        TOLD,
        /// The server says that more lies on GPUs than any GPU has in use.
        CLAIMED,
        /// It holds less of a GPU than its weights take.
        HELD,
        /// Bytes stream to a GPU that hardly computes.
        STREAMED
    }

    /// CPUs' worth of time: a server whose model lies on the GPU needs less, but for a thread that polls.
    public static final double COMPUTES = 1.2;

    /// Of what a link can carry.
    static final double BUSY_LINK = 0.5;

    /// A GPU that computes less than this waits for what comes in.
    static final double IDLE_GPU = 0.5;

    /// Of the weights: buffers and context make what is held more, never less.
    static final double MOST_HELD = 0.8;

    public static Optional<Spill> of(Evidence evidence, GpuServer server) {
        Optional<Spill> told =
                told(server, server.states().map(ServerStates::loaded).orElse(List.of()));
        if (told.isPresent()) return told;
        if (server.isLoading(evidence)) return Optional.empty();
        if (server.engine() == Engine.LLAMA_CPP) {
            Optional<Spill> held = held(evidence, server);
            if (held.isPresent()) return held;
        }
        return streamed(evidence, server);
    }

    /// What Ollama says: `size_vram` below `size`; or `size_vram` of which no GPU has that much in use.
    private static Optional<Spill> told(GpuServer server, List<LoadedModel> loaded) {
        Bytes size = Bytes.sum(loaded.stream().map(LoadedModel::size).toList());
        Bytes onGpu = Bytes.sum(loaded.stream().map(LoadedModel::onGpu).toList());
        if (size.bytes() <= 0) return Optional.empty();
        LoadedModel worst = loaded.stream()
                .max((a, b) -> a.size().minus(a.onGpu()).compareTo(b.size().minus(b.onGpu())))
                .orElseThrow();
        Bytes used = Bytes.sum(server.all().stream().map(p -> p.memory().used()).toList());
        if (size.isMoreThan(onGpu)) {
            return Optional.of(new Spill(
                    How.TOLD,
                    worst.name(),
                    size,
                    size.minus(onGpu),
                    false,
                    BytesPerSecond.NONE,
                    Ratio.NONE,
                    server.places().stream().map(VramPool::gpu).findFirst(),
                    "/api/ps size, size_vram"));
        }
        if (onGpu.times(MOST_HELD).isMoreThan(used))
            return Optional.of(new Spill(
                    How.CLAIMED,
                    worst.name(),
                    size,
                    size.minus(used).orNoneIfNegative(),
                    false,
                    BytesPerSecond.NONE,
                    Ratio.NONE,
                    server.places().stream().map(VramPool::gpu).findFirst(),
                    "/api/ps size_vram; nvmlDeviceGetMemoryInfo used"));
        return Optional.empty();
    }

    /// llama.cpp says it in its log only; what it holds of its GPUs tells as well.
    private static Optional<Spill> held(Evidence evidence, GpuServer server) {
        boolean known = !server.pools().isEmpty() && server.pools().stream().allMatch(VramPool::isAccountable);
        Bytes weights = server.weights();
        // What it holds of a GPU is one sign, and a load in progress has it too.
        if (CpuUse.of(evidence, server.workload()).cores() < COMPUTES) return Optional.empty();
        if (!known || weights.bytes() == 0 || !weights.times(MOST_HELD).isMoreThan(server.held()))
            return Optional.empty();
        return Optional.of(new Spill(
                How.HELD,
                server.workload().models().getFirst().name(),
                weights,
                weights.minus(server.held()),
                server.settings().gpuLayers().isPresent() && !server.putsAllLayersOnGpus()
                        || !server.loadsAsItIs(evidence),
                BytesPerSecond.NONE,
                Ratio.NONE,
                server.pools().stream().map(VramPool::gpu).findFirst(),
                "nvmlDeviceGetComputeRunningProcesses usedGpuMemory"));
    }

    /// At both ends of the window: one sample of 20 ms may be a prompt on its way.
    private static Optional<Spill> streamed(Evidence evidence, GpuServer server) {
        if (!(evidence.change(Gpus.FACT) instanceof Present<Change<Gpus>>(Change<Gpus> window)))
            return Optional.empty();
        for (VramPool pool : server.pools()) {
            Optional<BytesPerSecond> before =
                    window.before().byIndex(pool.gpu().index()).flatMap(Spill::stream);
            Optional<BytesPerSecond> after =
                    window.after().byIndex(pool.gpu().index()).flatMap(Spill::stream);
            if (before.isEmpty() || after.isEmpty()) continue;
            BytesPerSecond less = before.get().compareTo(after.get()) < 0 ? before.get() : after.get();
            return Optional.of(new Spill(
                    How.STREAMED,
                    "",
                    server.weights(),
                    Bytes.NONE,
                    isToldToOffload(evidence, server),
                    less,
                    pool.gpu().load().map(GpuLoad::compute).orElse(Ratio.NONE),
                    Optional.of(pool.gpu()),
                    "nvmlDeviceGetPcieThroughput"));
        }
        return Optional.empty();
    }

    /// What comes in over a link that is nearly full, while the GPU hardly computes.
    private static Optional<BytesPerSecond> stream(Gpu gpu) {
        if (!(gpu.pcie() instanceof Present<PcieLink>(PcieLink link))
                || !(link.received() instanceof Present<BytesPerSecond>(BytesPerSecond received))
                || !(gpu.load() instanceof Present<GpuLoad>(GpuLoad load))) return Optional.empty();
        double capacity = capacity(link).bytesPerSecond();
        boolean busy = capacity > 0 && received.bytesPerSecond() >= BUSY_LINK * capacity;
        return busy && !load.compute().isAtLeast(IDLE_GPU) ? Optional.of(received) : Optional.empty();
    }

    /// What a link carries, after its encoding: a lane of generation 1 and 2 has 250 and 500 MB/s, of 3 985 MB/s, and
    /// each generation after it twice as much (PCI-SIG).
    public static BytesPerSecond capacity(PcieLink link) {
        double lane =
                switch (Math.clamp(link.generation(), 0, 7)) {
                    case 0 -> 0;
                    case 1 -> 250e6;
                    case 2 -> 500e6;
                    default -> 985e6 * (1 << Math.clamp(link.generation(), 3, 7) - 3);
                };
        return new BytesPerSecond(lane * Math.clamp(link.width(), 0, 32));
    }

    private static boolean isToldToOffload(Evidence evidence, GpuServer server) {
        return server.workload().processes().stream().anyMatch(id -> evidence.latest(CommandLine.FACT, id)
                .map(c -> c.joined().contains("offload"))
                .orElse(false));
    }

    /// The share of the model that is not on a GPU.
    public Ratio share() {
        return onHost.shareOf(model);
    }
}
