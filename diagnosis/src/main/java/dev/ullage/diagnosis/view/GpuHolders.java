// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.gpu.DrmClients;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.GpuProcess;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.gpu.Vram;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.Workload;
import dev.ullage.host.service.Confinement;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Who holds the memory of a GPU: what its driver says of processes, put together with the processes we know.
///
/// A driver counts pids as the host's root namespace does. Inside a container they are nobody's numbers, or worse,
/// somebody else's: there a number is believed only when it is a server's.
///
/// @param holders the largest first; each process once
/// @param holdersKnown whether the driver told them at all: an empty list may be an idle GPU, or a silent driver
/// @param unaccounted used memory behind which no process stands, less what a driver takes for itself; absent when it
///     cannot be told (a process whose memory is not told, a container that hides the others). Much of it, and no
///     process: memory of one that died and whose context was never torn down
/// @param ofAnotherNamespace the driver's pids are those of a namespace that is not ours
public record GpuHolders(
        Gpu gpu,
        List<GpuHolder> holders,
        boolean holdersKnown,
        Reading<Bytes> unaccounted,
        boolean ofAnotherNamespace) {
    /// What drivers keep without a process and count as used: page tables, a console, on AMD the firmware (about 300
    /// MiB of an idle MI300X). Where `reserved` is not told apart, NVIDIA's firmware is in here too (about 620 MiB
    /// of
    /// an 80 GB card). Taken from what others report; not seen on our own hardware.
    private static final Bytes DRIVER_BASE = Bytes.ofMiB(768);

    /// Each GPU that told something; empty when none did.
    public static List<GpuHolders> in(Evidence evidence) {
        List<Gpu> gpus = evidence.latest(Gpus.FACT).map(Gpus::gpus).orElse(List.of());
        if (gpus.isEmpty()) return List.of();
        Known known = Known.of(evidence);
        return gpus.stream().map(gpu -> of(evidence, gpu, known)).toList();
    }

    public static GpuHolders of(Evidence evidence, Gpu gpu) {
        return of(evidence, gpu, Known.of(evidence));
    }

    /// What is the same for every GPU.
    ///
    /// @param elsewhere whether the driver's pids may be those of a namespace that is not ours
    private record Known(Map<Integer, Workload> byPid, Map<Integer, ProcessId> latest, boolean elsewhere) {
        static Known of(Evidence evidence) {
            Map<Integer, Workload> byPid = new HashMap<>();
            for (Workload workload : evidence.workloads())
                workload.processes().forEach(id -> byPid.put(id.pid(), workload));
            Map<Integer, ProcessId> latest = new HashMap<>();
            for (ProcessId id : evidence.subjects(ProcessStat.FACT)) latest.put(id.pid(), id);
            return new Known(byPid, latest, isConfined(evidence));
        }
    }

    private static GpuHolders of(Evidence evidence, Gpu gpu, Known known) {
        boolean elsewhere = known.elsewhere;
        Map<Integer, Reading<Bytes>> told = new LinkedHashMap<>();
        fromDriver(gpu).forEach(told::put);
        fromDescriptors(evidence, gpu).forEach((pid, bytes) -> told.merge(pid, bytes, GpuHolders::larger));

        List<GpuHolder> holders = new ArrayList<>();
        boolean strangers = false;
        for (Map.Entry<Integer, Reading<Bytes>> process : told.entrySet()) {
            int pid = process.getKey();
            Workload workload = known.byPid.get(pid);
            boolean isOurs = !elsewhere || workload != null && workload.isServer();
            strangers |= !isOurs;
            ProcessId id = isOurs && isAlive(evidence, known.latest.get(pid)) ? known.latest.get(pid) : null;
            holders.add(new GpuHolder(
                    pid,
                    isOurs ? Optional.ofNullable(workload) : Optional.empty(),
                    isOurs ? name(evidence, id, workload, pid) : "pid " + pid + " of the host",
                    process.getValue(),
                    // Where no process was looked at, none has ended.
                    isOurs && id == null && !known.latest.isEmpty()));
        }
        holders.sort(Comparator.comparing((GpuHolder h) -> h.memory().orElse(Bytes.NONE))
                .reversed()
                .thenComparing(GpuHolder::pid));
        boolean holdersKnown = gpu.processes().isPresent() || !holders.isEmpty();
        return new GpuHolders(gpu, List.copyOf(holders), holdersKnown, unaccounted(gpu, holders, elsewhere), strangers);
    }

    /// What a server has on this GPU, as far as the driver tells; nothing when it is not on it.
    public Bytes heldBy(Workload workload) {
        return Bytes.sum(holders.stream()
                .filter(h -> h.workload().map(workload::equals).orElse(false))
                .map(h -> h.memory().orElse(Bytes.NONE))
                .toList());
    }

    /// Whether a server has a context here, even where the driver does not say how much.
    public boolean isOn(Workload workload) {
        return holders.stream().anyMatch(h -> h.workload().map(workload::equals).orElse(false));
    }

    /// A process with a context of both kinds is in both lists of NVML, with the same memory; one in two MIG instances
    /// has memory in each.
    private static Map<Integer, Reading<Bytes>> fromDriver(Gpu gpu) {
        record Place(int pid, OptionalInt instance) {}
        Map<Place, Reading<Bytes>> byPlace = new LinkedHashMap<>();
        for (GpuProcess process : gpu.processes().orElse(List.of()))
            byPlace.merge(new Place(process.pid(), process.instance()), process.memory(), GpuHolders::larger);
        Map<Integer, Reading<Bytes>> byPid = new LinkedHashMap<>();
        byPlace.forEach((place, memory) -> byPid.merge(place.pid, memory, GpuHolders::sum));
        return byPid;
    }

    /// A client that two processes share is counted for the first.
    private static Map<Integer, Reading<Bytes>> fromDescriptors(Evidence evidence, Gpu gpu) {
        Map<Integer, Reading<Bytes>> byPid = new LinkedHashMap<>();
        if (gpu.pciAddress().isEmpty()) return byPid;
        Set<Long> counted = new HashSet<>();
        for (ProcessId id : evidence.subjects(DrmClients.FACT).stream().sorted().toList())
            for (DrmClients.Client client : evidence.lastSeen(DrmClients.FACT, id)
                    .map(DrmClients::clients)
                    .orElse(List.of()))
                if (client.pciAddress().equals(gpu.pciAddress())
                        && client.vram().bytes() > 0
                        && counted.add(client.id())) byPid.merge(id.pid(), Reading.of(client.vram()), GpuHolders::sum);
        return byPid;
    }

    private static Reading<Bytes> larger(Reading<Bytes> a, Reading<Bytes> b) {
        if (!(a instanceof Present<Bytes>(Bytes left))) return b;
        return b instanceof Present<Bytes>(Bytes right) && right.isMoreThan(left) ? b : a;
    }

    private static Reading<Bytes> sum(Reading<Bytes> a, Reading<Bytes> b) {
        return a.flatMap(left -> b.map(left::plus));
    }

    private static Reading<Bytes> unaccounted(Gpu gpu, List<GpuHolder> holders, boolean elsewhere) {
        if (!(gpu.memory() instanceof Present<Vram>(Vram vram)))
            return gpu.memory() instanceof Absent<Vram> absent ? absent.as() : Reading.of(Bytes.NONE);
        if (gpu.processes() instanceof Absent<List<GpuProcess>> absent) return absent.as();
        Bytes held = Bytes.NONE;
        for (GpuHolder holder : holders) {
            if (!(holder.memory() instanceof Present<Bytes>(Bytes bytes)))
                return holder.memory() instanceof Absent<Bytes> absent ? absent.as() : Reading.of(Bytes.NONE);
            held = held.plus(bytes);
        }
        Bytes left = vram.used().minus(held).minus(DRIVER_BASE).orNoneIfNegative();
        // What is left may be a process that this container is not told of.
        return elsewhere && left.bytes() > 0
                ? Reading.absent(
                        "processes on " + gpu.shown(),
                        AbsentCause.NO_PERMISSION,
                        "a container is not told of processes outside it")
                : Reading.of(left);
    }

    /// A container with processes of its own: kernel threads are seen only where the pids are the host's.
    private static boolean isConfined(Evidence evidence) {
        boolean container =
                evidence.latest(Confinement.FACT).map(Confinement::container).orElse(false);
        return container
                && evidence.subjects(ProcessStat.FACT).stream().noneMatch(id -> evidence.latest(ProcessStat.FACT, id)
                        .map(ProcessStat::isKernelThread)
                        .orElse(false));
    }

    /// Whether it was there at the last instant, at which all are looked at.
    private static boolean isAlive(Evidence evidence, ProcessId id) {
        if (id == null) return false;
        List<Evidence.At<ProcessStat>> course = evidence.course(ProcessStat.FACT, id);
        return !course.isEmpty()
                && course.getLast().sinceStart().seconds() >= evidence.window().seconds();
    }

    private static String name(Evidence evidence, ProcessId id, Workload workload, int pid) {
        if (workload != null) return workload.name();
        if (id == null) return "pid " + pid;
        CommandLine command = evidence.latest(CommandLine.FACT, id).orElse(new CommandLine(List.of()));
        String name = Engine.nameOf(command, Engine.of(command));
        return name.isEmpty()
                ? evidence.latest(ProcessStat.FACT, id)
                        .map(ProcessStat::command)
                        .orElse("pid " + pid)
                : name;
    }
}
