// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuHoldersTest {
    private static final String GPU = """
            driver 570.86.15
            gpu 0 NVIDIA H100 80GB HBM3
            pci 0000:3b:00.0
            memory total=85520809984 used=%d free=0 reserved=642777088
            processes
            """;
    private static final long GIB = 1L << 30;

    private static GpuHolders of(CalmHost host) {
        return GpuHolders.in(host.evidence()).getFirst();
    }

    private static CalmHost with(long used, String... processes) {
        return new CalmHost()
                .with("proc/driver/nvidia/gpus/0000:3b:00.0/information", "Model: NVIDIA H100\n")
                .with("recorded/nvml", GPU.formatted(used) + String.join("\n", processes) + "\n");
    }

    private static CalmHost inContainer(CalmHost host) {
        return host.with(".dockerenv", "");
    }

    @Test
    void a_server_is_known_by_its_pid_and_nothing_is_left_over() {
        CalmHost host = with(10 * GIB, "process pid=812 kind=compute memory=" + 10 * GIB);
        Evidence evidence = host.evidence();
        GpuHolders gpu = GpuHolders.in(evidence).getFirst();
        Workload server = evidence.servers().getFirst();
        assertEquals(
                List.of("llama-server (pid 812)"),
                gpu.holders().stream().map(GpuHolder::shown).toList());
        assertEquals(Bytes.ofGiB(10), gpu.heldBy(server));
        assertTrue(gpu.isOn(server));
        assertEquals(Reading.of(Bytes.NONE), gpu.unaccounted());
        assertFalse(gpu.ofAnotherNamespace());
    }

    @Test
    void the_largest_holder_comes_first_and_a_process_in_both_lists_counts_once() {
        GpuHolders gpu = of(with(
                4 * GIB,
                "process pid=900 kind=graphics memory=" + GIB,
                "process pid=812 kind=compute memory=" + 3 * GIB,
                "process pid=812 kind=graphics memory=" + 3 * GIB));
        assertEquals(
                List.of(812, 900), gpu.holders().stream().map(GpuHolder::pid).toList());
        assertEquals(Reading.of(Bytes.ofGiB(3)), gpu.holders().getFirst().memory());
    }

    @Test
    void a_process_in_two_instances_has_memory_in_each() {
        GpuHolders gpu = of(with(
                4 * GIB,
                "process pid=812 kind=compute instance=0 memory=" + GIB,
                "process pid=812 kind=compute instance=1 memory=" + GIB));
        assertEquals(Reading.of(Bytes.ofGiB(2)), gpu.holders().getFirst().memory());
    }

    @Test
    void memory_of_a_process_that_ended_is_told_as_such() {
        GpuHolder dead = of(with(4 * GIB, "process pid=7777 kind=compute memory=" + 4 * GIB))
                .holders()
                .getFirst();
        assertTrue(dead.ended());
        assertEquals("pid 7777, which has ended", dead.shown());
    }

    @Test
    void memory_with_no_process_behind_it_is_left_over_less_what_a_driver_takes() {
        assertEquals(
                Reading.of(Bytes.ofMiB(20 * 1024 - 768)), of(with(20 * GIB)).unaccounted());
        assertEquals(Reading.of(Bytes.NONE), of(with(700L << 20)).unaccounted());
    }

    @Test
    void what_is_left_over_is_not_told_when_the_driver_hides_one_process() {
        GpuHolders gpu = of(with(20 * GIB, "process pid=812 kind=compute"));
        assertFalse(gpu.unaccounted().isPresent());
        assertTrue(gpu.holdersKnown());
    }

    @Test
    void inside_a_container_numbers_of_the_host_are_nobodys() {
        GpuHolders gpu = of(inContainer(with(20 * GIB, "process pid=40123 kind=compute memory=" + GIB)));
        assertTrue(gpu.ofAnotherNamespace());
        assertEquals("pid 40123 of the host", gpu.holders().getFirst().shown());
        assertFalse(gpu.holders().getFirst().ended());
        assertTrue(gpu.unaccounted() instanceof Reading.Absent<Bytes> a && a.cause() == AbsentCause.NO_PERMISSION);
    }

    @Test
    void inside_a_container_a_newer_driver_tells_the_containers_own_number() {
        GpuHolders gpu = of(inContainer(with(10 * GIB, "process pid=812 kind=compute memory=" + 10 * GIB)));
        assertEquals("llama-server (pid 812)", gpu.holders().getFirst().shown());
        assertFalse(gpu.ofAnotherNamespace());
    }

    @Test
    void a_container_that_shares_the_hosts_pids_sees_kernel_threads_and_is_no_stranger() {
        CalmHost host = inContainer(with(4 * GIB, "process pid=7777 kind=compute memory=" + 4 * GIB))
                .with("proc/2/stat", "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 1 0 0\n");
        assertTrue(of(host).holders().getFirst().ended());
        assertFalse(of(host).ofAnotherNamespace());
    }

    @Test
    void a_gpu_that_does_not_list_processes_is_not_one_without_any() {
        GpuHolders gpu = of(new CalmHost()
                .with("proc/driver/nvidia/gpus/0000:3b:00.0/information", "Model: X\n")
                .with(
                        "recorded/nvml",
                        "gpu 0 X\nmemory total=100 used=50 free=50\nabsent processes no-permission no\n"));
        assertFalse(gpu.holdersKnown());
        assertFalse(gpu.unaccounted().isPresent());
    }
}
