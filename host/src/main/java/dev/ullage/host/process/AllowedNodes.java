// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.Set;
import java.util.TreeSet;

/// `/proc/<pid>/status`: the NUMA nodes whose memory a process may use, and the CPUs it may run on.
///
/// ```
/// Cpus_allowed_list:	0-15
/// Mems_allowed_list:	0
/// ```
/// Set by a cpuset cgroup. Mistake people make: taking it for all there is. `numactl --membind` sets a policy of the
/// task, which shows in `/proc/<pid>/numa_maps` only (`bind:0`).
///
/// @param memory numbers of the nodes
/// @param bound the nodes a policy of the task itself binds it to; empty when none was seen
public record AllowedNodes(Set<Integer> memory, Set<Integer> bound) {
    /// Longer lists than this no kernel prints: it has 1,024 nodes at most.
    private static final int LONGEST_LIST = 8192;

    private static final int MOST_NODES = 1024;

    /// The policy stands on every line; the first one tells.
    private static final String BIND = " bind";

    public static final Fact<ProcessId, AllowedNodes> FACT = new Fact<>(
            "NUMA nodes a process may use",
            "/proc/<pid>/status Mems_allowed_list",
            Cadence.ONCE,
            "",
            (root, id) -> root.text(id.file("status"))
                    .flatMap(
                            status -> of(status, root.text(id.file("numa_maps")).orElse(""))));

    /// @param numaMaps lines such as `7f0000000000 bind:1 anon=12 dirty=12 N1=12`
    static Reading<AllowedNodes> of(String status, String numaMaps) {
        for (String line : status.lines().toList())
            if (line.startsWith("Mems_allowed_list:"))
                return Reading.of(new AllowedNodes(
                        list(line.substring(line.indexOf(':') + 1).strip()), policy(numaMaps)));
        return Reading.absent(
                "/proc/<pid>/status Mems_allowed_list", AbsentCause.NOT_ON_THIS_KERNEL, "this kernel has no NUMA");
    }

    private static Set<Integer> policy(String numaMaps) {
        String first = numaMaps.lines().findFirst().orElse("");
        int at = first.indexOf(BIND);
        if (at < 0) return Set.of();
        // "bind:1", and "bind=static:1" with flags.
        String policy = first.substring(at + 1).split(" ")[0];
        int colon = policy.indexOf(':');
        return colon < 0 ? Set.of() : list(policy.substring(colon + 1));
    }

    /// `0-2,5` → 0, 1, 2, 5.
    static Set<Integer> list(String text) {
        Set<Integer> numbers = new TreeSet<>();
        if (text.length() > LONGEST_LIST) return numbers;
        for (String part : text.split(",")) {
            String[] ends = part.strip().split("-");
            long from = KeyValues.number(ends[0]).orElse(-1);
            long to = ends.length > 1 ? KeyValues.number(ends[1]).orElse(-1) : from;
            if (from < 0 || to < from || to >= MOST_NODES) continue;
            for (long n = from; n <= to; n++) numbers.add((int) n);
        }
        return numbers;
    }

    /// The nodes that its next page may come from.
    public Set<Integer> nodes() {
        return bound.isEmpty() ? memory : bound;
    }
}
