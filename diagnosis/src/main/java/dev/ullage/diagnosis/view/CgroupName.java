// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.CgroupMembership;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.service.Service;
import java.util.Optional;

/// A cgroup as people call it: a container's by its name, a pod's by the pod's; any other by its path, which names the
/// unit. A path of 64 hexadecimal digits in a headline tells nobody anything.
public final class CgroupName {
    private CgroupName() {}

    public static String shown(Evidence evidence, String path) {
        Optional<Service> said = Service.ofPath(path);
        if (said.isEmpty() || said.get().runtime().equals("systemd")) return path;
        Service bare = said.get();
        for (ProcessId id : evidence.subjects(Service.FACT)) {
            Service known = evidence.latest(Service.FACT, id).orElse(Service.NONE);
            if (bare.isContainer() && known.id().equals(bare.id())) return known.shown();
            // The pod's own cgroup, above those of its containers.
            if (!bare.isContainer()
                    && known.pod().contains("/")
                    && podOf(evidence, id).equals(bare.pod())) return "pod " + known.pod();
        }
        return bare.shown();
    }

    /// The uid of the pod a process is in, by its path.
    private static String podOf(Evidence evidence, ProcessId id) {
        return evidence.lastSeen(CgroupMembership.FACT, id)
                .map(membership -> membership.byController().values().stream()
                        .map(Service::ofPath)
                        .flatMap(Optional::stream)
                        .map(Service::pod)
                        .filter(pod -> !pod.isEmpty())
                        .findFirst()
                        .orElse(""))
                .orElse("");
    }
}
