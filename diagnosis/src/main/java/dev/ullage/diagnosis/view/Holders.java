// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.Saw;
import dev.ullage.host.Evidence;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import java.util.Comparator;
import java.util.List;

/// Who holds memory that nobody else can have: anonymous and shared memory, not page cache.
public final class Holders {
    private Holders() {}

    /// What a workload holds of its own, in RAM.
    public static Bytes own(Evidence evidence, Workload workload) {
        Bytes sum = Bytes.NONE;
        Bytes shared = Bytes.NONE;
        for (ProcessId id : workload.processes()) {
            ProcessMemory memory = evidence.lastSeen(ProcessMemory.FACT, id).orElse(null);
            if (memory == null) continue;
            sum = sum.plus(memory.anonymous());
            // All processes of a server map the same shared segments.
            if (memory.shmem().isMoreThan(shared)) shared = memory.shmem();
        }
        return sum.plus(shared);
    }

    public static List<Saw> largest(Evidence evidence, int count) {
        return evidence.workloads().stream()
                .sorted(Comparator.comparing((Workload w) -> own(evidence, w)).reversed())
                .limit(count)
                .map(w -> Saw.of(
                        "held by " + w.shown(),
                        own(evidence, w),
                        "/proc/" + w.main().pid() + "/status RssAnon"))
                .toList();
    }

    public static Bytes sum(Evidence evidence) {
        return Bytes.sum(
                evidence.workloads().stream().map(w -> own(evidence, w)).toList());
    }
}
