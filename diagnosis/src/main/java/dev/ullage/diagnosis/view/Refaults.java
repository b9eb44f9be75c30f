// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.memory.VmStat;
import dev.ullage.host.server.Workload;
import dev.ullage.host.service.Confinement;
import dev.ullage.measure.PerSecond;

/// Pages that had to be fetched again after the kernel had evicted them, in pages a second, as close to the workload as
/// the kernel counts: in its own cgroup, else on the whole host.
///
/// @param file pages of files
/// @param anonymous swapped-out pages
/// @param source where it was read
public record Refaults(PerSecond file, PerSecond anonymous, String source) {
    public static Refaults of(Evidence evidence, Workload workload) {
        for (CgroupId id : MemoryLimits.chain(evidence, workload)) {
            if (id.isRoot() && !Confinement.hasOwnRoot(evidence)) continue;
            var change = evidence.change(MemoryCgroup.FACT, id);
            if (!change.isPresent()) continue;
            return new Refaults(
                    change.orThrow().rate(MemoryCgroup::refaultedFilePages),
                    change.orThrow().rate(MemoryCgroup::refaultedAnonPages),
                    id.file("memory.stat") + " workingset_refault_file");
        }
        return evidence.change(VmStat.FACT)
                .map(change -> new Refaults(
                        change.rate(VmStat::refaultedFilePages),
                        change.rate(VmStat::refaultedAnonPages),
                        "/proc/vmstat workingset_refault_file"))
                .orElse(new Refaults(PerSecond.NONE, PerSecond.NONE, "/proc/vmstat"));
    }
}
