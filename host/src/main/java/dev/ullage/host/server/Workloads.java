// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.cgroup.CgroupMembership;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.process.ProgramFile;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.host.storage.ModelFiles.How;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Puts processes together into servers.
///
/// A process belongs to a server by its command line, or because it maps, holds open or names a model file and is no
/// file tool. Processes are one server when one is the parent of the other, or when they are children of one parent
/// with the same model or the very same command line: vLLM's engine core and workers, a pool that forked, four ranks.
public final class Workloads {
    /// Other processes count when they hold this much: less does not decide the fate of a host.
    private static final Bytes LARGE = Bytes.ofMiB(64);

    /// Or when they grew by this much in the window: they will be large.
    private static final Bytes GROWING = Bytes.ofMiB(4);

    private Workloads() {}

    private record Member(ProcessStat stat, CommandLine command, Optional<Engine> engine, Set<ModelFile> models) {}

    public static List<Workload> in(Evidence evidence) {
        Map<ProcessId, Member> members = new LinkedHashMap<>();
        for (ProcessId id : evidence.subjects(ProcessMemory.FACT))
            member(evidence, id).ifPresent(m -> members.put(id, m));
        Map<ProcessId, ProcessId> leaders = join(members);
        Map<ProcessId, List<Member>> groups = new LinkedHashMap<>();
        members.forEach((id, m) -> groups.computeIfAbsent(root(leaders, id), _ -> new ArrayList<>())
                .add(m));
        List<Workload> workloads = new ArrayList<>();
        for (List<Member> group : groups.values()) {
            Workload workload = workload(group);
            if (isAskedFor(evidence, workload)) workloads.add(workload);
        }
        workloads.sort(Comparator.comparing((Workload w) -> !w.isServer()).thenComparing(Workload::main));
        return workloads;
    }

    /// Whether the question is about this workload; without a focus it is about all.
    private static boolean isAskedFor(Evidence evidence, Workload workload) {
        Focus focus = evidence.focus();
        boolean byPid = focus.pid()
                .map(pid -> workload.processes().stream().anyMatch(id -> id.pid() == pid))
                .orElse(true);
        boolean byCgroup = focus.cgroup()
                .map(path -> workload.processes().stream().anyMatch(id -> isIn(evidence, id, path)))
                .orElse(true);
        boolean byPath = focus.path()
                .map(path -> workload.models().stream()
                        .anyMatch(m -> m.path().equals(path) || m.path().startsWith(path + "/")))
                .orElse(true);
        return byPid && byCgroup && byPath;
    }

    /// Whether a process is in a cgroup or below it, named by its path or by its folder under /sys/fs/cgroup.
    private static boolean isIn(Evidence evidence, ProcessId id, String cgroup) {
        String asPath = cgroup.length() > 1 && cgroup.endsWith("/") ? cgroup.substring(0, cgroup.length() - 1) : cgroup;
        Set<String> asked = new TreeSet<>(Set.of(asPath));
        evidence.latest(CgroupMounts.FACT)
                .map(CgroupMounts::mountPoints)
                .orElse(List.of())
                .forEach(point -> {
                    if (asPath.startsWith(point + "/")) asked.add(asPath.substring(point.length()));
                });
        return evidence.lastSeen(CgroupMembership.FACT, id)
                .map(membership -> membership.byController().values().stream()
                        .anyMatch(path -> asked.stream().anyMatch(a -> path.equals(a) || path.startsWith(a + "/"))))
                .orElse(false);
    }

    private static Optional<Member> member(Evidence evidence, ProcessId id) {
        ProcessStat stat = evidence.lastSeen(ProcessStat.FACT, id).orElse(null);
        if (stat == null || hasEnded(evidence, id)) return Optional.empty();
        CommandLine command = evidence.latest(CommandLine.FACT, id).orElse(new CommandLine(List.of()));
        List<ModelFiles.Use> uses =
                evidence.lastSeen(ModelFiles.FACT, id).map(ModelFiles::uses).orElse(List.of());
        Set<ModelFile> models = new TreeSet<>();
        uses.forEach(use -> models.add(use.file()));
        Optional<Engine> engine = engine(evidence, id, command);
        if (engine.isEmpty() && !models.isEmpty() && !Engine.isFileTool(command) && !onlyWrites(uses, command))
            engine = Optional.of(Engine.UNKNOWN);
        boolean large = evidence.lastSeen(ProcessMemory.FACT, id)
                .map(m -> m.anonymousAndSwapped().plus(m.shmem()).compareTo(LARGE) >= 0)
                .orElse(false);
        boolean grows = evidence.change(ProcessMemory.FACT, id)
                .map(c -> c.growth(ProcessMemory::anonymousAndSwapped).compareTo(GROWING) >= 0)
                .orElse(false);
        boolean named = evidence.focus().pid().map(pid -> pid == id.pid()).orElse(false);
        return engine.isPresent() || large || grows || named
                ? Optional.of(new Member(stat, command, engine, models))
                : Optional.empty();
    }

