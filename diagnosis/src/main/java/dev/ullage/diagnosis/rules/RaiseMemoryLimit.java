// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Remedy;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.measure.Bytes;

/// How the memory limit of *this* cgroup is raised, in the words of whoever set it.
final class RaiseMemoryLimit {
    private RaiseMemoryLimit() {}

    /// @param needed what the members need; rounded up to the next 256 MiB with a tenth to spare
    static Remedy to(MemoryCgroup cgroup, Bytes needed) {
        long step = 256L << 20;
        long limit = (needed.times(1.1).bytes() + step - 1) / step * step;
        Bytes before = cgroup.bindingLimit().orElse(Bytes.NONE);
        return Remedy.now(
                "raise the memory limit of " + cgroup.id().path() + " from " + before.shown() + " to "
                        + new Bytes(limit).shown(),
                command(cgroup, limit),
                Remedy.Cost.NONE,
                Remedy.Risk.NONE,
                "cat " + hitsFile(cgroup.id()) + "  # stops growing",
                command(cgroup, before.bytes()));
    }

    private static String hitsFile(CgroupId id) {
        return id.file(id.isV2() ? "memory.events" : "memory.failcnt");
    }

    private static String command(MemoryCgroup cgroup, long limit) {
        CgroupId id = cgroup.id();
        String last = id.path().substring(id.path().lastIndexOf('/') + 1);
        boolean isHigh = cgroup.high().isPresent() && cgroup.bindingLimit().equals(cgroup.high());
        if (last.endsWith(".service") || last.endsWith(".slice"))
            return "systemctl set-property --runtime " + last + (isHigh ? " MemoryHigh=" : " MemoryMax=") + limit;
        if (id.path().startsWith("/docker/"))
            return "docker update --memory " + limit + " --memory-swap " + limit + " " + last;
        if (last.startsWith("docker-") && last.endsWith(".scope"))
            return "docker update --memory " + limit + " --memory-swap " + limit + " "
                    + last.substring("docker-".length(), last.length() - ".scope".length());
        String file = id.isV2() ? (isHigh ? "memory.high" : "memory.max") : "memory.limit_in_bytes";
        return "echo " + limit + " > " + id.file(file);
    }
}
