// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.memory.PressureStall;

/// Pressure of one cgroup: `memory.pressure`, `io.pressure`, `cpu.pressure` in the v2 hierarchy, on hybrid hosts
/// too. There is none in v1.
public final class CgroupPressure {
    public static final Fact<CgroupId, PressureStall> MEMORY = of("memory");
    public static final Fact<CgroupId, PressureStall> IO = of("io");
    public static final Fact<CgroupId, PressureStall> CPU = of("cpu");

    private CgroupPressure() {}

    private static Fact<CgroupId, PressureStall> of(String resource) {
        String file = resource + ".pressure";
        return new Fact<>(
                resource + " pressure of a cgroup",
                file,
                Cadence.ENDS,
                "boot with psi=1 and cgroup v2",
                (root, id) -> PressureStall.read(root, id.file(file)));
    }
}
