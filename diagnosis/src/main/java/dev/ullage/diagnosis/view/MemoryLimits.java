// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The memory limits above a workload's processes, the innermost first. The one that binds may sit three levels up.
public record MemoryLimits(List<MemoryCgroup> limited) {
    public static MemoryLimits above(Evidence evidence, Workload workload) {
        List<MemoryCgroup> limited = new ArrayList<>();
        for (CgroupId id : chain(evidence, workload))
            if (evidence.lastSeen(MemoryCgroup.FACT, id) instanceof Present<MemoryCgroup>(MemoryCgroup cgroup)
                    && cgroup.bindingLimit().isPresent()) limited.add(cgroup);
        return new MemoryLimits(limited);
    }

    /// Every memory cgroup a process of the workload is in, directly or not.
    public static Set<CgroupId> chain(Evidence evidence, Workload workload) {
        return CgroupsAbove.chain(evidence, workload, "memory");
    }

    /// The limit that is being hit: nearly used up, and hit in the window. The one hit most often, when several are.
    public Optional<MemoryCgroup> hit(Evidence evidence) {
        MemoryCgroup most = null;
        long mostHits = 0;
        for (MemoryCgroup cgroup : limited) {
            long hits = hits(evidence, cgroup);
            // Reclaim frees in batches: at the moment of looking, usage may be a few per cent below.
            if (cgroup.usedShare().isAtLeast(0.85) && hits > mostHits) {
                most = cgroup;
                mostHits = hits;
            }
        }
        return Optional.ofNullable(most);
    }

    /// How often the limit was hit in the window.
    public static long hits(Evidence evidence, MemoryCgroup cgroup) {
        return evidence.change(MemoryCgroup.FACT, cgroup.id())
                .map(change -> change.increase(MemoryCgroup::limitHits))
                .orElse(0L);
    }

    public static Optional<Change<MemoryCgroup>> change(Evidence evidence, MemoryCgroup cgroup) {
        return evidence.change(MemoryCgroup.FACT, cgroup.id()) instanceof Present<Change<MemoryCgroup>>(var change)
                ? Optional.of(change)
                : Optional.empty();
    }
}
