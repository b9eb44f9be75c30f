// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.diagnosis.Diagnosis.CouldNotSee;
import dev.ullage.diagnosis.view.GpuHolder;
import dev.ullage.diagnosis.view.GpuHolders;
import dev.ullage.diagnosis.view.ServerStates;
import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.GpuPresence;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.gpu.Vendor;
import dev.ullage.host.gpu.Vram;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.service.Confinement;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Whether the GPUs of a host were seen, and how full they are in one clause.
///
/// A GPU was seen when its memory was and who holds it. One that shares the host's memory has none to be judged.
final class GpuLayer {
    private final Evidence evidence;
    private final GpuPresence presence;
    private final List<GpuHolders> told;

    GpuLayer(Evidence evidence) {
        this.evidence = evidence;
        presence = evidence.latest(GpuPresence.FACT).orElse(new GpuPresence(0, 0, 0));
        told = GpuHolders.in(evidence);
    }

    /// Whether there is GPU memory to judge, told of or not.
    boolean isThere() {
        return told.isEmpty()
                ? presence.count() > 0
                : told.stream().anyMatch(g -> !g.gpu().unifiedMemory());
    }

    /// The deciding facts that are absent; none on a host without a GPU.
    List<Absent<?>> missing() {
        List<Absent<?>> missing = new ArrayList<>();
        if (!isThere()) return missing;
        if (evidence.latest(Gpus.FACT) instanceof Absent<Gpus> silent) missing.add(silent);
        for (GpuHolders on : told) {
            if (on.gpu().unifiedMemory()) continue;
            if (on.gpu().memory() instanceof Absent<Vram> absent) missing.add(absent);
            else if (!on.holdersKnown() && on.gpu().processes() instanceof Absent<?> absent) missing.add(absent);
        }
        if (!told.isEmpty() && silentNvidia() > 0)
            missing.add(new Absent<>(
                    "libnvidia-ml.so.1",
                    AbsentCause.NOT_PRESENT,
                    silentNvidia() + " of " + presence.nvidia() + " NVIDIA GPUs told nothing"));
        return missing;
    }

    /// Those that the kernel's driver has and its library does not list. A container may see the folder of all and have
    /// the devices of some.
    private int silentNvidia() {
        boolean container =
                evidence.latest(Confinement.FACT).map(Confinement::container).orElse(false);
        long listed =
                told.stream().filter(g -> g.gpu().vendor() == Vendor.NVIDIA).count();
        return container ? 0 : (int) Math.max(0, presence.nvidia() - listed);
    }

    /// Why it is unknown: which GPUs, and what did not answer.
    String unseen(Absent<?> first) {
        String gpus = told.isEmpty() ? presence.shown() + ", " : "";
        return gpus + first.source() + ": " + first.cause().word();
    }

    List<CouldNotSee> couldNotSee() {
        List<CouldNotSee> all = new ArrayList<>();
        for (Absent<?> absent : missing())
            all.add(new CouldNotSee(
                    "GPU memory and who holds it",
                    absent.source(),
                    absent.cause().word(),
                    help(absent)));
        for (GpuHolders on : told)
            if (on.ofAnotherNamespace())
                all.add(new CouldNotSee(
                        "which of the container's processes are on " + on.gpu().shown(),
                        on.gpu().word() + " processes",
                        AbsentCause.NO_PERMISSION.word(),
                        "run it on the host itself: the driver counts processes as the host does"));
        return all;
    }

    private String help(Absent<?> absent) {
        boolean container =
                evidence.latest(Confinement.FACT).map(Confinement::container).orElse(false);
        return switch (absent.cause()) {
            case NO_PERMISSION -> "run as root";
            case TIMED_OUT -> "its driver does not answer: look at `dmesg`; a reset or a restart may be due";
            case NOT_RECORDED -> "capture the host with this version";
            case NOT_PRESENT, NOT_ON_THIS_KERNEL, NOT_CONFIGURED, VANISHED, MALFORMED -> {
                if (presence.nvidia() == 0)
                    yield "AMD: a kernel with amdgpu and its compute driver (kfd); Intel: run as root";
                yield container
                        ? "give the container the driver's library (NVIDIA_DRIVER_CAPABILITIES=compute,utility), or run it on the host"
                        : "see whether nvidia-smi works; install the library of the driver that is loaded (libnvidia-ml.so.1)";
            }
        };
    }

