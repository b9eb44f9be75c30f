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
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessLimits;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
/// A process has used up the address space it may have (`ulimit -v`): mmap and malloc are refused with RAM free.

public final class AddressSpaceNearLimit implements Rule {
    /// The contract's "hard limit 95 % used".
    private static final double NEAR = 0.95;

    @Override
    public String name() {
        return "address-space-near-limit";
    }

    @Override
    public Cause cause() {
        return Cause.ADDRESS_SPACE_LIMIT;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server's address space is limited";
        for (Workload workload : evidence.servers()) {
            Bytes model =
                    Bytes.sum(workload.models().stream().map(ModelFile::size).toList());
            for (ProcessId id : workload.processes()) {
                OptionalLong soft = evidence.latest(ProcessLimits.FACT, id)
                        .map(ProcessLimits::addressSpace)
                        .orElse(OptionalLong.empty());
                Bytes used = evidence.lastSeen(ProcessMemory.FACT, id)
                        .map(ProcessMemory::addressSpace)
                        .orElse(Bytes.NONE);
                if (soft.isEmpty() || used.bytes() == 0) continue;
                Bytes limit = new Bytes(soft.getAsLong());
                boolean mapped = evidence.lastSeen(ModelFiles.FACT, id)
                        .map(files -> files.uses().stream().anyMatch(use -> use.how() == ModelFiles.How.MAPPED))
                        .orElse(false);
                boolean modelDoesNotFit = !mapped && model.isMoreThan(limit.minus(used));
                if (used.shareOf(limit).isAtLeast(NEAR) || modelDoesNotFit)
                    findings.add(finding(workload, id, used, limit, model, modelDoesNotFit));
                else clear = "pid " + id.pid() + " uses " + used.shown() + " of " + limit.shown() + " address space";
            }
        }
        return Verdict.of(findings, clear);
    }

    private Finding finding(Workload workload, ProcessId id, Bytes used, Bytes limit, Bytes model, boolean doesNotFit) {
        return new Finding(
                        this,
                        doesNotFit ? Severity.CRITICAL : Severity.WARNING,
                        new Signs()
                                .sign(true)
                                .sign(used.shareOf(limit).isAtLeast(NEAR) || doesNotFit)
                                .sign(true)
                                .confidence(),
                        workload.shown() + " uses " + used.shown() + " of the " + limit.shown()
                                + " address space it may have"
                                + (doesNotFit ? "; its model of " + model.shown() + " cannot be mapped" : ""),
                        List.of(
                                Saw.of("address space", used, id.file("status") + " VmSize"),
                                Saw.of("allowed", limit, id.file("limits") + " Max address space"),
                                Saw.of("model", model, "stat")),
                        "mmap and malloc are refused with \"Cannot allocate memory\" however much RAM is free: address space is not memory",
                        Subject.of(workload),
                        List.of(
                                Remedy.now(
                                        "lift the limit of the running process",
                                        "prlimit --pid " + id.pid() + " --as=unlimited:unlimited",
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.NONE,
                                        "grep 'address space' " + id.file("limits"),
                                        "prlimit --pid " + id.pid() + " --as=" + limit.bytes()),
                                Remedy.medium(
                                        "start it without `ulimit -v` (LimitAS= in a unit); limit memory by a cgroup instead, which counts what is used",
                                        "",
                                        Remedy.Cost.RESTART,
                                        Remedy.Risk.NONE,
                                        "grep 'address space' /proc/<new pid>/limits",
                                        "start it with the old limit")))
                .explaining(doesNotFit, workload.shown() + " cannot map its model of " + model.shown());
    }
}
