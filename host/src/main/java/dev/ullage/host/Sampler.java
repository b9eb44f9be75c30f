// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CgroupMembership;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.gpu.Vendor;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Reads a host at one instant after another into [Evidence].
///
/// The order matters: host counters first and together, then mounts (so that a hung one is known before a file on it
/// is opened), then all processes, then the candidates among them, then what those lead to: cgroups, model files.
/// A live host and a recorded one go through the same code.
public final class Sampler {
    /// Processes of servers that are asked at once, a thread each; vLLM on eight GPUs has ten.
    private static final int MOST_SERVERS = 64;

    private final Focus focus;
    private final Deadline deadline;
    private final List<Sample> samples = new ArrayList<>();
    /// Who has which number at the present instant.
    private final Map<Integer, ProcessId> alive = new HashMap<>();

    private final Set<ProcessId> candidates = new LinkedHashSet<>();
    private final Set<ProcessId> ofWorkloads = new LinkedHashSet<>();
    private final Set<ModelFile> modelFiles = new LinkedHashSet<>();

    public Sampler(Focus focus) {
        this(focus, new Deadline());
    }

    private Sampler(Focus focus, Deadline deadline) {
        this.focus = focus;
        this.deadline = deadline;
    }

    /// A whole recorded host.
    public static Evidence replay(RecordedHost host, Focus focus) {
        Sampler sampler = new Sampler(focus, Deadline.none());
        for (int i = 0; i < host.instants(); i++) sampler.take(host.at(i), i == 0, i == host.instants() - 1);
        return sampler.evidence();
    }

    public Evidence evidence() {
        return new Evidence(samples, focus);
    }

    /// Reads one instant.
    ///
    /// @param first whether what never changes is due
    /// @param last whether what is read at the end is due; a window of one instant is first and last
    public void take(HostRoot host, boolean first, boolean last) {
        Sample sample = new Sample(Clock.parse(host.ask(Call.CLOCK, "-").orElse("- 0")));
        samples.add(sample);
        for (Fact<Host, ?> fact : Facts.OF_THE_HOST) readOfTheHost(sample, fact, host, first, last);
        for (Fact<Host, ?> fact : Facts.COURSES_OF_THE_HOST) readOfTheHost(sample, fact, host, first, last);
        Mounts mounts = evidence().latest(Mounts.FACT).orElse(new Mounts(List.of()));
        for (Fact<Mount, ?> fact : Facts.OF_A_MOUNT) read(sample, fact, host, mounts.fileSystems(), first, last);
        HostRoot reachable = new WithoutHungMounts(host, hung(sample, mounts));

        if (first || last) findCandidates(sample, reachable, first, last);
        else
            readStats(sample, reachable, candidates.stream().map(ProcessId::pid).toList());
        for (Fact<ProcessId, ?> fact : Facts.OF_A_CANDIDATE)
            readOfProcesses(sample, fact, reachable, candidates, first, last);
        if (hasGpuOfDrm())
            for (Fact<ProcessId, ?> fact : Facts.ON_A_GPU_OF_DRM)
                readOfProcesses(sample, fact, reachable, candidates, first, last);
        if (first || last) followCandidates(reachable);

        for (Fact<ProcessId, ?> fact : Facts.OF_A_WORKLOAD)
            readOfProcesses(sample, fact, reachable, ofWorkloads, first, last);
        for (Fact<ModelFile, ?> fact : Facts.OF_A_MODEL_FILE)
            read(sample, fact, reachable, List.copyOf(modelFiles), first, last);
        readCgroups(sample, reachable, first, last);
        // Last: what hangs here must not make an instant of what was read before it.
        for (Fact<ProcessId, ?> fact : Facts.OF_A_SERVER) askServers(sample, fact, reachable, first, last);
    }

    private <T> void askServers(Sample sample, Fact<ProcessId, T> fact, HostRoot host, boolean first, boolean last) {
        if (!fact.cadence().isDue(first, last)) return;
        List<ProcessId> servers = ofWorkloads.stream()
                .filter(id -> alive.getOrDefault(id.pid(), id).equals(id))
                .filter(id -> evidence()
                        .latest(CommandLine.FACT, id)
                        .map(command -> Engine.of(command).isPresent())
                        .orElse(false))
                .limit(MOST_SERVERS)
                .toList();
        List<Reading<T>> readings = deadline.together(servers, id -> fact.read(host, id), _ -> late(fact.source()));
        for (int i = 0; i < servers.size(); i++) sample.put(fact, servers.get(i), readings.get(i));
    }

