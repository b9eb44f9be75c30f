// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.diagnosis.Diagnosis.CouldNotSee;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Facts;
import dev.ullage.host.Host;
import dev.ullage.host.cgroup.CgroupMembership;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.Sysctls;
import dev.ullage.host.memory.VmStat;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessIo;
import dev.ullage.host.process.ProportionalMemory;
import dev.ullage.host.process.RunQueue;
import dev.ullage.host.process.ThreadStates;
import dev.ullage.host.server.Workload;
import dev.ullage.host.service.Confinement;
import dev.ullage.host.storage.DiskStats;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What could not be seen, and whether a layer was seen well enough to be called healthy.
///
/// A layer was seen when its deciding facts were. What else is missing is listed and changes no status: a host without
/// PSI is not unknown, it is less precisely known.
final class Visibility {
    private final Evidence evidence;

    Visibility(Evidence evidence) {
        this.evidence = evidence;
    }

    /// The deciding facts of a layer that are absent.
    List<Absent<?>> missingOf(Layer layer) {
        return switch (layer) {
            case HOST_MEMORY -> {
                List<Absent<?>> missing = absent(List.of(MemInfo.FACT, VmStat.FACT));
                missing.addAll(missingLimits());
                yield missing;
            }
            case STORAGE -> {
                List<Absent<?>> missing = absent(List.of(DiskStats.FACT, Mounts.FACT));
                missing.addAll(unlessAnyAnswered());
                yield missing;
            }
            case GPU_MEMORY -> new GpuLayer(evidence).missing();
            case OTHER -> List.of();
        };
    }

    /// Why no mount at all could be seen; one that hangs is that mount's trouble, all of them are a host too slow or
    /// too
    /// ill to be looked at.
    private List<Absent<?>> unlessAnyAnswered() {
        List<Absent<?>> missing = new ArrayList<>();
        for (Mounts.Mount mount : evidence.subjects(FileSystemSpace.FACT)) {
            if (!(evidence.lastSeen(FileSystemSpace.FACT, mount) instanceof Absent<?> absent)) return List.of();
            if (absent.cause() == AbsentCause.TIMED_OUT) missing.add(absent);
        }
        return missing;
    }

    /// The limits above the servers that could not be seen; on a host without cgroups there are none.
    private List<Absent<?>> missingLimits() {
        List<Absent<?>> missing = new ArrayList<>();
        if (!(evidence.latest(CgroupMounts.FACT) instanceof Present<CgroupMounts>(CgroupMounts mounts))) return missing;
        for (Workload server : evidence.servers()) {
            switch (evidence.lastSeen(CgroupMembership.FACT, server.main())) {
                case Absent<CgroupMembership> absent -> missing.add(absent);
                case Present<CgroupMembership>(CgroupMembership membership) ->
                    mounts.locate(membership, "memory")
                            .filter(id -> !id.isRoot() || Confinement.hasOwnRoot(evidence))
                            .ifPresent(id -> {
                                if (evidence.lastSeen(MemoryCgroup.FACT, id) instanceof Absent<MemoryCgroup> absent)
                                    missing.add(absent);
                            });
            }
        }
        return missing;
    }

    private List<Absent<?>> absent(List<Fact<Host, ?>> facts) {
        List<Absent<?>> missing = new ArrayList<>();
        for (Fact<Host, ?> fact : facts) if (evidence.latest(fact) instanceof Absent<?> absent) missing.add(absent);
        return missing;
    }

