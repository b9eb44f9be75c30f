// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.cpu.CpuTime;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.ServerSettings;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFormat;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A server, what it was told, and the GPU memory it works in.
///
/// @param settings what it says it was set to, else what its command line says
/// @param states what it says of itself
/// @param pools in which it holds memory; empty when it holds none
/// @param all every pool of the host: where a server that holds none would have to find its place
public record GpuServer(
        Workload workload,
        ServerSettings settings,
        Reading<ServerStates> states,
        List<VramPool> pools,
        List<VramPool> all) {
    /// vLLM's `--gpu-memory-utilization` where it is not told otherwise.
    private static final Ratio SHARE_OF_VLLM = new Ratio(0.9);

    private static final Seconds JUST_STARTED = new Seconds(120);

    /// A server that only answers reads less from its sockets and files; the slowest disk brings a model faster.
    private static final BytesPerSecond MUCH = BytesPerSecond.ofMiB(32);

    /// Options that make weights smaller when they are loaded, or leave a part of them on the host on purpose: what the
    /// files weigh is then not what the GPU has to hold.
    private static final List<String> MADE_SMALLER = List.of(
            "--quantization",
            "-q",
            "--quantize",
            "--load-format",
            "--load-in-4bit",
            "--load-in-8bit",
            "--cpu-offload-gb",
            "--offload-group-size",
            "--override-tensor",
            "-ot",
            "--cpu-moe",
            "-cmoe",
            "--n-cpu-moe",
            "-ncmoe",
            "--torchao-config",
            "--pipeline-parallel-size",
            "-pp",
            "--pp-size",
            "--enable-expert-parallel");

    public static List<GpuServer> in(Evidence evidence) {
        List<VramPool> all = VramPool.in(evidence);
        List<GpuServer> servers = new ArrayList<>();
        if (all.isEmpty()) return servers;
        for (Workload workload : evidence.servers()) {
            List<VramPool> pools =
                    all.stream().filter(pool -> pool.isOn(workload)).toList();
            servers.add(new GpuServer(
                    workload, settings(evidence, workload), ServerStates.of(evidence, workload), pools, all));
        }
        return servers;
    }

    public Engine engine() {
        return workload.engine().orElse(Engine.UNKNOWN);
    }

    /// Whether it takes its memory at start and manages it itself: a card that is full then says nothing.
    public boolean reservesAtStart() {
        return switch (engine()) {
            case VLLM, SGLANG, TGI, TENSORRT_LLM -> true;
            case LLAMA_CPP, OLLAMA, LM_STUDIO, LOCALAI, KOBOLDCPP, DEEPSPEED, TRANSFORMERS, UNKNOWN -> false;
        };
    }

    /// What it holds in all pools.
    public Bytes held() {
        return Bytes.sum(pools.stream().map(pool -> pool.heldBy(workload)).toList());
    }

    /// How large its model's files are: adapters and a draft model count too, as they are loaded as well. Nothing when
    /// no file is known, as when it was told a name of a hub and has closed what it read.
    ///
    /// A folder may hold the same weights two and three times: as safetensors, as `.bin`, as
    /// `consolidated….safetensors`
    /// of its maker. One of them is loaded.
    public Bytes weights() {
        List<ModelFile> files = workload.models();
        List<ModelFile> safe = files.stream()
                .filter(f -> f.format() == ModelFormat.SAFETENSORS)
                .toList();
        if (!safe.isEmpty() && engine() != Engine.LLAMA_CPP) files = safe;
        List<ModelFile> parts =
                files.stream().filter(f -> !f.name().startsWith("consolidated")).toList();
        return Bytes.sum(
                (parts.isEmpty() ? files : parts).stream().map(ModelFile::size).toList());
    }

    /// llama.cpp gives each GPU some of the layers; the others split each layer.
    public boolean splitsByLayers() {
        return switch (engine()) {
            case LLAMA_CPP, OLLAMA, LM_STUDIO, LOCALAI, KOBOLDCPP -> true;
            case VLLM, SGLANG, TGI, TENSORRT_LLM, DEEPSPEED, TRANSFORMERS, UNKNOWN -> false;
        };
    }

    /// Told to put more layers on GPUs than any model has: people type 99 or 999 for "all".
    public boolean putsAllLayersOnGpus() {
        return settings.gpuLayers().isPresent() && settings.gpuLayers().getAsInt() >= 99;
    }

    /// Where the share it takes is written.
    public String sourceOfShare() {
        return share().isPresent()
                ? "/proc/" + workload.main().pid() + "/cmdline"
                : "nvmlDeviceGetMemoryInfo total - reserved";
    }

    /// Over how many GPUs each layer is split.
    public int parallel() {
        return Math.max(1, settings.tensorParallel().orElse(1));
    }

    /// Whether the files' size is what GPUs have to hold.
    public boolean loadsAsItIs(Evidence evidence) {
        return workload.processes().stream().noneMatch(id -> evidence.latest(CommandLine.FACT, id)
                .map(command -> command.arguments().stream().anyMatch(GpuServer::makesSmaller))
                .orElse(false));
    }

    private static boolean makesSmaller(String argument) {
        int equals = argument.indexOf('=');
        return MADE_SMALLER.contains(equals < 0 ? argument : argument.substring(0, equals));
    }

    /// The share of each GPU that it takes at start, where that is known.
    public Optional<Ratio> share() {
        if (settings.gpuMemoryShare().isPresent()) return settings.gpuMemoryShare();
        return engine() == Engine.VLLM ? Optional.of(SHARE_OF_VLLM) : Optional.empty();
    }

    /// What it may have of a pool, by its settings and by what the driver keeps.
    public Bytes budgetOf(VramPool pool) {
        Bytes bySetting =
                share().map(s -> pool.memory().total().times(s.ratio())).orElse(pool.usable());
        return bySetting.isMoreThan(pool.usable()) ? pool.usable() : bySetting;
    }

    /// What one token takes in the KV cache on each of its GPUs; empty where the model's header does not tell.
    public Optional<Bytes> perToken(Evidence evidence) {
        return GpuShare.perToken(evidence, workload, settings);
    }

    /// Where it works; of a server that holds nothing anywhere, the pools with the most room for it, as many as it
    /// needs.
    public List<VramPool> places() {
        if (!pools.isEmpty()) return pools;
        return all.stream()
                .sorted(Comparator.comparing((VramPool p) -> p.usable().minus(p.heldByOthers(workload)))
                        .reversed())
                .limit(parallel())
                .toList();
    }

    /// How long ago its main process was started.
    public Seconds age(Evidence evidence) {
        return age(evidence, workload.main());
    }

    private static Seconds age(Evidence evidence, ProcessId id) {
        double started = id.startTicks() / CpuTime.TICKS_PER_SECOND;
        return new Seconds(Math.max(0, evidence.to().monotonic().seconds() - started));
    }

    /// Whether a model is on its way to a GPU: then memory grows, links are busy and GPUs idle by design. It says so, a
    /// process of it was started a moment ago (Ollama starts one for each model), or it reads much.
    public boolean isLoading(Evidence evidence) {
        return isYoung(evidence, Optional.empty()) || bringsWeightsIn(evidence);
    }

    /// The same for memory that grows: of a process that says that it serves, youth alone explains no growth.
    public boolean isLoadingStill(Evidence evidence) {
        Optional<ProcessId> serving = states.map(s -> s.now().health() == ServerState.Health.SERVING
                        ? Optional.of(s.process())
                        : Optional.<ProcessId>empty())
                .orElse(Optional.empty());
        return isYoung(evidence, serving) || bringsWeightsIn(evidence);
    }

    private boolean isYoung(Evidence evidence, Optional<ProcessId> but) {
        return workload.processes().stream()
                .filter(id -> !but.equals(Optional.of(id)))
                .anyMatch(id -> age(evidence, id).compareTo(JUST_STARTED) < 0);
    }

    private boolean bringsWeightsIn(Evidence evidence) {
        Reads reads = Reads.of(evidence, workload);
        return states.map(s -> s.now().health() == ServerState.Health.LOADING).orElse(false)
                || isMuch(reads.byCall(), reads)
                || isMuch(reads.fromStorage(), reads)
                || isMuch(reads.residentGrowth(), reads);
    }

    private static boolean isMuch(Bytes read, Reads reads) {
        return read.over(reads.window()).compareTo(MUCH) > 0;
    }

    /// Whether its parent has ended and left it behind, as happens to workers of a server that was killed.
    public boolean isOrphan(Evidence evidence) {
        return evidence.lastSeen(ProcessStat.FACT, workload.main())
                .map(stat -> stat.parent() == 1)
                .orElse(false);
    }

    private static ServerSettings settings(Evidence evidence, Workload workload) {
        return ServerStates.of(evidence, workload)
                .map(ServerStates::settings)
                .orElse(ServerStates.settings(evidence, workload));
    }
}
