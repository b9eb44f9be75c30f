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
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Count;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
/// A process has nearly as many mappings as the kernel allows: the next mmap fails, and says "Cannot allocate memory"
/// with
/// RAM free.

public final class MapCountNearLimit implements Rule {
    /// The contract's "hard limit 95 % used".
    private static final double NEAR = 0.95;

    /// A thread takes two mappings, an arena one: so near to the limit the next one may be the last.
    private static final double FULL = 0.995;

    @Override
    public String name() {
        return "map-count-near-limit";
    }

    @Override
    public Cause cause() {
        return Cause.MAP_COUNT_LIMIT;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(Sysctls.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        OptionalLong limit = evidence.latest(Sysctls.FACT).orThrow().number("vm.max_map_count");
        if (limit.isEmpty() || limit.getAsLong() <= 0)
            return new Verdict.CannotTell(List.of(new Reading.Absent<>(
                    "/proc/sys/vm/max_map_count", AbsentCause.NOT_RECORDED, "it was not among the kernel settings")));
        List<Finding> findings = new ArrayList<>();
        int most = 0;
        for (Workload workload : evidence.workloads()) {
            for (ProcessId id : workload.processes()) {
                int mappings = evidence.lastSeen(ModelFiles.FACT, id)
                        .map(ModelFiles::mappings)
                        .orElse(0);
                most = Math.max(most, mappings);
                Ratio used = new Ratio((double) mappings / limit.getAsLong());
                if (used.isAtLeast(NEAR)) findings.add(finding(workload, id, mappings, limit.getAsLong(), used));
            }
        }
        return Verdict.of(
                findings, "no process has more than " + most + " mappings of " + limit.getAsLong() + " allowed");
    }

    private Finding finding(Workload workload, ProcessId id, int mappings, long limit, Ratio used) {
        long raised = Math.max(1048576, limit * 4);
        return new Finding(
                        this,
                        (used.isAtLeast(FULL) ? Severity.CRITICAL : Severity.WARNING).forWhat(workload),
                        new Signs()
                                .decides(used.isAtLeast(FULL))
                                .sign(true)
                                .sign(true)
                                .confidence(),
                        workload.shown() + " has " + mappings + " mappings in pid " + id.pid()
                                + ", and the kernel allows " + limit,
                        List.of(
                                Saw.of("mappings", new Count(mappings), id.file("maps")),
                                Saw.of("allowed", new Count(limit), "/proc/sys/vm/max_map_count"),
                                Saw.of("used", used, id.file("maps"))),
                        "the next mmap, thread or large allocation fails with \"Cannot allocate memory\" while RAM is free",
                        Subject.of(workload),
                        List.of(
                                Remedy.now(
                                        "allow more mappings; the running server may use them at once",
                                        "sysctl -w vm.max_map_count=" + raised,
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.NONE,
                                        "wc -l " + id.file("maps") + "; cat /proc/sys/vm/max_map_count",
                                        "sysctl -w vm.max_map_count=" + limit),
                                Remedy.medium(
                                        "keep it across reboots",
                                        "echo vm.max_map_count=" + raised + " > /etc/sysctl.d/90-map-count.conf",
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.NONE,
                                        "sysctl vm.max_map_count",
                                        "rm /etc/sysctl.d/90-map-count.conf")))
                .explaining(used.isAtLeast(FULL), "the next mapping of " + workload.shown() + " fails");
    }
}
