// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.view.MemoryPart.Kind;
import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a cgroup may hold, cut into parts that together are the limit.
///
/// Mistake people make: taking "usage" for what is needed. It counts page cache, which the cgroup gives back; a
/// container that has read a large file is at its limit and well.
///
/// @param limit the limit that is felt first; what is used, if that is more (`memory.high` may be exceeded)
public record WhereLimitWent(MemoryCgroup cgroup, Bytes limit, List<MemoryPart> parts) {
    /// For each server that has a limit above it: the one that is being hit, else the innermost.
    public static List<WhereLimitWent> of(Evidence evidence) {
        Map<CgroupId, WhereLimitWent> all = new LinkedHashMap<>();
        for (Workload server : evidence.servers()) {
            MemoryLimits limits = MemoryLimits.above(evidence, server);
            limits.hit(evidence)
                    .or(() -> limits.limited().stream().findFirst())
                    .ifPresent(cgroup -> all.computeIfAbsent(cgroup.id(), _ -> of(cgroup)));
        }
        return List.copyOf(all.values());
    }

    private static WhereLimitWent of(MemoryCgroup cgroup) {
        Bytes limit = cgroup.bindingLimit().orElse(cgroup.usage());
        Bytes used = cgroup.usage().orNoneIfNegative();
        Bytes anonymous = atMost(used, cgroup.anonymous());
        Bytes shared = atMost(used.minus(anonymous), cgroup.shmem());
        Bytes cache = atMost(used.minus(anonymous).minus(shared), cgroup.pageCache());
        List<MemoryPart> parts = new ArrayList<>();
        add(parts, Kind.ANONYMOUS, "anonymous memory", anonymous);
        add(parts, Kind.SHARED, "shared memory and tmpfs", shared);
        add(
                parts,
                Kind.OTHER,
                "kernel and other",
                used.minus(anonymous).minus(shared).minus(cache));
        add(parts, Kind.OTHER_CACHE, "page cache", cache);
        add(parts, Kind.FREE, "room", limit.minus(used));
        return new WhereLimitWent(cgroup, used.isMoreThan(limit) ? used : limit, List.copyOf(parts));
    }

    private static Bytes atMost(Bytes most, Bytes bytes) {
        return bytes.isMoreThan(most) ? most : bytes.orNoneIfNegative();
    }

    private static void add(List<MemoryPart> parts, Kind kind, String name, Bytes bytes) {
        if (bytes.bytes() > 0) parts.add(new MemoryPart(kind, name, "", bytes));
    }
}