    /// `VRAM 71.9 of 79.6 GiB in use by vllm, KV cache 31 % full`, `no GPU`, `GPU not seen`.
    String shown() {
        List<GpuHolders> own =
                told.stream().filter(g -> !g.gpu().unifiedMemory()).toList();
        if (!told.isEmpty() && own.isEmpty())
            return told.size() == 1 ? "GPU shares the host's memory" : told.size() + " GPUs share the host's memory";
        List<Vram> memory = own.stream()
                .flatMap(g -> g.gpu().memory() instanceof Present<Vram>(Vram vram) ? Stream.of(vram) : Stream.empty())
                .toList();
        if (memory.isEmpty())
            return !evidence.latest(GpuPresence.FACT).isPresent() && told.isEmpty()
                    ? "GPU not seen"
                    : presence.count() == 0 && told.isEmpty() ? "no GPU" : gpus(own) + " not seen";
        List<Bytes> used = memory.stream().map(Vram::used).sorted().toList();
        List<Bytes> total = memory.stream().map(Vram::total).sorted().toList();
        String many = memory.size() == 1 ? "" : memory.size() + " GPUs, ";
        String holders = holders(own);
        return many + "VRAM " + of(range(used), range(total)) + " in use" + (holders.isEmpty() ? "" : " by " + holders)
                + kvCacheUse();
    }

    /// Of what a server has reserved, what it uses: the fullest KV cache, where servers tell.
    private String kvCacheUse() {
        return evidence.servers().stream()
                .flatMap(server -> ServerStates.of(evidence, server)
                        .map(ServerStates::now)
                        .flatMap(ServerState::kvCacheUse)
                        .map(Stream::of)
                        .orElse(Stream.empty()))
                .max(Comparator.naturalOrder())
                .map(use -> ", KV cache " + use.shown() + " full")
                .orElse("");
    }

    private String gpus(List<GpuHolders> own) {
        return presence.count() > 0 ? presence.shown() : own.size() + (own.size() == 1 ? " GPU" : " GPUs");
    }

    /// Servers, else whoever holds the most.
    private static String holders(List<GpuHolders> own) {
        Set<String> servers = new LinkedHashSet<>();
        Set<String> others = new LinkedHashSet<>();
        for (GpuHolders on : own)
            for (GpuHolder holder : on.holders()) {
                boolean isServer = holder.workload().map(w -> w.isServer()).orElse(false);
                (isServer ? servers : others).add(holder.ended() ? "a process that has ended" : holder.name());
            }
        List<String> names = List.copyOf(servers.isEmpty() ? others : servers);
        if (names.isEmpty()) return "";
        return names.size() == 1 ? names.getFirst() : names.getFirst() + " and " + (names.size() - 1) + " more";
    }

    /// `71.2–73.0 GiB` of the least and the most; one number when they look the same.
    private static String range(List<Bytes> sorted) {
        String least = sorted.getFirst().shown();
        String most = sorted.getLast().shown();
        if (least.equals(most)) return most;
        return (unit(least).equals(unit(most)) ? number(least) : least) + "–" + most;
    }

    /// `71.9 of 79.6 GiB`: a unit that is the same is said once.
    private static String of(String used, String total) {
        boolean oneUnit =
                used.indexOf(' ') == used.lastIndexOf(' ') && unit(used).equals(unit(total));
        return (oneUnit ? number(used) : used) + " of " + total;
    }

    private static String unit(String shown) {
        return shown.substring(shown.lastIndexOf(' ') + 1);
    }

    private static String number(String shown) {
        return shown.substring(0, shown.lastIndexOf(' '));
    }
}
