// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.server.Workload;
import java.util.OptionalInt;
import java.util.Set;

/// Whom a finding is about. Two findings can only be cause and symptom when they are about the same servers.
///
/// @param pid main process, if it is about one
/// @param affects main pids of the workloads that suffer; empty = the whole host
/// @param command, cgroup, device, path empty when it is about none
public record Subject(
        OptionalInt pid, String command, String cgroup, String device, String path, Set<Integer> affects) {
    public static final Subject THE_HOST = new Subject(OptionalInt.empty(), "", "", "", "", Set.of());

    public static Subject of(Workload workload) {
        int pid = workload.main().pid();
        return new Subject(OptionalInt.of(pid), workload.name(), "", "", "", Set.of(pid));
    }

    public Subject in(CgroupId cgroup) {
        return new Subject(pid, command, cgroup.path(), device, path, affects);
    }

    public Subject onDevice(String name) {
        return new Subject(pid, command, cgroup, name, path, affects);
    }

    public Subject at(String filePath) {
        return new Subject(pid, command, cgroup, device, filePath, affects);
    }

    public Subject affecting(Set<Integer> pids) {
        return new Subject(pid, command, cgroup, device, path, Set.copyOf(pids));
    }

    /// Whether both are about a common workload, or one is about the whole host.
    public boolean overlaps(Subject other) {
        return affects.isEmpty() || other.affects.isEmpty() || affects.stream().anyMatch(other.affects::contains);
    }
}
