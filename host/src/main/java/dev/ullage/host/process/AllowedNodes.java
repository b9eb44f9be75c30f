// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
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
/// task, which shows in `/proc/<pid>/numa_maps` only (`bind:0`), which is asked for by [Call#NUMA_POLICY].
///
/// @param memory numbers of the nodes
/// @param bound the nodes a policy of the task itself binds it to; empty when none was seen
public record AllowedNodes(Set<Integer> memory, Set<Integer> bound) {
    /// Longer lists than this no kernel prints: it has 1,024 nodes at most.
    private static final int LONGEST_LIST = 8192;

    private static final int MOST_NODES = 1024;

    public static final Fact<ProcessId, AllowedNodes> FACT = new Fact<>(
            "NUMA nodes a process may use",
            "/proc/<pid>/status Mems_allowed_list",
            Cadence.ONCE,
            "",
            (root, id) -> root.text(id.file("status"))
                    .flatMap(status -> of(
                            status,
                            root.ask(Call.NUMA_POLICY, String.valueOf(id.pid())).orElse(""))));

    /// @param policy `default`, `bind:1`, `bind=static:0-1`, `interleave:0-3`; empty when not known
    static Reading<AllowedNodes> of(String status, String policy) {
        int colon = policy.indexOf(':');
        Set<Integer> bound = policy.startsWith("bind") && colon > 0
                ? list(policy.substring(colon + 1).strip())
                : Set.of();
        for (String line : status.lines().toList())
            if (line.startsWith("Mems_allowed_list:"))
                return Reading.of(new AllowedNodes(
                        list(line.substring(line.indexOf(':') + 1).strip()), bound));
        return Reading.absent(
                "/proc/<pid>/status Mems_allowed_list", AbsentCause.NOT_ON_THIS_KERNEL, "this kernel has no NUMA");
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
