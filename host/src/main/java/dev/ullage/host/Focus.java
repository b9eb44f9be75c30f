// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.measure.Seconds;
import java.util.Optional;

/// What the question is about, when it is about less than the whole host.
///
/// @param pid one process and its children
/// @param cgroup the processes of one cgroup, by a path below its mount point
/// @param path one model or folder, used by a process or not
/// @param since how far back an OOM kill is still news
public record Focus(Optional<Integer> pid, Optional<String> cgroup, Optional<String> path, Seconds since) {
    private static final Seconds RECENT = Seconds.ofMinutes(15);

    public static final Focus EVERYTHING = new Focus(Optional.empty(), Optional.empty(), Optional.empty(), RECENT);

    public boolean isEverything() {
        return pid.isEmpty() && cgroup.isEmpty() && path.isEmpty();
    }
}