    /// By how it was started, by what it runs, by what an interpreter has loaded.
    private static Optional<Engine> engine(Evidence evidence, ProcessId id, CommandLine command) {
        Optional<Engine> started = Engine.of(command);
        if (started.isPresent() || command.arguments().isEmpty() || Engine.isFileTool(command)) return started;
        return evidence.lastSeen(ProgramFile.FACT, id)
                .map(file -> Engine.of(command.as(file.path())))
                .orElse(Optional.empty())
                .or(() -> evidence.lastSeen(MappedLibraries.FACT, id)
                        .map(MappedLibraries::engine)
                        .orElse(Optional.empty()));
    }

    /// What ended in the window serves nobody any more; if it was killed, the kernel log says so.
    private static boolean hasEnded(Evidence evidence, ProcessId id) {
        return evidence.latest(ProcessMemory.FACT, id) instanceof Reading.Absent<ProcessMemory> absent
                && absent.cause() == AbsentCause.VANISHED;
    }

    /// A downloader holds the file open and names no model to serve: `python3 -m pip`, a hub client.
    private static boolean onlyWrites(List<ModelFiles.Use> uses, CommandLine command) {
        boolean downloads = command.program().contains("download")
                || command.arguments().stream()
                        .skip(1)
                        .limit(3)
                        .anyMatch(a -> a.equals("download") || a.equals("pull"));
        return downloads && uses.stream().noneMatch(use -> use.how() == How.MAPPED);
    }

    private static Map<ProcessId, ProcessId> join(Map<ProcessId, Member> members) {
        Map<ProcessId, ProcessId> leaders = new HashMap<>();
        Map<Integer, ProcessId> byPid = new HashMap<>();
        members.keySet().forEach(id -> byPid.put(id.pid(), id));
        List<Member> all = new ArrayList<>(members.values());
        for (Member member : all) {
            ProcessId parent = byPid.get(member.stat.parent());
            if (parent != null && sameServer(members.get(parent), member)) unite(leaders, parent, member.stat.id());
        }
        for (int i = 0; i < all.size(); i++)
            for (int j = i + 1; j < all.size(); j++)
                if (areSiblings(all.get(i), all.get(j)))
                    unite(leaders, all.get(i).stat.id(), all.get(j).stat.id());
        return leaders;
    }

    /// A child of a server is part of it unless it is clearly an engine of its own (ollama starting llama-server is
    /// one).
    private static boolean sameServer(Member parent, Member child) {
        if (parent.engine.isEmpty()) return false;
        return child.engine.isEmpty()
                || child.engine.equals(parent.engine)
                || parent.engine.get() == Engine.OLLAMA
                || child.engine.get() == Engine.UNKNOWN
                || parent.engine.get() == Engine.UNKNOWN;
    }

    private static boolean areSiblings(Member a, Member b) {
        if (a.stat.parent() != b.stat.parent() || a.stat.parent() <= 1 || !a.engine.equals(b.engine)) return false;
        boolean sameCommand =
                a.command.equals(b.command) && !a.command.arguments().isEmpty();
        boolean sameModel = !a.models.isEmpty()
                && a.models.equals(b.models)
                && a.command.program().equals(b.command.program());
        return sameCommand || sameModel;
    }

    private static void unite(Map<ProcessId, ProcessId> leaders, ProcessId a, ProcessId b) {
        ProcessId ra = root(leaders, a);
        ProcessId rb = root(leaders, b);
        if (!ra.equals(rb)) leaders.put(rb, ra);
    }

    private static ProcessId root(Map<ProcessId, ProcessId> leaders, ProcessId id) {
        ProcessId at = id;
        while (leaders.containsKey(at)) at = leaders.get(at);
        return at;
    }

    private static Workload workload(List<Member> group) {
        group.sort(Comparator.comparing((Member m) -> m.stat.id().startTicks()).thenComparing(m -> m.stat.id()));
        Member main = group.getFirst();
        // Ollama starts llama-server: the engine is that of the process that was started, if it is known.
        Optional<Engine> engine = main.engine
                .filter(e -> e != Engine.UNKNOWN)
                .or(() -> group.stream().flatMap(m -> m.engine.stream()).min(Comparator.naturalOrder()));
        Set<ModelFile> models = new TreeSet<>();
        group.forEach(m -> models.addAll(m.models));
        List<ModelFile> bySize = models.stream()
                .sorted(Comparator.comparing(ModelFile::size).reversed().thenComparing(ModelFile::path))
                .toList();
        String name = Engine.nameOf(main.command, engine);
        return new Workload(
                engine,
                name.isEmpty() ? main.stat.command() : name,
                main.stat.id(),
                group.stream().map(m -> m.stat.id()).toList(),
                bySize);
    }
}
