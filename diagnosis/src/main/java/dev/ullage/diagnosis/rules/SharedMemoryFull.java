// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.process.SharedMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
/// The /dev/shm that a server sees is full: its next segment fails, or the process that touches it dies by SIGBUS.

public final class SharedMemoryFull implements Rule {
    /// The contract's "hard limit 95 % used".
    private static final double NEAR = 0.95;

    /// What Docker and Kubernetes give when nobody asks for more.
    private static final Bytes SMALL = Bytes.ofMiB(64);

    /// No segment fits into less.
    private static final Bytes NOTHING_LEFT = Bytes.ofMiB(1);

    @Override
    public String name() {
        return "shared-memory-full";
    }

    @Override
    public Cause cause() {
        return Cause.SHARED_MEMORY;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(Mounts.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server's /dev/shm could be looked at";
        for (Workload workload : evidence.servers()) {
            FileSystemSpace space = fullest(evidence, workload);
            if (space == null || space.size().bytes() == 0) continue;
            String now = workload.shown() + " sees a /dev/shm of "
                    + space.size().shown() + ", " + space.usedShare().shown() + " used";
            boolean full = space.usedShare().isAtLeast(NEAR);
            boolean small =
                    !space.size().isMoreThan(SMALL) && workload.processes().size() > 1;
            if (full || small) findings.add(finding(evidence, workload, space, full));
            else clear = now;
        }
        Optional<FileSystemSpace> ofHost = ofHost(evidence);
        if (findings.isEmpty() && ofHost.isPresent() && ofHost.get().usedShare().isAtLeast(NEAR))
            findings.add(ofHost(ofHost.get()));
        return Verdict.of(findings, clear);
    }

    /// Its processes may sit in containers of their own.
    private static FileSystemSpace fullest(Evidence evidence, Workload workload) {
        FileSystemSpace fullest = null;
        for (ProcessId id : workload.processes()) {
            FileSystemSpace space = evidence.lastSeen(SharedMemory.FACT, id)
                    .map(SharedMemory::space)
                    .orElse(null);
            if (space != null && (fullest == null || space.usedShare().compareTo(fullest.usedShare()) > 0))
                fullest = space;
        }
        return fullest;
    }

    private static Optional<FileSystemSpace> ofHost(Evidence evidence) {
        for (Mount mount : evidence.subjects(FileSystemSpace.FACT))
            if (mount.point().equals("/dev/shm")
                    && evidence.latest(FileSystemSpace.FACT, mount) instanceof Present<FileSystemSpace>(var space))
                return Optional.of(space);
        return Optional.empty();
    }

    private Finding finding(Evidence evidence, Workload workload, FileSystemSpace space, boolean full) {
        boolean nothingLeft = NOTHING_LEFT.isMoreThan(space.available());
        boolean uses = workload.processes().stream().anyMatch(id -> evidence.lastSeen(ProcessMemory.FACT, id)
                .map(m -> m.shmem().bytes() > 0)
                .orElse(false));
        Severity severity = !full ? Severity.ADVICE : nothingLeft && uses ? Severity.CRITICAL : Severity.WARNING;
        return new Finding(
                        this,
                        severity,
                        new Signs().sign(true).sign(nothingLeft).sign(uses).confidence(),
                        full
                                ? "/dev/shm of " + workload.shown() + " is "
                                        + space.usedShare().shown() + " full: "
                                        + space.available().shown() + " of "
                                        + space.size().shown() + " left"
                                : workload.shown() + " has a /dev/shm of only "
                                        + space.size().shown() + " for all its processes",
                        List.of(
                                Saw.of(
                                        "size",
                                        space.size(),
                                        "statfs " + workload.main().file("root/dev/shm")),
                                Saw.of(
                                        "left",
                                        space.available(),
                                        "statfs " + workload.main().file("root/dev/shm")),
                                Saw.of(
                                        "used",
                                        space.usedShare(),
                                        "statfs " + workload.main().file("root/dev/shm"))),
                        "NCCL, DataLoader workers and Ray put their buffers there; when it is full they fail, or die by SIGBUS (exit 135)",
                        Subject.of(workload).at("/dev/shm"),
                        remedies(workload.main().file("root/dev/shm"), space))
                .explaining(full && nothingLeft && uses, workload.shown() + " fails when it needs more of /dev/shm");
    }

    private Finding ofHost(FileSystemSpace space) {
        return new Finding(
                this,
                Severity.WARNING,
                new Signs()
                        .sign(true)
                        .sign(NOTHING_LEFT.isMoreThan(space.available()))
                        .confidence(),
                "/dev/shm is " + space.usedShare().shown() + " full: "
                        + space.available().shown() + " of " + space.size().shown() + " left",
                List.of(
                        Saw.of("size", space.size(), "statfs /dev/shm"),
                        Saw.of("left", space.available(), "statfs /dev/shm")),
                "whatever puts buffers there fails, or dies by SIGBUS (exit 135)",
                new Subject(OptionalInt.empty(), "", "", "", "/dev/shm", Set.of()),
                remedies("/dev/shm", space));
    }

    private static List<Remedy> remedies(String folder, FileSystemSpace space) {
        return List.of(
                Remedy.now(
                        "see what is left over from processes that are gone, and delete it",
                        "ls -lS " + folder + " | head; fuser -v " + folder + "/*",
                        Remedy.Cost.NONE,
                        Remedy.Risk.DATA_LOSS,
                        "df -h " + folder,
                        "-"),
                Remedy.now(
                        "enlarge it; only what is used costs RAM (on the host; a container's from within it)",
                        "mount -o remount,size="
                                + Math.max(8L << 30, space.size().bytes() * 4) + " /dev/shm",
                        Remedy.Cost.NONE,
                        Remedy.Risk.NONE,
                        "df -h " + folder,
                        "mount -o remount,size=" + space.size().bytes() + " /dev/shm"),
                Remedy.medium(
                        "start the container with a larger one: --shm-size=16g or --ipc=host; in Kubernetes an emptyDir with medium: Memory at /dev/shm",
                        "",
                        Remedy.Cost.RESTART,
                        Remedy.Risk.NONE,
                        "df -h /proc/<new pid>/root/dev/shm",
                        "start it with the old size"));
    }
}