    private boolean hasGpuOfDrm() {
        return evidence().latest(Gpus.FACT).map(Gpus::gpus).orElse(List.of()).stream()
                .anyMatch(gpu -> gpu.vendor() != Vendor.NVIDIA);
    }

    private void findCandidates(Sample sample, HostRoot host, boolean first, boolean last) {
        List<ProcessStat> all = readStats(sample, host, pids(host));
        List<ProcessId> ofPeople = all.stream()
                .filter(stat -> !stat.isKernelThread())
                .map(ProcessStat::id)
                .toList();
        for (Fact<ProcessId, ?> fact : Facts.OF_EVERY_PROCESS) {
            // A process that started in the window still has to say how it was started.
            boolean isNew = last && !first && fact.cadence() == Cadence.ONCE;
            Set<ProcessId> known = isNew ? evidence().subjects(fact) : Set.of();
            List<ProcessId> due =
                    isNew ? ofPeople.stream().filter(id -> !known.contains(id)).toList() : ofPeople;
            read(sample, fact, host, due, first || isNew, last);
        }
        int self = KeyValues.number(host.link("/proc/self").orElse("0")).isPresent()
                ? (int) KeyValues.number(host.link("/proc/self").orElse("0")).getAsLong()
                : 0;
        candidates.addAll(Candidates.among(evidence(), all, self));
    }

    /// The one file that says when a process started, and so whether a number still belongs to the same process.
    private List<ProcessStat> readStats(Sample sample, HostRoot host, List<Integer> pids) {
        List<Reading<ProcessStat>> stats = deadline.each(
                pids,
                pid -> host.text("/proc/" + pid + "/stat").flatMap(ProcessStat::parse),
                pid -> late("/proc/" + pid + "/stat"));
        List<ProcessStat> all = new ArrayList<>();
        alive.clear();
        for (Reading<ProcessStat> reading : stats) {
            if (!(reading instanceof Reading.Present<ProcessStat>(ProcessStat stat))) continue;
            all.add(stat);
            alive.put(stat.id().pid(), stat.id());
            sample.put(ProcessStat.FACT, stat.id(), reading);
        }
        return all;
    }

    private static List<Integer> pids(HostRoot host) {
        List<Integer> pids = new ArrayList<>();
        for (String name : host.names("/proc").orElse(List.of()))
            if (name.chars().allMatch(c -> c >= '0' && c <= '9') && name.length() < 10)
                pids.add(Integer.parseInt(name));
        pids.sort(null);
        return pids;
    }

    /// Who the candidates turned out to be, and which model files they hold.
    private void followCandidates(HostRoot host) {
        Evidence soFar = evidence();
        for (Workload workload : soFar.workloads()) ofWorkloads.addAll(workload.processes());
        for (ProcessId id : candidates)
            soFar.latest(ModelFiles.FACT, id)
                    .orElse(new ModelFiles(List.of(), List.of(), 0))
                    .uses()
                    .forEach(use -> modelFiles.add(use.file()));
        host.watch(ofWorkloads.stream().map(ProcessId::pid).toList());
    }

