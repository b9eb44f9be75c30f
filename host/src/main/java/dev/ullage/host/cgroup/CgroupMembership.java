// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.Reading;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// `/proc/<pid>/cgroup`: where a process is in each hierarchy.
///
/// ```
/// 4:memory:/docker/3f1c
/// 2:cpu,cpuacct:/docker/3f1c
/// 0::/system.slice/ollama.service
/// ```
/// The line that begins with `0::` is v2's. A path may hold colons (`/system.slice/a:b`): only the first two count.
public record CgroupMembership(Map<String, String> byController) {
    private static final String UNIFIED = "";

    public static final Fact<ProcessId, CgroupMembership> FACT = new Fact<>(
            "cgroup of a process", "/proc/<pid>/cgroup", Cadence.ENDS, "", (root, id) -> root.text(id.file("cgroup"))
                    .flatMap(CgroupMembership::parse));

    public static Reading<CgroupMembership> parse(String text) {
        Map<String, String> paths = new HashMap<>();
        for (String line : text.lines().toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length < 3) continue;
            // A cgroup that was deleted while the process is still in it.
            String path = parts[2].endsWith(" (deleted)") ? parts[2].substring(0, parts[2].length() - 10) : parts[2];
            for (String controller : CgroupMounts.controllersOf(parts[1])) paths.put(controller, path);
        }
        return paths.isEmpty()
                ? Reading.malformed("/proc/<pid>/cgroup", text, "\"<number>:<controllers>:<path>\"")
                : Reading.of(new CgroupMembership(paths));
    }

    public Optional<String> v1Path(String controller) {
        return Optional.ofNullable(byController.get(controller));
    }

    public Optional<String> v2Path() {
        return Optional.ofNullable(byController.get(UNIFIED));
    }
}
