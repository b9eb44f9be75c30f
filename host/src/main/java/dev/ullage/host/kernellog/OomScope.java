// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

/// Whose memory had run out. The cure differs: a limit can be raised, a host cannot.
public sealed interface OomScope {
    /// The host's own (`global_oom`, `CONSTRAINT_NONE`), or that of the NUMA nodes the task may use.
    record OfTheHost(Nodes nodes) implements OomScope {}

    /// What one cgroup may use (`oom_memcg`). Inside a VM (Docker Desktop, WSL2) a limit of the VM is *not* this.
    ///
    /// @param path below the mount point of the hierarchy, as the host's root sees it: `/kubepods/pod1/c1`
    record OfCgroup(String path) implements OomScope {}

    /// Some cgroup's; the log does not say which. The kernel leaves the report away, and writes only the line
    /// "Memory cgroup out of memory: Killed process …", after ten reports within five seconds.
    record OfUnnamedCgroup() implements OomScope {}

    /// Too little is left of the report.
    record NotSaid() implements OomScope {}

    /// Which of the host's memory a task may use.
    enum Nodes {
        ALL,
        /// Those its cpuset allows (`CONSTRAINT_CPUSET`).
        CPUSET,
        /// Those it, or numactl, asked for (`CONSTRAINT_MEMORY_POLICY`).
        MEMORY_POLICY
    }
}
