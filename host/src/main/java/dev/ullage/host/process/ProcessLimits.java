// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/// `/proc/<pid>/limits`: the soft limits in force. Absent from the map when unlimited.
///
/// ```
/// Limit                     Soft Limit           Hard Limit           Units
/// Max address space         unlimited            unlimited            bytes
/// Max open files            1024                 1048576              files
/// ```
public record ProcessLimits(Map<String, Long> soft) {
    /// The columns are fixed: `"%-25s %-20s %-20s %-10s"` in fs/proc/base.c.
    private static final int NAME_WIDTH = 26;

    public static final Fact<ProcessId, ProcessLimits> FACT =
            new Fact<>("resource limits", "/proc/<pid>/limits", Cadence.ONCE, "run as root", (root, id) -> root.text(
                            id.file("limits"))
                    .flatMap(ProcessLimits::parse));

    public static Reading<ProcessLimits> parse(String text) {
        if (!text.startsWith("Limit")) return Reading.malformed("/proc/<pid>/limits", text, "\"Limit  Soft Limit …\"");
        Map<String, Long> soft = new HashMap<>();
        text.lines().skip(1).filter(line -> line.length() > NAME_WIDTH).forEach(line -> {
            String name = line.substring(0, NAME_WIDTH).strip();
            KeyValues.number(line.substring(NAME_WIDTH).strip().split("\\s+")[0])
                    .ifPresent(n -> soft.put(name, n));
        });
        return Reading.of(new ProcessLimits(soft));
    }

    public OptionalLong openFiles() {
        return get("Max open files");
    }

    public OptionalLong addressSpace() {
        return get("Max address space");
    }

    public OptionalLong lockedMemory() {
        return get("Max locked memory");
    }

    private OptionalLong get(String name) {
        Long value = soft.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }
}