    private void readCgroups(Sample sample, HostRoot host, boolean first, boolean last) {
        Evidence soFar = evidence();
        if (!(soFar.latest(CgroupMounts.FACT) instanceof Reading.Present<CgroupMounts>(CgroupMounts mounts))) return;
        Set<CgroupId> memory = new LinkedHashSet<>();
        Set<CgroupId> cpu = new LinkedHashSet<>();
        Set<CgroupId> io = new LinkedHashSet<>();
        Set<CgroupId> unified = new LinkedHashSet<>();
        for (ProcessId id : ofWorkloads) {
            if (!(soFar.lastSeen(CgroupMembership.FACT, id)
                    instanceof Reading.Present<CgroupMembership>(CgroupMembership membership))) continue;
            addChain(memory, mounts.locate(membership, "memory"));
            addChain(cpu, mounts.locate(membership, "cpu"));
            addChain(io, mounts.locate(membership, mounts.byController().containsKey("blkio") ? "blkio" : "io"));
            addChain(unified, mounts.locateUnified(membership));
        }
        for (Fact<CgroupId, ?> fact : Facts.OF_A_MEMORY_CGROUP)
            read(sample, fact, host, List.copyOf(memory), first, last);
        for (Fact<CgroupId, ?> fact : Facts.OF_A_CPU_CGROUP) read(sample, fact, host, List.copyOf(cpu), first, last);
        for (Fact<CgroupId, ?> fact : Facts.OF_AN_IO_CGROUP) read(sample, fact, host, List.copyOf(io), first, last);
        for (Fact<CgroupId, ?> fact : Facts.OF_A_UNIFIED_CGROUP)
            read(sample, fact, host, List.copyOf(unified), first, last);
        if (last) readCgroupsWithKills(sample, host, mounts, first, last);
    }

    /// The cgroups that reports of the OOM killer name, by the path the host's root sees.
    private void readCgroupsWithKills(Sample sample, HostRoot host, CgroupMounts mounts, boolean first, boolean last) {
        Set<CgroupId> killed = new LinkedHashSet<>();
        Optional<CgroupMounts.Mounted> memory = mounts.of("memory");
        if (memory.isEmpty()) return;
        evidence()
                .latest(KernelEvents.FACT)
                .map(KernelEvents::kills)
                .orElse(List.of())
                .forEach(kill -> kill.victim()
                        .cgroup()
                        .ifPresent(path -> killed.add(new CgroupId(
                                memory.get().version(), memory.get().mountPoint(), path))));
        for (Fact<CgroupId, ?> fact : Facts.OF_A_CGROUP_WITH_A_KILL)
            read(sample, fact, host, List.copyOf(killed), first, last);
    }

    private static void addChain(Set<CgroupId> cgroups, Optional<CgroupId> innermost) {
        innermost.map(CgroupMounts::chain).ifPresent(cgroups::addAll);
    }

    /// What lies under `/proc/<pid>` is another process's when the number was given away meanwhile.
    private <T> void readOfProcesses(
            Sample sample, Fact<ProcessId, T> fact, HostRoot host, Set<ProcessId> of, boolean first, boolean last) {
        if (!fact.cadence().isDue(first, last)) return;
        List<ProcessId> same = new ArrayList<>();
        for (ProcessId id : of) {
            if (alive.getOrDefault(id.pid(), id).equals(id)) same.add(id);
            else
                sample.put(
                        fact,
                        id,
                        Reading.absent(
                                fact.source(), AbsentCause.VANISHED, "its number belongs to another process now"));
        }
        read(sample, fact, host, same, first, last);
    }

    /// Facts of the host have no deadline: these files wait for nobody, and a long kernel log on a busy CPU must not be
    /// taken for one that hangs.
    private static <T> void readOfTheHost(
            Sample sample, Fact<Host, T> fact, HostRoot host, boolean first, boolean last) {
        if (fact.cadence().isDue(first, last)) sample.put(fact, Host.THE_HOST, fact.read(host, Host.THE_HOST));
    }

    private <K, T> void read(
            Sample sample, Fact<K, T> fact, HostRoot host, List<K> subjects, boolean first, boolean last) {
        if (!fact.cadence().isDue(first, last) || subjects.isEmpty()) return;
        Function<K, Reading<T>> late = _ -> late(fact.source());
        List<Reading<T>> readings = deadline.each(subjects, about -> fact.read(host, about), late);
        for (int i = 0; i < subjects.size(); i++) sample.put(fact, subjects.get(i), readings.get(i));
    }

    private static <T> Reading<T> late(String source) {
        return Reading.absent(source, AbsentCause.TIMED_OUT, "it did not answer before the deadline");
    }

    private static List<String> hung(Sample sample, Mounts mounts) {
        List<String> hung = new ArrayList<>();
        for (Fact<Mount, ?> fact : Facts.OF_A_MOUNT)
            for (Mount mount : mounts.fileSystems())
                if (sample.get(fact, mount) instanceof Reading.Absent<?> absent
                        && absent.cause() == AbsentCause.TIMED_OUT) hung.add(mount.point());
        return hung;
    }
}
