// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.GpuInstance;
import dev.ullage.host.gpu.GpuProcess;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.gpu.Vendor;
import dev.ullage.host.gpu.Vram;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.server.Workload;
import dev.ullage.host.service.Service;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Memory that processes on a GPU share: a whole GPU's, or that of one MIG instance, whose processes cannot use
/// another's.
///
/// GPUs that use the host's memory (GB10, Jetson, APUs) are not among them: their "used" is the page cache too, and
/// host
/// memory is judged instead.
///
/// @param instance of MIG; empty for a whole GPU
/// @param holders who has memory in it, the largest first
/// @param holdersKnown whether the driver told them at all
/// @param unaccounted used, and behind it no process; see [GpuHolders]
/// @param hidesOthers in a container: who else is on the GPU has a number that is nobody's here
public record VramPool(
        Gpu gpu,
        Optional<GpuInstance> instance,
        Vram memory,
        List<GpuHolder> holders,
        boolean holdersKnown,
        Reading<Bytes> unaccounted,
        boolean hidesOthers) {
    public static List<VramPool> in(Evidence evidence) {
        List<VramPool> pools = new ArrayList<>();
        for (Gpu gpu : evidence.latest(Gpus.FACT).map(Gpus::gpus).orElse(List.of())) {
            if (gpu.unifiedMemory()) continue;
            GpuHolders held = GpuHolders.of(evidence, gpu);
            if (gpu.instances().isEmpty()) {
                if (gpu.memory() instanceof Present<Vram>(Vram memory)
                        && memory.total().bytes() > 0)
                    pools.add(new VramPool(
                            gpu,
                            Optional.empty(),
                            memory,
                            held.holders(),
                            held.holdersKnown(),
                            held.unaccounted(),
                            held.ofAnotherNamespace()));
                continue;
            }
            for (int i = 0; i < gpu.instances().size(); i++) {
                GpuInstance instance = gpu.instances().get(i);
                if (instance.memory() instanceof Present<Vram>(Vram memory)
                        && memory.total().bytes() > 0)
                    pools.add(new VramPool(
                            gpu,
                            Optional.of(instance),
                            memory,
                            inInstance(gpu, i, held.holders()),
                            held.holdersKnown(),
                            Reading.absent(
                                    "processes in " + gpu.shown(),
                                    AbsentCause.NOT_CONFIGURED,
                                    "what a MIG instance keeps for itself is not told"),
                            held.ofAnotherNamespace()));
            }
        }
        return pools;
    }

    private static List<GpuHolder> inInstance(Gpu gpu, int instance, List<GpuHolder> all) {
        List<GpuHolder> holders = new ArrayList<>();
        for (GpuHolder holder : all)
            for (GpuProcess process : gpu.processes().orElse(List.of()))
                if (process.pid() == holder.pid()
                        && process.instance().orElse(-1) == instance
                        && holders.stream().noneMatch(h -> h.pid() == holder.pid()))
                    holders.add(new GpuHolder(
                            holder.pid(), holder.workload(), holder.name(), process.memory(), holder.ended()));
        return List.copyOf(holders);
    }

    /// `GPU 0 (NVIDIA L4)`, `GPU 0 (NVIDIA H100), instance 1`.
    public String shown() {
        return gpu.shown() + instance.map(i -> ", instance " + i.gpuInstance()).orElse("");
    }

    /// What processes can have of it: all but what driver and firmware keep.
    public Bytes usable() {
        return memory.total().minus(memory.reserved()).orNoneIfNegative();
    }

    public boolean isOn(Workload workload) {
        return holders.stream().anyMatch(h -> isOf(h, workload));
    }

    public Bytes heldBy(Workload workload) {
        return sum(holders.stream().filter(h -> isOf(h, workload)).toList());
    }

    /// Everybody but a workload, the largest first.
    public List<GpuHolder> others(Workload workload) {
        return holders.stream().filter(h -> !isOf(h, workload)).toList();
    }

    public Bytes heldByOthers(Workload workload) {
        return sum(others(workload));
    }

    private static boolean isOf(GpuHolder holder, Workload workload) {
        return holder.workload().filter(workload::equals).isPresent();
    }

    private static Bytes sum(List<GpuHolder> holders) {
        return Bytes.sum(
                holders.stream().map(h -> h.memory().orElse(Bytes.NONE)).toList());
    }

    /// Whether the driver says how much everybody has.
    public boolean isAccountable() {
        return holdersKnown && holders.stream().allMatch(h -> h.memory().isPresent());
    }

    /// Where a number of its memory is looked up.
    ///
    /// @param what `total`, `used`, `free`
    public String source(String what) {
        return gpu.vendor() == Vendor.NVIDIA
                ? "nvmlDeviceGetMemoryInfo " + what
                : "/sys/class/drm/card*/device/mem_info_vram_" + (what.equals("total") ? "total" : "used");
    }

    /// Where it is looked up who has how much.
    public String sourceOfHolders() {
        return gpu.vendor() == Vendor.NVIDIA
                ? "nvmlDeviceGetComputeRunningProcesses usedGpuMemory"
                : "/proc/<pid>/fdinfo drm-memory-vram";
    }

    /// The command that shows who has how much.
    public String commandForHolders() {
        return gpu.vendor() == Vendor.NVIDIA
                ? "nvidia-smi --query-compute-apps=pid,used_memory --format=csv"
                : "ullage diagnose";
    }

    /// A holder with where it runs: `ipykernel_launcher (pid 900, container jupyter)`.
    public static String shown(Evidence evidence, GpuHolder holder) {
        if (holder.ended()) return holder.shown();
        String place = evidence.subjects(ProcessStat.FACT).stream()
                .filter(id -> id.pid() == holder.pid())
                .findFirst()
                .map(id ->
                        evidence.latest(Service.FACT, id).orElse(Service.NONE).shown())
                .orElse("");
        return place.isEmpty() || !holder.shown().endsWith(")")
                ? holder.shown()
                : holder.shown().substring(0, holder.shown().length() - 1) + ", " + place + ")";
    }
}
