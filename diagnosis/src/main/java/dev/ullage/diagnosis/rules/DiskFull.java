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
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Reading.Present;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/// A file system is full, or will be within minutes: downloads, logs and caches fail.
public final class DiskFull implements Rule {
    /// A hard limit 95 % used; of ordinary file systems nothing is reclaimable.
    private static final double USED_SHARE = 0.95;

    /// With less than this a model's next shard, a log rotation or a pip install fails.
    private static final Bytes NOTHING_LEFT = Bytes.ofMiB(16);

    private static final Seconds SOON = Seconds.ofMinutes(10);

    @Override
    public String name() {
        return "disk-full";
    }

    @Override
    public Cause cause() {
        return Cause.DISK_FULL;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(Mounts.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        Mount fullest = null;
        for (Mount mount : evidence.subjects(FileSystemSpace.FACT)) {
            // /dev/shm is memory, and another rule's.
            if (mount.isReadOnly() || mount.point().equals("/dev/shm")) continue;
            if (!(evidence.latest(FileSystemSpace.FACT, mount)
                    instanceof Present<FileSystemSpace>(FileSystemSpace space))) continue;
            // FUSE images (AppImages, archives) are full by design: nothing free, ever.
            if (space.size().bytes() == 0 || (mount.isFuse() && space.free().bytes() == 0)) continue;
            if (fullest == null
                    || space.usedShare().compareTo(space(evidence, fullest).usedShare()) > 0) fullest = mount;
            if (space.usedShare().isAtLeast(USED_SHARE) || fillsSoon(evidence, mount, space))
                findings.add(finding(evidence, mount, space));
        }
        if (fullest == null) return new Verdict.NotApplicable("no writable file system was seen");
        FileSystemSpace space = space(evidence, fullest);
        return Verdict.of(
                findings,
                fullest.point() + " is the fullest file system: "
                        + space.usedShare().shown() + " used, "
                        + space.available().shown() + " left");
    }

    private static FileSystemSpace space(Evidence evidence, Mount mount) {
        return evidence.latest(FileSystemSpace.FACT, mount).orThrow();
    }

    private static BytesPerSecond filling(Evidence evidence, Mount mount) {
        return evidence.change(FileSystemSpace.FACT, mount)
                .map((Change<FileSystemSpace> c) ->
                        c.growth(FileSystemSpace::used).orNoneIfNegative().over(c.elapsed()))
                .orElse(BytesPerSecond.NONE);
    }

    /// Seconds of writing foretell little: only a file system that is mostly full already counts.
    private static boolean fillsSoon(Evidence evidence, Mount mount, FileSystemSpace space) {
        return space.usedShare().isAtLeast(0.8)
                && filling(evidence, mount).timeFor(space.available()).compareTo(SOON) <= 0;
    }

    private Finding finding(Evidence evidence, Mount mount, FileSystemSpace space) {
        Set<Integer> users = new HashSet<>();
        for (Workload server : evidence.servers())
            for (ModelFile file : server.models())
                if (file.device().equals(mount.device()) || file.path().startsWith(mount.point() + "/"))
                    users.add(server.main().pid());
        boolean empty = space.available().compareTo(NOTHING_LEFT) < 0;
        boolean needed =
                !users.isEmpty() || mount.point().equals("/") || mount.point().equals("/tmp");
        BytesPerSecond filling = filling(evidence, mount);
        String soon = filling.bytesPerSecond() > 0
                ? ", full in " + filling.timeFor(space.available()).shown() + " at the present rate"
                : "";
        Subject subject = new Subject(OptionalInt.empty(), "", "", mount.source(), mount.point(), users);
        return new Finding(
                        this,
                        empty && needed ? Severity.CRITICAL : Severity.WARNING,
                        new Signs()
                                .decides(space.usedShare().isAtLeast(USED_SHARE))
                                .sign(true)
                                .confidence(),
                        mount.point() + " (" + mount.type() + ", "
                                + space.size().shown() + ") is "
                                + space.usedShare().shown() + " full: "
                                + space.available().shown() + " left" + soon,
                        List.of(
                                Saw.of("used", space.usedShare(), "statfs " + mount.point()),
                                Saw.of("left for everyone but root", space.available(), "statfs " + mount.point()),
                                Saw.of("filling at", filling, "statfs " + mount.point())),
                        "writes fail with \"No space left on device\": downloads stop half-way, logs and caches too",
                        subject,
                        List.of(
                                Remedy.now(
                                        "see what is large on it, and delete or move what is not needed",
                                        "du -xh --max-depth=2 " + Shell.word(mount.point()) + " | sort -h | tail -20",
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.DATA_LOSS,
                                        "df -h " + Shell.word(mount.point()),
                                        "move it back"),
                                Remedy.medium(
                                        "put the model cache on the largest volume",
                                        "export HF_HOME=<folder on the large volume>",
                                        Remedy.Cost.RESTART,
                                        Remedy.Risk.NONE,
                                        "df -h",
                                        "unset HF_HOME")))
                .explaining(empty && needed, "writes to " + mount.point() + " fail");
    }
}
