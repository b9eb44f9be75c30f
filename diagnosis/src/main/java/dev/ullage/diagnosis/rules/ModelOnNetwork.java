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
import dev.ullage.diagnosis.view.ModelMounts;
import dev.ullage.diagnosis.view.Reads;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.host.storage.NfsMounts;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Reading.Present;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
/// A server waits for a model that lies on a network file system, or for a file server that does not answer.

public final class ModelOnNetwork implements Rule {
    /// A load that ends sooner is how servers start.
    private static final Seconds SHORT = Seconds.ofMinutes(1);

    @Override
    public String name() {
        return "model-on-network";
    }

    @Override
    public Cause cause() {
        return Cause.NETWORK_FILESYSTEM;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(Mounts.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cold-start", "slow-disk", "disk-contention");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server's model lies on a network file system";
        for (Workload workload : evidence.servers()) {
            ModelMounts mounts = ModelMounts.of(evidence, workload);
            if (mounts.remote().isEmpty()) continue;
            Mount mount = mounts.remote().getFirst();
            Stall stall = Stall.of(evidence, workload);
            Reads reads = Reads.of(evidence, workload);
            if (mounts.silent()) {
                findings.add(silent(workload, mount, stall));
            } else if (evidence.hasWindow()
                    && stall.waiting().isAtLeast(Severity.WARNING_STALL)
                    && isReading(evidence, mount, reads)) {
                findings.add(slow(evidence, workload, mount, stall, reads));
            } else if (isMapped(evidence, workload)) {
                findings.add(mapped(workload, mount, reads));
            } else {
                clear = workload.shown() + " has its model on " + mount.point() + " (" + mount.type()
                        + ") and does not wait for it";
            }
        }
        return Verdict.of(findings, clear);
    }

    private static boolean isReading(Evidence evidence, Mount mount, Reads reads) {
        return reads.fromStorage().bytes() >= 1 << 20
                || mount.isFuse() && isReadingByFuse(reads)
                || traffic(evidence, mount)
                        .map(t -> t.increase(NfsMounts.Traffic::reads) > 0)
                        .orElse(false);
    }

    /// FUSE counts no read_bytes (fs/fuse never calls task_io_account_read); what is left are the traces of a read.
    private static boolean isReadingByFuse(Reads reads) {
        return reads.majorFaults() > 0
                || reads.kept().bytes() >= 1 << 20
                || reads.byCall().bytes() >= 1 << 20;
    }

    /// What is known of the rate: over FUSE the growth of what it has in memory, which is the least it can have read.
    private static BytesPerSecond rate(Mount mount, Reads reads) {
        return mount.isFuse() && reads.fromStorage().bytes() == 0 ? reads.kept().over(reads.window()) : reads.rate();
    }

    private static boolean isMapped(Evidence evidence, Workload workload) {
        return workload.processes().stream().anyMatch(id -> evidence.lastSeen(ModelFiles.FACT, id)
                .map(files -> files.uses().stream().anyMatch(use -> use.how() == ModelFiles.How.MAPPED))
                .orElse(false));
    }

    private static Optional<Change<NfsMounts.Traffic>> traffic(Evidence evidence, Mount mount) {
        if (!(evidence.change(NfsMounts.FACT) instanceof Present<Change<NfsMounts>>(Change<NfsMounts> change)))
            return Optional.empty();
        NfsMounts.Traffic before = change.before().byPoint().get(mount.point());
        NfsMounts.Traffic after = change.after().byPoint().get(mount.point());
        return before == null || after == null
                ? Optional.empty()
                : Optional.of(new Change<>(before, after, change.elapsed()));
    }

    private Finding silent(Workload workload, Mount mount, Stall stall) {
        return new Finding(
                        this,
                        Severity.CRITICAL,
                        new Signs()
                                .sign(true)
                                .sign(stall.waiting().isAtLeast(Severity.WARNING_STALL))
                                .sign(true)
                                .confidence(),
                        mount.source() + ", mounted at " + mount.point() + ", does not answer, and the model of "
                                + workload.shown() + " lies there",
                        List.of(
                                Saw.text(
                                        "mount that does not answer",
                                        mount.point() + " (" + mount.type() + ")",
                                        "statfs"),
                                stall.saw()),
                        "whoever touches a page that is not in memory waits in the kernel until the file server answers, and cannot even be killed",
                        Subject.of(workload).at(mount.point()),
                        List.of(
                                Remedy.now(
                                        "see whether the file server can be reached; the server goes on by itself when it answers again",
                                        "nfsstat -m; dmesg | grep -i 'not responding'",
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.NONE,
                                        "timeout 2 stat -f " + Shell.word(mount.point()),
                                        "-"),
                                copyToLocalDisk(workload, mount)))
                .explaining(true, "reads of the model of " + workload.shown() + " do not come back");
    }

    private Finding slow(Evidence evidence, Workload workload, Mount mount, Stall stall, Reads reads) {
        Optional<Change<NfsMounts.Traffic>> traffic = traffic(evidence, mount);
        List<Saw> saw = new ArrayList<>();
        BytesPerSecond rate =
                traffic.map(t -> t.movedRate(NfsMounts.Traffic::fromServer)).orElse(rate(mount, reads));
        boolean counted = rate.bytesPerSecond() > 0;
        if (counted)
            saw.add(Saw.of(
                    "read over the network",
                    rate,
                    traffic.isPresent()
                            ? "/proc/self/mountstats bytes"
                            : mount.isFuse()
                                    ? "growth of the model in memory"
                                    : "/proc/" + workload.main().pid() + "/io read_bytes"));
        else
            saw.add(Saw.text(
                    "read over the network",
                    "not counted by " + mount.type(),
                    "/proc/" + workload.main().pid() + "/io read_bytes"));
        traffic.ifPresent(t -> {
            long requests = t.increase(NfsMounts.Traffic::reads);
            if (requests == 0) return;
            saw.add(Saw.of(
                    "time a read takes",
                    Seconds.ofMillis((double) t.increase(NfsMounts.Traffic::totalMillis) / requests),
                    "/proc/self/mountstats READ"));
            saw.add(Saw.of(
                    "average read",
                    new Bytes(t.moved(NfsMounts.Traffic::fromServer).bytes() / requests),
                    "/proc/self/mountstats READ"));
        });
        if (!workload.models().isEmpty()) saw.add(Saw.of("left to read", reads.left(), reads.residentSource()));
        saw.add(stall.saw());
        Seconds left = rate.timeFor(reads.left());
        // Of a model whose file could not be looked at in time nobody knows how much is left.
        boolean endsSoon = counted
                && reads.modelSize().bytes() > 0
                && left.compareTo(SHORT) <= 0
                && reads.kept().isMoreThan(reads.lost());
        Severity severity = endsSoon ? Severity.ADVICE : Severity.ofStall(stall.waiting());
        // A slow mount may not tell in time what its file is; its path is then known from the command line alone.
        String model = workload.models().isEmpty()
                ? "its model"
                : workload.models().getFirst().name();
        String path = workload.models().isEmpty()
                ? mount.point() + "/<model>"
                : workload.models().getFirst().path();
        return new Finding(
                this,
                severity,
                new Signs()
                        .sign(true)
                        .sign(stall.waiting().isAtLeast(Severity.CRITICAL_STALL))
                        .sign(traffic.isPresent() || reads.isReading() || mount.isFuse() && isReadingByFuse(reads))
                        .confidence(),
                workload.shown() + " waits for " + model + ", which comes over " + mount.type() + " from "
                        + mount.source() + (counted ? " at " + rate.shown() : "")
                        + (counted && reads.left().bytes() > 0
                                ? "; " + reads.left().shown() + " are left, " + left.shown()
                                : ""),
                saw,
                "a mapped model is fetched by page faults, each a request over the network and small; memory is not short",
                Subject.of(workload).at(mount.point()),
                List.of(
                        Remedy.now(
                                "read the file once from front to back: requests are large and come ahead of the faults",
                                "cat " + Shell.word(path) + " > /dev/null",
                                Remedy.Cost.NONE,
                                Remedy.Risk.NONE,
                                "ullage diagnose --pid " + workload.main().pid(),
                                "-"),
                        copyToLocalDisk(workload, mount),
                        Remedy.medium(
                                "load without mmap: vLLM --safetensors-load-strategy prefetch, SGLang --weight-loader-disable-mmap, llama.cpp --no-mmap",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.NONE,
                                "ullage diagnose --pid <new pid>",
                                "start it as before")));
    }

    private Finding mapped(Workload workload, Mount mount, Reads reads) {
        return new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(true).confidence(),
                workload.shown() + " maps its model over " + mount.type() + " (" + mount.point() + "); "
                        + reads.resident().shown() + " of " + reads.modelSize().shown() + " are in memory",
                List.of(
                        Saw.text(
                                "file system of the model",
                                mount.type() + " from " + mount.source(),
                                "/proc/self/mountinfo"),
                        Saw.of("of the model in memory", reads.resident(), reads.residentSource())),
                "fast while it stays in memory; each page that is dropped comes back over the network, and the server stands still with the file server",
                Subject.of(workload).at(mount.point()),
                List.of(copyToLocalDisk(workload, mount)));
    }

    private static Remedy copyToLocalDisk(Workload workload, Mount mount) {
        String model = workload.models().isEmpty()
                ? mount.point() + "/<model>"
                : workload.models().getFirst().path();
        return Remedy.medium(
                "serve the model from a local disk",
                "cp " + Shell.word(model) + " <local folder>/",
                Remedy.Cost.RESTART,
                Remedy.Risk.NONE,
                "ullage diagnose --pid <new pid>",
                "start it with the old path");
    }
}