    List<CouldNotSee> couldNotSee() {
        List<CouldNotSee> all = new ArrayList<>();
        for (Fact<Host, ?> fact : Facts.OF_THE_HOST)
            if (fact != Gpus.FACT && evidence.latest(fact) instanceof Absent<?> absent)
                all.add(new CouldNotSee(
                        fact.name(), fact.source(), absent.cause().word(), fact.wouldHelp()));
        all.addAll(new GpuLayer(evidence).couldNotSee());
        // Of things there are many of, what is worth saying is that some could not be seen, and why.
        // One process that even root may not look into is nothing; a tenth of them is a lack of rights.
        if (lacksRights(ProcessIo.FACT)) addSubjects(all, ProcessIo.FACT);
        addSubjects(all, ModelFiles.FACT);
        addSubjects(all, PageCache.FACT);
        Facts.OF_A_MOUNT.forEach(fact -> addSubjects(all, fact));
        for (Fact<ProcessId, ?> fact : List.of(ProportionalMemory.FACT, ThreadStates.FACT, RunQueue.FACT))
            addSubjects(all, fact);
        addUnreadableModels(all);
        all.addAll(ServerGaps.in(evidence));
        addConfinement(all);
        addDelayAccounting(all);
        return all;
    }

    private <K> boolean lacksRights(Fact<K, ?> fact) {
        Set<K> subjects = evidence.subjects(fact);
        long absent = subjects.stream()
                .filter(about ->
                        evidence.lastSeen(fact, about) instanceof Absent<?> a && a.cause() != AbsentCause.VANISHED)
                .count();
        return absent * 10 > subjects.size();
    }

    private <K> void addSubjects(List<CouldNotSee> all, Fact<K, ?> fact) {
        Map<AbsentCause, Integer> counts = new LinkedHashMap<>();
        Map<AbsentCause, String> examples = new LinkedHashMap<>();
        for (K about : evidence.subjects(fact)) {
            if (!(evidence.lastSeen(fact, about) instanceof Absent<?> absent)) continue;
            // A process that ended is no gap, and a single instant has no rates by design.
            if (absent.cause() == AbsentCause.VANISHED
                    || (absent.cause() == AbsentCause.NOT_RECORDED && !evidence.hasWindow())) continue;
            counts.merge(absent.cause(), 1, Integer::sum);
            examples.putIfAbsent(absent.cause(), absent.source());
        }
        counts.forEach((cause, count) -> all.add(new CouldNotSee(
                fact.name() + (count > 1 ? " (" + count + " of them)" : ""),
                examples.get(cause),
                cause.word(),
                cause == AbsentCause.NO_PERMISSION ? "run as root" : fact.wouldHelp())));
    }

    /// From inside a container the limits above it, and other containers, are not there to be seen.
    private void addConfinement(List<CouldNotSee> all) {
        Confinement confinement = evidence.latest(Confinement.FACT).orElse(new Confinement(false, false));
        if (!confinement.cgroupsHidden()) return;
        all.add(new CouldNotSee(
                "limits above this container, and what runs beside it",
                "/sys/fs/cgroup (cgroup namespace)",
                AbsentCause.NO_PERMISSION.word(),
                "run it on the host itself"));
    }

    /// Off since 5.14; worth saying only when a server waits, and the wait had to be sampled.
    private void addDelayAccounting(List<CouldNotSee> all) {
        boolean off = evidence.latest(Sysctls.FACT)
                .map(sysctls -> sysctls.number("kernel.task_delayacct").orElse(1) == 0)
                .orElse(false);
        boolean waits = evidence.servers().stream()
                .anyMatch(server -> Stall.of(evidence, server).waiting().isAtLeast(Severity.WARNING_STALL));
        if (off && waits)
            all.add(new CouldNotSee(
                    "how long each thread waited for storage, exactly",
                    "/proc/<pid>/stat field 42",
                    AbsentCause.NOT_CONFIGURED.word(),
                    "sysctl -w kernel.task_delayacct=1"));
    }

    private void addUnreadableModels(List<CouldNotSee> all) {
        Set<String> said = new LinkedHashSet<>();
        for (var id : evidence.subjects(ModelFiles.FACT))
            for (var absent : evidence.lastSeen(ModelFiles.FACT, id)
                    .map(ModelFiles::unreadable)
                    .orElse(List.of()))
                if (said.add(absent.source()))
                    all.add(new CouldNotSee(
                            "model file",
                            absent.source(),
                            absent.cause().word(),
                            absent.cause() == AbsentCause.NO_PERMISSION
                                    ? "run as root"
                                    : "look at its mount: a read of it did not come back"));
    }
}
