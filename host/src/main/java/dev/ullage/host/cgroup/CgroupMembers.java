// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import java.util.ArrayList;
import java.util.List;

/// `cgroup.procs`: who is in a cgroup now. Read for cgroups in which the kernel killed something: one that is gone or
/// empty held what was killed.
public record CgroupMembers(List<Integer> pids) {
    public static final Fact<CgroupId, CgroupMembers> FACT = new Fact<>(
            "members of a cgroup", "cgroup.procs", Cadence.END, "", (root, id) -> root.text(id.file("cgroup.procs"))
                    .map(CgroupMembers::parse));

    public static CgroupMembers parse(String text) {
        List<Integer> pids = new ArrayList<>();
        text.lines().forEach(line -> KeyValues.number(line.strip()).ifPresent(pid -> {
            if (pid >= 0 && pid <= Integer.MAX_VALUE) pids.add((int) pid);
        }));
        return new CgroupMembers(List.copyOf(pids));
    }
}
