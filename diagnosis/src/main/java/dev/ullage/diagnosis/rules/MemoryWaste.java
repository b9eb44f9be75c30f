// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import java.util.Set;

/// What follows when memory is taken by something other than the servers.
final class MemoryWaste {
    /// Rules whose troubles go away when the wasted memory is given back.
    static final Set<String> SYMPTOMS = Set.of(
            "host-memory-exhausted",
            "cgroup-memory-exhausted",
            "cgroup-limit-too-low",
            "killed-by-host-oom",
            "killed-by-cgroup-oom",
            "swap-thrash",
            "page-cache-thrash",
            "duplicate-copies",
            "cold-start",
            "slow-disk",
            "disk-contention");

    private MemoryWaste() {}
}
