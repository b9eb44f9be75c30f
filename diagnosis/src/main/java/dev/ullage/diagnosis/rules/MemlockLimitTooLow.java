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
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessLimits;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
/// A server asked to lock its model in memory, and may lock less than that; or it has locked all it may.

public final class MemlockLimitTooLow implements Rule {
    /// The contract's "hard limit 95 % used".
    private static final double NEAR = 0.95;

    /// Of the model: the last page may be rounded, a small head not locked.
    private static final double NEARLY_ALL = 0.9;

    @Override
    public String name() {
        return "memlock-limit-too-low";
    }

    @Override
    public Cause cause() {
        return Cause.MEMLOCK_LIMIT;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server asks for locked memory";
        for (Workload workload : evidence.servers()) {
            for (ProcessId id : workload.processes()) {
                OptionalLong soft = evidence.latest(ProcessLimits.FACT, id)
                        .map(ProcessLimits::lockedMemory)
                        .orElse(OptionalLong.empty());
                ProcessMemory memory = evidence.lastSeen(ProcessMemory.FACT, id).orElse(null);
                if (memory == null) continue;
                boolean asks = evidence.latest(CommandLine.FACT, id)
                        .map(MemlockLimitTooLow::asksForLock)
                        .orElse(false);
                Bytes held = memory.locked().plus(memory.pinned());
                if (soft.isEmpty()) {
                    if (asks)
                        clear = "pid " + id.pid() + " may lock as much as it likes, and has locked " + held.shown();
                    continue;
                }
                Bytes limit = new Bytes(soft.getAsLong());
                Bytes wanted = asks
                        ? Bytes.sum(
                                workload.models().stream().map(ModelFile::size).toList())
                        : Bytes.NONE;
                // CAP_IPC_LOCK lets its holder pass the limit: what has done so is not bound by it.
                if (memory.locked().isMoreThan(limit) || memory.pinned().isMoreThan(limit)) {
                    clear = "pid " + id.pid() + " has locked " + held.shown() + ", and its limit of " + limit.shown()
                            + " does not bind it (CAP_IPC_LOCK)";
                    continue;
                }
                boolean tooLow =
                        wanted.isMoreThan(limit) && wanted.times(NEARLY_ALL).isMoreThan(held);
                boolean usedUp = held.bytes() > 0 && held.shareOf(limit).isAtLeast(NEAR);
                if (tooLow || usedUp) findings.add(finding(workload, id, held, limit, wanted));
                else if (asks || held.bytes() > 0)
                    clear = "pid " + id.pid() + " has locked " + held.shown() + " of " + limit.shown() + " it may";
            }
        }
        return Verdict.of(findings, clear);
    }

    /// llama.cpp's `--mlock`, its wrappers' `use_mlock`, and settings in the same words.
    private static boolean asksForLock(CommandLine command) {
        return command.arguments().stream()
                .map(a -> a.startsWith("-") ? a.replaceFirst("^-+", "") : a)
                .anyMatch(a -> a.equals("mlock") || a.startsWith("use_mlock") || a.startsWith("use-mlock"));
    }

    private Finding finding(Workload workload, ProcessId id, Bytes held, Bytes limit, Bytes wanted) {
        boolean asked = wanted.bytes() > 0;
        return new Finding(
                this,
                Severity.WARNING,
                new Signs()
                        .sign(true)
                        .sign(asked)
                        .sign(held.shareOf(limit).isAtLeast(NEAR) || asked && held.bytes() == 0)
                        .confidence(),
                asked
                        ? workload.shown() + " was told to lock its model of " + wanted.shown() + " and may lock "
                                + limit.shown() + "; " + held.shown() + " are locked"
                        : workload.shown() + " has locked " + held.shown() + " of the " + limit.shown() + " it may",
                List.of(
                        Saw.of("locked and pinned", held, id.file("status") + " VmLck + VmPin"),
                        Saw.of("may be locked", limit, id.file("limits") + " Max locked memory"),
                        Saw.of("asked for", wanted, id.file("cmdline"))),
                asked
                        ? "the weights that are not locked can be dropped or swapped out, which is what the flag was to prevent"
                        : "the next lock is refused: of RDMA and io_uring buffers that fails a start, of weights it fails silently",
                Subject.of(workload),
                List.of(
                        Remedy.now(
                                "raise the limit of the running process; llama.cpp locks at its next start",
                                "prlimit --pid " + id.pid() + " --memlock=unlimited:unlimited",
                                Remedy.Cost.NONE,
                                Remedy.Risk.NONE,
                                "grep -E 'VmLck|VmPin' " + id.file("status"),
                                "prlimit --pid " + id.pid() + " --memlock=" + limit.bytes()),
                        Remedy.medium(
                                "start it with a higher one: LimitMEMLOCK=infinity in the unit, --ulimit memlock=-1 for a container",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.NONE,
                                "grep 'locked memory' /proc/<new pid>/limits",
                                "start it with the old limit")));
    }
}
