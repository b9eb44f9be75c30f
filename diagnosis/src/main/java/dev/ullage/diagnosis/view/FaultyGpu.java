// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.kernellog.GpuFault;
import dev.ullage.host.kernellog.GpuFault.Kind;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A GPU of which the kernel log holds faults, with the servers on it.
///
/// @param address where it is; empty when the log does not say
/// @param gpu what it tells now; empty when it tells nothing any more, or none of that address does
/// @param recent faults of the time that counts (`--since`), the oldest first
/// @param old those before
/// @param servers that have memory on it
public record FaultyGpu(
        String address, Optional<Gpu> gpu, List<GpuFault> recent, List<GpuFault> old, Set<Workload> servers) {
    /// Those with faults, in the order in which the log names them.
    public static List<FaultyGpu> in(Evidence evidence) {
        List<Gpu> gpus = evidence.latest(Gpus.FACT).map(Gpus::gpus).orElse(List.of());
        Map<String, List<GpuFault>> byAddress = new LinkedHashMap<>();
        for (GpuFault fault :
                evidence.latest(KernelEvents.FACT).orElse(KernelEvents.NONE).gpus()) {
            // A line without an address is about the only GPU, where there is one.
            String address =
                    fault.gpu().isEmpty() && gpus.size() == 1 ? gpus.getFirst().pciAddress() : fault.gpu();
            byAddress.computeIfAbsent(address, _ -> new ArrayList<>()).add(fault);
        }
        List<FaultyGpu> faulty = new ArrayList<>();
        byAddress.forEach((address, faults) -> faulty.add(of(evidence, gpus, address, faults)));
        return faulty;
    }

    private static FaultyGpu of(Evidence evidence, List<Gpu> gpus, String address, List<GpuFault> faults) {
        List<GpuFault> recent = new ArrayList<>();
        List<GpuFault> old = new ArrayList<>();
        for (GpuFault fault : faults)
            (age(evidence, fault)
                                    .map(a -> a.compareTo(evidence.focus().since()) <= 0)
                                    .orElse(false)
                            ? recent
                            : old)
                    .add(fault);
        Optional<Gpu> gpu = gpus.stream()
                .filter(g -> !address.isEmpty() && g.pciAddress().equals(address))
                .findFirst();
        Set<Workload> servers = new LinkedHashSet<>();
        gpu.map(g -> GpuHolders.of(evidence, g))
                .ifPresent(on -> evidence.servers().stream().filter(on::isOn).forEach(servers::add));
        return new FaultyGpu(address, gpu, List.copyOf(recent), List.copyOf(old), servers);
    }

    /// How long ago; empty when the log does not say when.
    public static Optional<Seconds> age(Evidence evidence, GpuFault fault) {
        return fault.sinceBoot()
                .map(at -> new Seconds(Math.max(0, evidence.to().monotonic().seconds() - at.seconds())));
    }

    public List<GpuFault> recent(Kind kind) {
        return recent.stream().filter(f -> f.kind() == kind).toList();
    }

    /// The servers that faults of a kind name: by their number, or by the name of an engine's process that is gone.
    public boolean namesServer(Evidence evidence, Kind kind) {
        return recent(kind).stream()
                .anyMatch(fault -> server(evidence, fault).isPresent() || isEngines(fault.process()));
    }

    private static Optional<Workload> server(Evidence evidence, GpuFault fault) {
        return fault.pid().isEmpty()
                ? Optional.empty()
                : evidence.servers().stream()
                        .filter(s -> s.processes().stream()
                                .anyMatch(id -> id.pid() == fault.pid().getAsInt()))
                        .findFirst();
    }

    /// Python alone is anybody's.
    private static boolean isEngines(String process) {
        return process.startsWith("VLLM::")
                || process.startsWith("sglang::")
                || !process.isEmpty()
                        && Engine.of(new CommandLine(List.of(process))).isPresent();
    }

    /// Main pids of the servers on it, and of those its faults name.
    public Set<Integer> affected(Evidence evidence) {
        Set<Integer> pids = new LinkedHashSet<>();
        servers.forEach(server -> pids.add(server.main().pid()));
        recent.forEach(fault ->
                server(evidence, fault).ifPresent(s -> pids.add(s.main().pid())));
        return pids;
    }

    /// `GPU 0 (NVIDIA H100)`, `the GPU at 0000:3b:00.0`.
    public String shown() {
        return gpu.map(Gpu::shown).orElse(address.isEmpty() ? "a GPU" : "the GPU at " + address);
    }

    /// For a report's subject: `gpu0`, else its address.
    public String word() {
        return gpu.map(Gpu::word).orElse(address);
    }
}
