// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Shell;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.MemoryLimits;
import dev.ullage.diagnosis.view.RecentKills;
import dev.ullage.diagnosis.view.Shortage;
import dev.ullage.diagnosis.view.Tmpfs;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Files in a tmpfs take the memory that the host, or a server's cgroup, runs out of.
public final class TmpfsFillsMemory implements Rule {
    /// Of RAM: less than a tenth in files decides nothing.
    private static final double HOST_SHARE = 0.10;

    /// Of a cgroup's limit.
    private static final double CGROUP_SHARE = 0.25;

    /// A limit that is used up by what cannot be reclaimed.
    private static final double FULL = 0.95;

    @Override
    public String name() {
        return "tmpfs-fills-memory";
    }

    @Override
    public Cause cause() {
        return Cause.TMPFS_IN_RAM;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return MemoryWaste.SYMPTOMS;
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        Bytes mapped = Bytes.sum(evidence.workloads().stream()
                .map(w -> Tmpfs.mappedBy(evidence, w))
                .toList());
        Bytes files = mem.shmem().minus(mapped).orNoneIfNegative();
        Optional<Shortage> shortage = Shortage.ofHost(evidence);
        if (shortage.isPresent() && files.shareOf(mem.total()).isAtLeast(HOST_SHARE))
            findings.add(ofHost(evidence, mem, files, shortage.get()));
        for (MemoryCgroup cgroup : limitsAboveServers(evidence))
            ofCgroup(evidence, cgroup).ifPresent(findings::add);
        return Verdict.of(
                findings,
                files.shown() + " of " + mem.total().shown() + " hold files in a tmpfs, and "
                        + mem.available().shown() + " are available");
    }

    private static Set<MemoryCgroup> limitsAboveServers(Evidence evidence) {
        Set<MemoryCgroup> limits = new LinkedHashSet<>();
        for (Workload server : evidence.servers())
            limits.addAll(MemoryLimits.above(evidence, server).limited());
        return limits;
    }

    private Finding ofHost(Evidence evidence, MemInfo mem, Bytes files, Shortage shortage) {
        Optional<Tmpfs> fullest = Tmpfs.fullest(evidence);
        List<Saw> saw = new ArrayList<>();
        saw.add(Saw.of("files in memory file systems", files, "/proc/meminfo Shmem − RssShmem of the large processes"));
        fullest.ifPresent(t -> saw.add(Saw.of("of that in " + t.mount().point(), t.used(), "statfs")));
        saw.add(Saw.of("available", mem.available(), "/proc/meminfo MemAvailable"));
        String where = fullest.map(t -> t.mount().point()).orElse("a tmpfs that is not mounted here");
        return new Finding(
                        this,
                        shortage.severity(),
                        new Signs()
                                .sign(true)
                                .sign(fullest.map(t -> t.used().isMoreThan(files.times(0.5)))
                                        .orElse(false))
                                .sign(mem.available()
                                        .plus(files)
                                        .shareOf(mem.total())
                                        .isAtLeast(HOST_SHARE))
                                .confidence(),
                        files.shown() + " of " + mem.total().shown() + " RAM hold files of a tmpfs, most of them in "
                                + where + "; " + shortage.shown(),
                        saw,
                        "a tmpfs is RAM: its files are counted as cache, and can be dropped no more than a process's own memory",
                        new Subject(OptionalInt.empty(), "", "", "", where, Set.of()),
                        remedies(where))
                .explaining(shortage.hasKilled(), shortage.shown());
    }

    private Optional<Finding> ofCgroup(Evidence evidence, MemoryCgroup cgroup) {
        Bytes limit = cgroup.bindingLimit().orElse(Bytes.NONE);
        Bytes mapped = Bytes.NONE;
        Set<Integer> members = new LinkedHashSet<>();
        for (Workload workload : evidence.workloads()) {
            if (!MemoryLimits.chain(evidence, workload).contains(cgroup.id())) continue;
            mapped = mapped.plus(Tmpfs.mappedBy(evidence, workload));
            members.add(workload.main().pid());
        }
        Bytes files = cgroup.shmem().minus(mapped).orNoneIfNegative();
        boolean killed = RecentKills.in(evidence).stream()
                .anyMatch(k -> k.counts()
                        && k.cgroup()
                                .map(CgroupId::path)
                                .orElse("")
                                .equals(cgroup.id().path()));
        boolean full = cgroup.unreclaimableShare().isAtLeast(FULL) || MemoryLimits.hits(evidence, cgroup) > 0 || killed;
        if (!full || !files.shareOf(limit).isAtLeast(CGROUP_SHARE)) return Optional.empty();
        return Optional.of(new Finding(
                        this,
                        killed ? Severity.CRITICAL : Severity.WARNING,
                        new Signs()
                                .sign(true)
                                .sign(cgroup.unreclaimableShare().isAtLeast(FULL))
                                .sign(files.shareOf(limit).isAtLeast(0.5) || killed)
                                .confidence(),
                        files.shown() + " of the limit of " + limit.shown() + " of "
                                + cgroup.id().path() + " hold files of a tmpfs",
                        List.of(
                                Saw.of(
                                        "files in memory file systems",
                                        files,
                                        cgroup.id().file("memory.stat") + " shmem"),
                                Saw.of(
                                        "limit",
                                        limit,
                                        cgroup.id().file(cgroup.id().isV2() ? "memory.max" : "memory.limit_in_bytes")),
                                Saw.of(
                                        "cannot be reclaimed",
                                        cgroup.unreclaimable(),
                                        cgroup.id().file("memory.stat"))),
                        "files in a tmpfs are charged to whoever wrote them, and count against the limit until they are deleted",
                        new Subject(OptionalInt.empty(), "", cgroup.id().path(), "", "", Set.copyOf(members)),
                        remedies(""))
                .explaining(
                        killed,
                        "the kernel killed for the limit of " + cgroup.id().path()));
    }

    private static List<Remedy> remedies(String mount) {
        String folder = mount.startsWith("/") ? Shell.word(mount) : "/dev/shm /tmp";
        return List.of(
                Remedy.now(
                        "see what lies there; delete or move what nobody needs",
                        "du -xah " + folder + " | sort -h | tail -20",
                        Remedy.Cost.NONE,
                        Remedy.Risk.DATA_LOSS,
                        "grep -E 'Shmem:|MemAvailable' /proc/meminfo",
                        "copy it back"),
                Remedy.medium(
                        "put large files on a disk, and give the tmpfs a size that the host can afford",
                        mount.startsWith("/") ? "mount -o remount,size=2G " + Shell.word(mount) : "",
                        Remedy.Cost.NONE,
                        Remedy.Risk.NONE,
                        "df -h -t tmpfs",
                        "remount it with the old size"));
    }
}
