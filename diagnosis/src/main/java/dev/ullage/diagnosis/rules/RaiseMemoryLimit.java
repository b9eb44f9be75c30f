// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Shell;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.measure.Bytes;

/// How the memory limit of *this* cgroup is raised, in the words of whoever set it.
final class RaiseMemoryLimit {
    private RaiseMemoryLimit() {}

    /// @param needed what the members need; rounded up to the next 256 MiB with a tenth to spare
    static Remedy to(MemoryCgroup cgroup, Bytes needed) {
        boolean isHigh = cgroup.high().isPresent() && cgroup.bindingLimit().equals(cgroup.high());
        return remedy(cgroup.id(), isHigh, cgroup.bindingLimit().orElse(Bytes.NONE), needed);
    }

    /// For a cgroup that may be gone: the command is for when it is there again.
    static Remedy from(CgroupId id, Bytes before, Bytes needed) {
        return remedy(id, false, before, needed);
    }

    private static Remedy remedy(CgroupId id, boolean isHigh, Bytes before, Bytes needed) {
        long step = 256L << 20;
        long limit = (needed.times(1.1).bytes() + step - 1) / step * step;
        return Remedy.now(
                "raise the memory limit of " + id.path() + " from " + before.shown() + " to "
                        + new Bytes(limit).shown(),
                command(id, isHigh, limit),
                Remedy.Cost.NONE,
                Remedy.Risk.NONE,
                "cat " + Shell.word(id.file(id.isV2() ? "memory.events" : "memory.failcnt")) + "  # stops growing",
                command(id, isHigh, before.bytes()));
    }

    private static String command(CgroupId id, boolean isHigh, long limit) {
        String last = id.path().substring(id.path().lastIndexOf('/') + 1);
        if (last.endsWith(".service") || last.endsWith(".slice"))
            return "systemctl set-property --runtime " + Shell.word(last) + (isHigh ? " MemoryHigh=" : " MemoryMax=")
                    + limit;
        boolean isScope = last.startsWith("docker-") && last.endsWith(".scope");
        if (isScope || id.path().startsWith("/docker/")) {
            String container = isScope ? last.substring("docker-".length(), last.length() - ".scope".length()) : last;
            return "docker update --memory " + limit + " --memory-swap " + limit + " " + Shell.word(container);
        }
        return "echo " + limit + " > "
                + Shell.word(id.file(id.isV2() ? (isHigh ? "memory.high" : "memory.max") : "memory.limit_in_bytes"));
    }
}
