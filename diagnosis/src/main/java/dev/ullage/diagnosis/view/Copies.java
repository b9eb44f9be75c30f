// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.process.ProportionalMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// One model, held several times over.
///
/// @param holders the workloads that hold copies
/// @param model what is held, by name
/// @param count how many copies
/// @param each the size of one
/// @param areInPageCache whether the copies are files (several inodes with the same content), not private memory
/// @param isEstimate whether sharing after fork could not be ruled out (no PSS), or no model is known to be in them
public record Copies(
        List<Workload> holders,
        String model,
        int count,
        Bytes each,
        boolean areInPageCache,
        boolean isEstimate,
        String source) {
    /// Smaller copies are libraries and interpreters, which every worker has.
    private static final Bytes SMALLEST = Bytes.ofMiB(48);

    /// Of a process's anonymous memory, the share that must be its own for it to hold a copy: of what is shared after
    /// fork two processes have half each.
    private static final double MOSTLY_OWN = 0.75;

    public static List<Copies> in(Evidence evidence) {
        List<Copies> all = new ArrayList<>(privateCopies(evidence));
        all.addAll(fileCopies(evidence));
        return all;
    }

    /// What one shared copy instead of all would free.
    public Bytes wasted() {
        return each.times(count - 1);
    }

    public String kind() {
        return areInPageCache ? "mapped copies" : "private copies";
    }

    public Stall stall(Evidence evidence) {
        return holders.stream()
                .map(w -> Stall.of(evidence, w))
                .max(Comparator.comparing(Stall::waiting))
                .orElseThrow();
    }

    private record Holder(Workload workload, ProcessId process, Bytes own, boolean isEstimate) {}

    /// Processes of one model with about the same amount of private memory each, about as much as the model.
    private static List<Copies> privateCopies(Evidence evidence) {
        Map<String, List<Holder>> byModel = new LinkedHashMap<>();
        // A pool of unknown programs counts too: a loader closes the file it has copied.
        for (Workload workload : evidence.workloads()) {
            String model = workload.models().isEmpty()
                    ? workload.shown()
                    : workload.models().getFirst().name() + " "
                            + sizeOf(workload).bytes();
            for (ProcessId id : workload.processes()) {
                Bytes anonymous = evidence.lastSeen(ProcessMemory.FACT, id)
                        .map(ProcessMemory::anonymousAndSwapped)
                        .orElse(Bytes.NONE);
                var pss = evidence.latest(ProportionalMemory.FACT, id);
                // What is shared after fork is one copy: two workers that share it have half of it each.
                if (pss.map(p -> p.proportionalAnonymous()
                                        .compareTo(p.anonymous().times(MOSTLY_OWN))
                                < 0)
                        .orElse(false)) continue;
                // Of what is shared after fork each process has its part only; what is swapped out is not in PSS.
                Bytes own = pss.map(p -> p.proportionalAnonymous()
                                .plus(anonymous.minus(p.anonymous()).orNoneIfNegative()))
                        .orElse(anonymous);
                byModel.computeIfAbsent(model, _ -> new ArrayList<>())
                        .add(new Holder(workload, id, own, !pss.isPresent()));
            }
        }
        List<Copies> copies = new ArrayList<>();
        byModel.forEach((model, holders) -> {
            Bytes size = sizeOf(holders.getFirst().workload());
            Bytes bar = size.bytes() > 0 ? max(size.times(0.5), SMALLEST) : Bytes.ofMiB(256);
            List<Holder> alike = alike(holders, bar);
            if (alike.size() < 2) return;
            Set<Workload> workloads = new LinkedHashSet<>();
            alike.forEach(h -> workloads.add(h.workload()));
            Bytes smallest = alike.getLast().own();
            Workload first = workloads.iterator().next();
            copies.add(new Copies(
                    List.copyOf(workloads),
                    first.models().isEmpty()
                            ? first.name()
                            : first.models().getFirst().name(),
                    alike.size(),
                    smallest,
                    false,
                    first.models().isEmpty() || alike.stream().anyMatch(Holder::isEstimate),
                    "/proc/<pid>/smaps_rollup Pss_Anon"));
        });
        return copies;
    }

    /// The largest group whose members differ by no more than a third.
    private static List<Holder> alike(List<Holder> holders, Bytes bar) {
        List<Holder> large = holders.stream()
                .filter(h -> h.own().compareTo(bar) >= 0)
                .sorted(Comparator.comparing(Holder::own).reversed())
                .toList();
        List<Holder> best = List.of();
        for (int i = 0; i < large.size(); i++) {
            Bytes least = large.get(i).own().times(0.66);
            int end = i;
            while (end < large.size() && large.get(end).own().compareTo(least) >= 0) end++;
            if (end - i > best.size()) best = large.subList(i, end);
        }
        return best;
    }

    /// Mapped files of the same name-independent identity: other inodes, same length, same format, in different hands.
    private static List<Copies> fileCopies(Evidence evidence) {
        Map<String, Map<ModelFile, Set<Workload>>> bySize = new LinkedHashMap<>();
        for (Workload workload : evidence.servers())
            for (ProcessId id : workload.processes())
                for (ModelFiles.Use use : evidence.lastSeen(ModelFiles.FACT, id)
                        .map(ModelFiles::uses)
                        .orElse(List.of())) {
                    ModelFile file = use.file();
                    if (use.how() != ModelFiles.How.MAPPED || SMALLEST.isMoreThan(file.size())) continue;
                    bySize.computeIfAbsent(file.format() + " " + file.size().bytes(), _ -> new LinkedHashMap<>())
                            .computeIfAbsent(file, _ -> new LinkedHashSet<>())
                            .add(workload);
                }
        List<Copies> copies = new ArrayList<>();
        for (Map<ModelFile, Set<Workload>> files : bySize.values()) {
            // Shards of one model can have one size: they are copies only in the hands of different processes.
            if (files.size() < 2 || oneProcessMapsTwo(evidence, files.keySet())) continue;
            ModelFile first = files.keySet().iterator().next();
            Set<Workload> holders = new LinkedHashSet<>();
            files.values().forEach(holders::addAll);
            boolean resident = files.keySet().stream()
                    .anyMatch(f -> evidence.latest(PageCache.FACT, f).isPresent());
            copies.add(new Copies(
                    List.copyOf(holders),
                    first.name(),
                    files.size(),
                    first.size(),
                    true,
                    !resident,
                    "/proc/<pid>/maps inode"));
        }
        return copies;
    }

    private static boolean oneProcessMapsTwo(Evidence evidence, Set<ModelFile> files) {
        for (ProcessId id : evidence.subjects(ModelFiles.FACT)) {
            long mapped = evidence.lastSeen(ModelFiles.FACT, id)
                    .map(m -> m.uses().stream()
                            .filter(u -> u.how() == ModelFiles.How.MAPPED && files.contains(u.file()))
                            .count())
                    .orElse(0L);
            if (mapped > 1) return true;
        }
        return false;
    }

    private static Bytes sizeOf(Workload workload) {
        return Bytes.sum(workload.models().stream().map(ModelFile::size).toList());
    }

    private static Bytes max(Bytes a, Bytes b) {
        return a.isMoreThan(b) ? a : b;
    }
}
