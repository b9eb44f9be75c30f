// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CgroupMembership;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Reading.Present;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// The cgroups that hold a workload's processes, for one controller.
final class CgroupsAbove {
    private CgroupsAbove() {}

    /// Those the processes are directly in.
    static Set<CgroupId> own(Evidence evidence, Workload workload, String controller) {
        Set<CgroupId> own = new LinkedHashSet<>();
        if (!(evidence.latest(CgroupMounts.FACT) instanceof Present<CgroupMounts>(CgroupMounts mounts))) return own;
        for (ProcessId id : workload.processes())
            evidence.lastSeen(CgroupMembership.FACT, id)
                    .map(membership -> mounts.locate(membership, controller))
                    .orElse(Optional.empty())
                    .ifPresent(own::add);
        return own;
    }

    /// Those and everything above them, up to the root.
    static Set<CgroupId> chain(Evidence evidence, Workload workload, String controller) {
        Set<CgroupId> chain = new LinkedHashSet<>();
        for (CgroupId own : own(evidence, workload, controller)) chain.addAll(CgroupMounts.chain(own));
        return chain;
    }

    /// The name of the IO controller: blkio where it is mounted as v1, else v2's io.
    static String io(Evidence evidence) {
        boolean v1 = evidence.latest(CgroupMounts.FACT)
                .map(mounts -> mounts.byController().containsKey("blkio"))
                .orElse(false);
        return v1 ? "blkio" : "io";
    }
}
