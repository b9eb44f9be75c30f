// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.host.memory.NumaNodes.Node;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NumaNodesTest {
    private static final String NODE = "sys/devices/system/node/node";

    /// Linux 6.18.
    private static final String FIRST = """
            Node 0 MemTotal:       24684084 kB
            Node 0 MemFree:        18463884 kB
            Node 0 MemUsed:         6220200 kB
            Node 0 SwapCached:            0 kB
            Node 0 Active:          1867048 kB
            Node 0 Inactive:        3060468 kB
            Node 0 Active(anon):        904 kB
            Node 0 Inactive(anon):   701700 kB
            Node 0 Active(file):    1866144 kB
            Node 0 Inactive(file):  2358768 kB
            Node 0 FilePages:       4233784 kB
            Node 0 Shmem:              8872 kB
            Node 0 KReclaimable:    1119576 kB
            Node 0 Slab:            1195244 kB
            Node 0 SReclaimable:    1119576 kB
            Node 0 SUnreclaim:        75668 kB
            Node 0 HugePages_Total:     0
            """;

    private static Reading<NumaNodes> reading(String... pathsAndTexts) {
        return NumaNodes.FACT.read(Recorded.host(pathsAndTexts), Host.THE_HOST);
    }

    private static NumaNodes nodes(String... pathsAndTexts) {
        return reading(pathsAndTexts).orThrow();
    }

    @Test
    void what_a_node_can_give_is_free_and_file_pages_and_slab_but_no_shared_memory() {
        Node node = nodes(NODE + "0/meminfo", FIRST, NODE + "0/numastat", """
                numa_hit 479240731
                numa_miss 11
                numa_foreign 12
                interleave_hit 1129
                local_node 479243101
                other_node 0
                """)
                .byNumber()
                .get(0);
        assertEquals(Bytes.ofKiB(24684084), node.total());
        assertEquals(Bytes.ofKiB(18463884 + 1866144 + 2358768 + 1119576), node.available());
        assertEquals(0.965, node.availableShare().ratio(), 0.001);
        assertEquals(11, node.missed());
        assertEquals(12, node.foreign());
    }

    @Test
    void a_full_node_beside_an_empty_one_is_seen() {
        // RHEL 7, Linux 3.10, two sockets; the second one has no DMA zone.
        NumaNodes nodes = nodes(
                NODE + "0/meminfo",
                """

                Node 0 MemTotal:       33341112 kB
                Node 0 MemFree:          101204 kB
                Node 0 MemUsed:        33239908 kB
                Node 0 Active(file):      20000 kB
                Node 0 Inactive(file):    10000 kB
                Node 0 SReclaimable:      50000 kB
                """,
                NODE + "1/meminfo",
                """

                Node 1 MemTotal:       33554432 kB
                Node 1 MemFree:        30000000 kB
                Node 1 Active(file):    1000000 kB
                """,
                NODE + "1/numastat",
                "numa_hit 5\nnuma_miss 8123456\nnuma_foreign 0\n");
        assertEquals(Set.of(0, 1), nodes.byNumber().keySet());
        assertEquals(
                Bytes.ofKiB(101204 + 20000 + 10000 + 50000),
                nodes.byNumber().get(0).available());
        assertEquals(8123456, nodes.byNumber().get(1).missed(), "pages that were meant for the other node");
        assertEquals(0, nodes.byNumber().get(0).foreign());
    }

    @Test
    void nodes_are_in_the_order_of_their_numbers_and_those_without_memory_are_none() {
        NumaNodes nodes = nodes(
                NODE + "10/meminfo",
                "Node 10 MemTotal:       1000 kB\nNode 10 MemFree: 10 kB\n",
                NODE + "2/meminfo",
                "Node 2 MemTotal:       1000 kB\n",
                NODE + "3/meminfo",
                "Node 3 MemTotal:       0 kB\n",
                NODE + "4/cpulist",
                "0-15\n",
                "sys/devices/system/node/online",
                "0-10\n",
                "sys/devices/system/node/nodes/meminfo",
                "Node 7 MemTotal: 1000 kB\n",
                NODE + "/meminfo",
                "Node 8 MemTotal: 1000 kB\n");
        assertEquals("[2, 10]", nodes.byNumber().keySet().toString());
        assertEquals(Bytes.ofKiB(10), nodes.byNumber().get(10).free());
        assertEquals(0.01, nodes.byNumber().get(10).availableShare().ratio(), 1e-9);
    }

    @Test
    void a_kernel_without_numa_has_no_nodes_and_one_that_was_not_recorded_is_unknown() {
        assertTrue(nodes("recorded/absent", "/sys/devices/system/node\tnot-present\tlisting it failed\n")
                .byNumber()
                .isEmpty());
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(reading("proc/stat", "cpu 1\n")));
    }

    @Test
    void hostile_text_gives_no_negative_memory() {
        for (String text : HostileText.ALL)
            for (Node node : nodes(
                            NODE + "0/meminfo", FIRST + text, NODE + "0/numastat", text, NODE + "9999999/x", text)
                    .byNumber()
                    .values()) assertTrue(node.available().bytes() >= 0, text);
    }
}
