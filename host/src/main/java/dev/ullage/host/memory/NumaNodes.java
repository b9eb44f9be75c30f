// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.Map;
import java.util.TreeMap;

/// `/sys/devices/system/node/node*`: RAM by NUMA node. Sources: Documentation/admin-guide/numastat.rst,
/// drivers/base/node.c.
///
/// ```
/// node0/meminfo    Node 0 MemTotal:       32768000 kB
/// node0/meminfo    Node 0 MemFree:          102400 kB
/// node0/numastat   numa_miss 123456
/// ```
/// Mistake people make: trusting the host's MemAvailable. A server bound to one node (numactl, cpuset) is short when
/// *that* node is, with half of the host's RAM free.
public record NumaNodes(Map<Integer, Node> byNumber) {
    /// @param reclaimable file pages that can be dropped, and slab that can be shrunk
    /// @param missed `numa_miss`: pages given here because the node that was asked for had none
    /// @param foreign `numa_foreign`: pages that were wanted here and had to be given elsewhere
    public record Node(int number, Bytes total, Bytes free, Bytes reclaimable, long missed, long foreign) {
        /// What new work on this node can get.
        public Bytes available() {
            return free.plus(reclaimable);
        }

        public Ratio availableShare() {
            return available().shareOf(total);
        }
    }

    private static final String FOLDER = "/sys/devices/system/node";

    public static final Fact<Host, NumaNodes> FACT =
            new Fact<>("memory of NUMA nodes", FOLDER, Cadence.ENDS, "", (root, _) -> read(root));

    private static Reading<NumaNodes> read(HostRoot root) {
        return root.names(FOLDER)
                .<NumaNodes>map(names -> {
                    Map<Integer, Node> nodes = new TreeMap<>();
                    for (String name : names) {
                        if (!name.matches("node[0-9]{1,4}")) continue;
                        int number = Integer.parseInt(name.substring(4));
                        KeyValues memory = withoutNode(
                                root.text(FOLDER + "/" + name + "/meminfo").orElse(""));
                        KeyValues counts = KeyValues.parse(
                                root.text(FOLDER + "/" + name + "/numastat").orElse(""));
                        // A node of CPUs or of devices alone has no memory.
                        if (memory.orZero("MemTotal") <= 0) continue;
                        Bytes file = Bytes.ofKiB(memory.orZero("Active(file)"))
                                .plus(Bytes.ofKiB(memory.orZero("Inactive(file)")));
                        nodes.put(
                                number,
                                new Node(
                                        number,
                                        Bytes.ofKiB(memory.orZero("MemTotal")),
                                        Bytes.ofKiB(memory.orZero("MemFree")),
                                        file.plus(Bytes.ofKiB(memory.orZero("SReclaimable"))),
                                        counts.orZero("numa_miss"),
                                        counts.orZero("numa_foreign")));
                    }
                    return new NumaNodes(nodes);
                })
                .orIfThereIsNone(new NumaNodes(Map.of()));
    }

    /// `Node 0 MemFree: 1 kB` → `MemFree: 1 kB`.
    private static KeyValues withoutNode(String text) {
        StringBuilder lines = new StringBuilder();
        text.lines().forEach(line -> lines.append(
                        line.replaceFirst("^Node +\\d+ +", "").replaceAll(": +", ": "))
                .append('\n'));
        return KeyValues.parse(lines.toString());
    }
}
