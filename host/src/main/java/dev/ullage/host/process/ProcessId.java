// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

/// A process, told apart from a later one that got the same number.
///
/// @param pid its number as this host sees it
/// @param startTicks when it started, in ticks since boot (`/proc/<pid>/stat` field 22)
public record ProcessId(int pid, long startTicks) implements Comparable<ProcessId> {
    /// A file of this process: `/proc/812/status`.
    public String file(String name) {
        return "/proc/" + pid + "/" + name;
    }

    @Override
    public int compareTo(ProcessId other) {
        return pid != other.pid ? Integer.compare(pid, other.pid) : Long.compare(startTicks, other.startTicks);
    }

    @Override
    public String toString() {
        return "pid " + pid;
    }
}
