// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class VramPoolTest {
    private static Evidence host(String nvml) {
        return CalmHost.named("vllm").with("recorded/nvml", nvml).evidence();
    }

    private static Workload server(Evidence evidence) {
        return evidence.servers().getFirst();
    }

    @Test
    void a_whole_gpu_is_one_pool_less_what_its_driver_keeps() {
        Evidence evidence = CalmHost.named("vllm").evidence();
        VramPool pool = VramPool.in(evidence).getFirst();
        assertEquals("GPU 0 (NVIDIA L4)", pool.shown());
        assertEquals(new Bytes(24152899584L - 483000000), pool.usable());
        assertEquals(new Bytes(21950000000L), pool.heldBy(server(evidence)));
        assertEquals(Bytes.NONE, pool.heldByOthers(server(evidence)));
        assertTrue(pool.isAccountable());
    }

    @Test
    void each_mig_instance_is_a_pool_of_its_own_and_a_process_in_one_takes_nothing_of_another() {
        Evidence evidence = host("""
                gpu 0 NVIDIA A100-SXM4-40GB
                memory total=42949672960 used=15000000000 free=27949672960
                process pid=812 kind=compute memory=9000000000 instance=0
                process pid=4444 kind=compute memory=6000000000 instance=1
                processes
                instance 1 MIG-aaaa total=20937965568 used=9000000000 free=11937965568
                instance 2 MIG-bbbb total=20937965568 used=6000000000 free=14937965568
                """);
        List<VramPool> pools = VramPool.in(evidence);
        assertEquals(2, pools.size());
        assertEquals(
                "GPU 0 (NVIDIA A100-SXM4-40GB), instance 1", pools.getFirst().shown());
        assertEquals(new Bytes(9_000_000_000L), pools.getFirst().heldBy(server(evidence)));
        assertEquals(Bytes.NONE, pools.getFirst().heldByOthers(server(evidence)));
        assertFalse(pools.getLast().isOn(server(evidence)));
        assertEquals(new Bytes(6_000_000_000L), pools.getLast().heldByOthers(server(evidence)));
    }

    @Test
    void memory_that_is_the_hosts_is_no_pool_and_one_whose_size_is_not_told_is_none_either() {
        assertEquals(List.of(), VramPool.in(host("gpu 0 NVIDIA GB10\nunified\nmemory total=10 used=1 free=9\n")));
        assertEquals(List.of(), VramPool.in(host("gpu 0 NVIDIA L4\nabsent memory timed-out it hung\n")));
        assertEquals(List.of(), VramPool.in(host("gpu 0 NVIDIA L4\nmemory total=0 used=0 free=0\n")));
    }

    @Test
    void a_driver_that_does_not_say_how_much_a_process_has_accounts_for_nothing() {
        Evidence evidence = host("""
                gpu 0 NVIDIA L4
                memory total=24152899584 used=22220667616 free=1449231968
                process pid=812 kind=compute
                processes
                """);
        VramPool pool = VramPool.in(evidence).getFirst();
        assertFalse(pool.isAccountable());
        assertFalse(pool.unaccounted().isPresent());
        assertEquals(Bytes.NONE, pool.heldBy(server(evidence)));
        assertTrue(pool.isOn(server(evidence)));
    }
}
