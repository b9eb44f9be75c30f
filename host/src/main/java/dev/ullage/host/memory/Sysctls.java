// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The kernel settings that decide how memory trouble shows, as text by their sysctl name.
public record Sysctls(Map<String, String> values) {
    private static final List<String> THAT_MATTER = List.of(
            "vm.swappiness",
            "vm.overcommit_memory",
            "vm.overcommit_ratio",
            "vm.max_map_count",
            "vm.min_free_kbytes",
            "vm.vfs_cache_pressure",
            "vm.zone_reclaim_mode",
            "vm.panic_on_oom",
            "vm.oom_kill_allocating_task",
            "vm.dirty_ratio",
            "vm.overcommit_kbytes",
            "vm.compaction_proactiveness",
            "kernel.task_delayacct",
            "kernel.numa_balancing",
            "fs.file-nr");

    public static final Fact<Host, Sysctls> FACT =
            new Fact<>("kernel settings", "/proc/sys", Cadence.ONCE, "mount /proc", (root, _) -> read(root));

    private static Reading<Sysctls> read(HostRoot root) {
        Map<String, String> values = new LinkedHashMap<>();
        Reading<String> last = null;
        for (String name : THAT_MATTER) {
            last = root.text("/proc/sys/" + name.replace('.', '/'));
            if (last instanceof Reading.Present<String>(String text)) values.put(name, text.strip());
        }
        if (values.isEmpty() && last instanceof Reading.Absent<String> absent)
            return Reading.absent("/proc/sys", absent.cause(), absent.detail());
        return Reading.of(new Sysctls(values));
    }

    public Optional<String> get(String name) {
        return Optional.ofNullable(values.get(name));
    }

    public OptionalLong number(String name) {
        return KeyValues.number(values.getOrDefault(name, "").split("\\s")[0]);
    }
}
