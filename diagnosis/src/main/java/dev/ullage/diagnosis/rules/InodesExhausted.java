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
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.Count;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
/// A file system can hold no more files: every new one is refused with "No space left on device", whatever `df` shows.

public final class InodesExhausted implements Rule {
    /// The contract's "hard limit 95 % used".
    private static final double NEAR = 0.95;

    @Override
    public String name() {
        return "inodes-exhausted";
    }

    @Override
    public Cause cause() {
        return Cause.INODE_EXHAUSTION;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(Mounts.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no file system with a fixed number of inodes was seen";
        Ratio highest = Ratio.NONE;
        for (Mount mount : evidence.subjects(FileSystemSpace.FACT)) {
            if (mount.isReadOnly()
                    || !(evidence.latest(FileSystemSpace.FACT, mount)
                            instanceof Present<FileSystemSpace>(FileSystemSpace space))
                    || space.inodes() == 0) continue;
            // FUSE images and archives have as many inodes as files, by design.
            if (mount.isFuse() && space.freeInodes() == 0) continue;
            Ratio used = space.usedInodesShare();
            if (used.compareTo(highest) >= 0) {
                highest = used;
                clear = mount.point() + " has used most of its inodes: " + used.shown() + " of " + space.inodes();
            }
            if (used.isAtLeast(NEAR)) findings.add(finding(evidence, mount, space, used));
        }
        return Verdict.of(findings, clear);
    }

    private Finding finding(Evidence evidence, Mount mount, FileSystemSpace space, Ratio used) {
        Set<Integer> users = new HashSet<>();
        for (Workload server : evidence.servers())
            if (server.models().stream().anyMatch(file -> file.device().equals(mount.device())))
                users.add(server.main().pid());
        boolean none = space.freeInodes() == 0;
        boolean matters = !users.isEmpty()
                || mount.point().equals("/")
                || mount.point().equals("/tmp")
                || mount.point().equals("/var");
        return new Finding(
                        this,
                        none && matters ? Severity.CRITICAL : Severity.WARNING,
                        new Signs().decides(none).sign(true).sign(true).confidence(),
                        mount.point() + " (" + mount.type() + ") has " + space.freeInodes() + " of " + space.inodes()
                                + " inodes left, and " + space.available().shown() + " of space",
                        List.of(
                                Saw.of("inodes used", used, "statfs " + mount.point()),
                                Saw.of("inodes left", new Count(space.freeInodes()), "statfs " + mount.point()),
                                Saw.of("space left", space.available(), "statfs " + mount.point())),
                        "every new file is refused with \"No space left on device\": caches, logs and temporary files fail while df shows room",
                        new Subject(OptionalInt.empty(), "", "", "", mount.point(), users),
                        List.of(
                                Remedy.now(
                                        "find the folders with most files; caches of small files are the usual ones",
                                        "du --inodes -xS " + Shell.word(mount.point()) + " | sort -n | tail -20",
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.DATA_LOSS,
                                        "df -i " + Shell.word(mount.point()),
                                        "-"),
                                Remedy.byDesign(
                                        "ext4 fixes the number when it is made: make the file system anew with more (mkfs.ext4 -i 4096), or as xfs, which makes them as needed",
                                        "",
                                        Remedy.Cost.RESTART,
                                        Remedy.Risk.DATA_LOSS,
                                        "df -i " + Shell.word(mount.point()),
                                        "-")))
                .explaining(none && matters, "new files in " + mount.point() + " are refused");
    }
}
