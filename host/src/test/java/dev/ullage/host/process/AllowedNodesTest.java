// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AllowedNodesTest {
    private static final String STATUS = """
            Name:\tllama-server
            Cpus_allowed:\tffff
            Cpus_allowed_list:\t0-15
            Mems_allowed:\t00000000,00000003
            Mems_allowed_list:\t0-1
            """;

    private static AllowedNodes of(String status, String policy) {
        return AllowedNodes.of(status, policy).orThrow();
    }

    @Test
    void a_cpuset_says_which_nodes_may_give_memory() {
        assertEquals(Set.of(0, 1), of(STATUS, "").nodes());
        assertEquals(Set.of(1), of("Mems_allowed_list:\t1\n", "").nodes());
        assertEquals(
                Set.of(0, 1, 2, 5, 7), of("Mems_allowed_list:\t0-2,5,7\n", "").nodes());
    }

    @Test
    void what_numactl_membind_asked_for_wins() {
        AllowedNodes bound = of(STATUS, "bind:1");
        assertEquals(Set.of(0, 1), bound.memory());
        assertEquals(Set.of(1), bound.nodes());
        // MPOL_F_STATIC_NODES, MPOL_F_NUMA_BALANCING (5.12)
        assertEquals(Set.of(0, 3), of(STATUS, "bind=static:0,3").nodes());
        assertEquals(Set.of(2), of(STATUS, "bind=static|balancing:2").nodes());
    }

    @Test
    void other_policies_bind_to_nothing() {
        // "prefer (many):0-1" has a blank: its first word is what is asked for.
        for (String policy : new String[] {"default", "prefer:1", "prefer", "interleave:0-1", "weighted", "local"}) {
            AllowedNodes nodes = of(STATUS, policy);
            assertEquals(Set.of(), nodes.bound(), policy);
            assertEquals(Set.of(0, 1), nodes.nodes(), policy);
        }
    }

    @Test
    void a_kernel_without_numa_says_so() {
        assertEquals(AbsentCause.NOT_ON_THIS_KERNEL, causeOf(AllowedNodes.of("Name:\tx\nVmRSS:\t1 kB\n", "")));
    }

    @Test
    void the_fact_does_without_a_policy() {
        AllowedNodes nodes = AllowedNodes.FACT
                .read(Recorded.host("proc/812/status", STATUS), new ProcessId(812, 1))
                .orThrow();
        assertEquals(Set.of(0, 1), nodes.nodes());
    }

    @Test
    void an_endless_list_of_nodes_takes_no_time() {
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            assertEquals(Set.of(), AllowedNodes.list("0-1023,".repeat(2_000_000)));
            assertEquals(1024, AllowedNodes.list("0-1023,".repeat(1000)).size());
            assertEquals(Set.of(3), AllowedNodes.list("0-999999999999,5-2,-1,x,,3,9-y-1"));
            for (String text : HostileText.ALL)
                assertTrue(of("Mems_allowed_list:" + text, text).memory().size() <= 1024);
        });
    }
}
