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
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelExtent;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.NameOnDisk;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
/// A model file is damaged: shortened under the server that maps it, cut off by a broken download, or replaced.

public final class ModelFileDamaged implements Rule {
    /// A mapping ends with its last page: 64 KiB on some ARM kernels.
    private static final Bytes PAGE_OF_ANY_KERNEL = Bytes.ofKiB(64);

    @Override
    public String name() {
        return "model-file-damaged";
    }

    @Override
    public Cause cause() {
        return Cause.CORRUPT_FILE;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(Mounts.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cold-start", "slow-disk");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        int seen = 0;
        int checked = 0;
        for (Workload workload : evidence.servers()) {
            for (ModelFile file : workload.models()) {
                seen++;
                if (!(evidence.latest(NameOnDisk.FACT, file) instanceof Present<NameOnDisk>(NameOnDisk disk))) continue;
                Bytes mapped = mappedTo(evidence, workload, file);
                Bytes needs = evidence.latest(ModelExtent.FACT, file)
                        .map(ModelExtent::needs)
                        .orElse(Bytes.NONE);
                if (needs.bytes() > 0) checked++;
                boolean grows = evidence.change(NameOnDisk.FACT, file)
                        .map(c -> c.growth(NameOnDisk::size).bytes() > 0)
                        .orElse(false);
                if (mapped.isMoreThan(disk.size().plus(PAGE_OF_ANY_KERNEL)))
                    findings.add(shortened(workload, file, mapped, disk.size()));
                else if (needs.isMoreThan(disk.size())) findings.add(cutOff(workload, file, needs, disk.size(), grows));
                else if (file.deleted()
                        || disk.exists() && !disk.same() && file.via().equals(file.path()))
                    findings.add(replaced(workload, file, disk));
            }
        }
        if (seen == 0) return new Verdict.NotApplicable("no server uses a model file");
        return Verdict.of(
                findings,
                "of " + seen + " model files in use none ends before its mappings do, and " + checked
                        + (checked == 1 ? " is" : " are") + " as long as the header says");
    }

    private static Bytes mappedTo(Evidence evidence, Workload workload, ModelFile file) {
        Bytes most = Bytes.NONE;
        for (ProcessId id : workload.processes())
            for (ModelFiles.Use use :
                    evidence.lastSeen(ModelFiles.FACT, id).map(ModelFiles::uses).orElse(List.of()))
                if (use.file().equals(file) && use.mappedTo().isMoreThan(most)) most = use.mappedTo();
        return most;
    }

    private Finding shortened(Workload workload, ModelFile file, Bytes mapped, Bytes size) {
        return new Finding(
                        this,
                        Severity.CRITICAL,
                        new Signs().decides(true).confidence(),
                        file.name() + " was shortened to " + size.shown() + " while " + workload.shown() + " maps "
                                + mapped.shown() + " of it: the next touch behind its end kills it by SIGBUS",
                        List.of(
                                Saw.of(
                                        "mapped up to",
                                        mapped,
                                        "/proc/" + workload.main().pid() + "/maps"),
                                Saw.of("length now", size, "stat " + file.path())),
                        "somebody wrote the file anew in place; a copy beside it and a rename would have left the server its old one",
                        Subject.of(workload).at(file.path()),
                        List.of(
                                Remedy.now(
                                        "bring back a whole file before it is touched again, or stop the server at a moment of your choice",
                                        "ls -l " + Shell.word(file.path()),
                                        Remedy.Cost.RESTART,
                                        Remedy.Risk.NONE,
                                        "ullage diagnose --pid <new pid>",
                                        "-"),
                                Remedy.medium(
                                        "replace models by writing beside them and renaming",
                                        "cp <new file> " + Shell.word(file.path() + ".new") + " && mv "
                                                + Shell.word(file.path() + ".new") + " " + Shell.word(file.path()),
                                        Remedy.Cost.RESTART,
                                        Remedy.Risk.NONE,
                                        "ls -li " + Shell.word(file.path()),
                                        "-")))
                .explaining(true, workload.shown() + " dies when it touches what is gone");
    }

    private Finding cutOff(Workload workload, ModelFile file, Bytes needs, Bytes size, boolean grows) {
        return new Finding(
                        this,
                        grows ? Severity.ADVICE : Severity.CRITICAL,
                        new Signs().decides(!grows).sign(true).confidence(),
                        file.name() + " of " + workload.shown() + " is " + size.shown() + " long, and " + needs.shown()
                                + " by its own header" + (grows ? "; it still grows" : ": the file is cut off"),
                        List.of(
                                Saw.of("length by its header", needs, "model header"),
                                Saw.of("length", size, "stat " + file.path())),
                        grows
                                ? "it is being written; a server that is started now loads half a model or fails"
                                : "the download or copy broke off; engines refuse such a file, or die when they touch what is missing",
                        Subject.of(workload).at(file.path()),
                        List.of(Remedy.now(
                                "fetch the file again and compare its checksum with the publisher's",
                                "sha256sum " + Shell.word(file.path()),
                                Remedy.Cost.RESTART,
                                Remedy.Risk.NONE,
                                "stat -c %s " + Shell.word(file.path()) + "  # " + needs.bytes() + " or more",
                                "-")))
                .explaining(!grows, workload.shown() + " has half a model, or fails to load it");
    }

    private Finding replaced(Workload workload, ModelFile file, NameOnDisk disk) {
        boolean other = disk.exists() && !disk.same();
        return new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(true).confidence(),
                workload.shown() + " serves a " + file.name() + " that is "
                        + (other ? "no longer the file of that name" : "deleted"),
                List.of(Saw.text(
                        "file in use",
                        (other ? "another inode than " : "deleted: ") + file.path(),
                        "/proc/" + workload.main().pid() + "/maps")),
                "it goes on with the old file, whose " + file.size().shown()
                        + " stay on the disk until it ends; after a restart it serves another model, or none",
                Subject.of(workload).at(file.path()),
                List.of(Remedy.medium(
                        "restart it when the new file is the one you want",
                        "ls -li " + Shell.word(file.path()),
                        Remedy.Cost.RESTART,
                        Remedy.Risk.RESULTS_CHANGE,
                        "ullage diagnose --pid <new pid>",
                        "put the old file back")));
    }
}
