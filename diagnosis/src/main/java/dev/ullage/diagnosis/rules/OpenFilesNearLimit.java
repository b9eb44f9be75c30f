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
import dev.ullage.host.memory.Sysctls;
import dev.ullage.host.process.OpenFiles;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessLimits;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Count;
import dev.ullage.measure.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
/// A process has nearly as many files open as it may: the next connection, shard or socket is refused.

public final class OpenFilesNearLimit implements Rule {
    /// The contract's "hard limit 95 % used".
    private static final double NEAR = 0.95;

    @Override
    public String name() {
        return "open-files-near-limit";
    }

    @Override
    public Cause cause() {
        return Cause.OPEN_FILES_LIMIT;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(Sysctls.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String most = "no server's open files could be counted";
        Ratio highest = Ratio.NONE;
        for (Workload workload : evidence.workloads()) {
            for (ProcessId id : workload.processes()) {
                OptionalLong limit = evidence.latest(ProcessLimits.FACT, id)
                        .map(ProcessLimits::openFiles)
                        .orElse(OptionalLong.empty());
                if (limit.isEmpty()
                        || limit.getAsLong() <= 0
                        || !evidence.lastSeen(OpenFiles.FACT, id).isPresent()) continue;
                long open = evidence.lastSeen(OpenFiles.FACT, id)
                        .map(files -> files.open().count())
                        .orElse(0L);
                Ratio used = new Ratio((double) open / limit.getAsLong());
                if (used.compareTo(highest) >= 0) {
                    highest = used;
                    most = "pid " + id.pid() + " has most files open of what it may: " + open + " of "
                            + limit.getAsLong();
                }
                if (used.isAtLeast(NEAR)) findings.add(finding(workload, id, open, limit.getAsLong(), used));
            }
        }
        return Verdict.of(findings, most);
    }

    private Finding finding(Workload workload, ProcessId id, long open, long limit, Ratio used) {
        long raised = Math.max(65536, limit * 8);
        boolean full = open >= limit - 1;
        return new Finding(
                        this,
                        (full ? Severity.CRITICAL : Severity.WARNING).forWhat(workload),
                        new Signs().decides(full).sign(true).sign(true).confidence(),
                        workload.shown() + " has " + open + " files open in pid " + id.pid() + " of " + limit
                                + " it may",
                        List.of(
                                Saw.of("open files and sockets", new Count(open), id.file("fd")),
                                Saw.of("allowed", new Count(limit), id.file("limits") + " Max open files"),
                                Saw.of("used", used, id.file("fd"))),
                        "the next connection or model shard is refused with \"Too many open files\"; it looks like a dead network or disk",
                        Subject.of(workload),
                        List.of(
                                Remedy.now(
                                        "raise the limit of the running process",
                                        "prlimit --pid " + id.pid() + " --nofile=" + raised + ":" + raised,
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.NONE,
                                        "ls " + id.file("fd") + " | wc -l; grep 'open files' " + id.file("limits"),
                                        "prlimit --pid " + id.pid() + " --nofile=" + limit),
                                Remedy.medium(
                                        "start it with a higher one (LimitNOFILE= in the unit, --ulimit nofile= for a container), and see what it keeps open",
                                        "ls -l " + id.file("fd")
                                                + " | awk '{print $NF}' | sort | uniq -c | sort -n | tail",
                                        Remedy.Cost.RESTART,
                                        Remedy.Risk.NONE,
                                        "grep 'open files' /proc/<new pid>/limits",
                                        "start it with the old limit")))
                .explaining(full, "the next file or connection of " + workload.shown() + " is refused");
    }
}
