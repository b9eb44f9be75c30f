// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Seconds;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllocationFailureTest {
    private static List<AllocationFailure> in(String log) {
        return AllocationFailure.in(KernelLog.parse(log).orThrow());
    }

    @Test
    void a_refusal_tells_who_asked_when_and_for_how_many_pages_together() {
        // Linux 6.8 by dmesg
        assertEquals(List.of(new AllocationFailure(Optional.of(new Seconds(26002.108918)), "vllm", 5)), in("""
                [26002.108918] vllm: page allocation failure: order:5, mode:0x40cc0(GFP_KERNEL|__GFP_COMP), nodemask=(null),cpuset=/,mems_allowed=0-1
                [26002.108925] CPU: 3 PID: 812 Comm: vllm Tainted: P           OE      6.8.0-45-generic #45-Ubuntu
                [26002.108931] Call Trace:
                [26002.108939]  warn_alloc+0x120/0x1a0
                [26002.109000] Mem-Info:
                """));
    }

    @Test
    void older_kernels_write_a_full_stop() {
        // RHEL 6, Linux 2.6.32; RHEL 7, Linux 3.10; both by syslog
        List<AllocationFailure> failures = in("""
                May 16 17:44:49 gpu1 kernel: swapper: page allocation failure. order:1, mode:0x20
                May 16 17:44:50 gpu1 kernel: kworker/u256:3: page allocation failure: order:4, mode:0x10c0d0
                """);
        assertEquals(
                List.of(1, 4), failures.stream().map(AllocationFailure::order).toList());
        assertEquals("kworker/u256:3", failures.getLast().task(), "a colon is part of a name");
        assertEquals(Optional.empty(), failures.getFirst().sinceBoot());
    }

    @Test
    void a_record_of_the_ring_buffer_is_read_and_one_fact_holds_everything_the_log_says() {
        KernelEvents events = KernelEvents.FACT
                .read(
                        Recorded.host(
                                "recorded/kmsg",
                                "4,339,5140900,-,caller=T812;python3: page allocation failure: order:9, mode:0x0(), nodemask=(null)\n"
                                        + " SUBSYSTEM=x\n6,340,5140901,-;usb 1-1: new device\n"),
                        Host.THE_HOST)
                .orThrow();
        assertEquals(List.of(new AllocationFailure(Optional.of(new Seconds(5.1409)), "python3", 9)), events.refusals());
        assertEquals(List.of(), events.kills());
        assertEquals(List.of(), events.storage());
        assertEquals(KernelEvents.NONE.kills(), events.kills());
    }

    @Test
    void lines_that_only_look_like_it_are_none() {
        assertEquals(List.of(), in("""
                [1.0] vllm: vmalloc error: size 8388608, page order 9, failed to allocate pages, mode:0xcc2
                [2.0] vllm: page allocation stalls for 10000ms, order:0, mode:0x24201ca
                [3.0] page allocation failure
                [4.0] x: page allocation failure: order:x, mode:0
                [5.0] x: page allocation failure: order:123, mode:0
                """));
    }

    @Test
    void a_log_that_may_not_be_read_is_absent_and_hostile_text_harmless() {
        assertEquals(
                AbsentCause.NO_PERMISSION,
                causeOf(KernelEvents.FACT.read(
                        Recorded.host("recorded/absent", "/recorded/kmsg\tno-permission\topening it said EPERM\n"),
                        Host.THE_HOST)));
        for (String text : HostileText.ALL) {
            String log = text + ": page allocation failure: order:" + text + ", " + text + "\n";
            for (AllocationFailure failure : in("[1.0] a: b\n" + log)) assertTrue(failure.order() >= 0, text);
        }
    }
}
