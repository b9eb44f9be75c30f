// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.measure.Bytes;
import org.junit.jupiter.api.Test;

class PinnedAndAddressSpaceTest {
    @Test
    void what_is_pinned_for_a_device_is_not_what_is_locked() {
        // An RDMA client on Linux 6.8 with NCCL's buffers registered
        ProcessMemory memory = ProcessMemory.parse("""
                Name:\tpython3
                State:\tS (sleeping)
                VmPeak:\t 99000000 kB
                VmSize:\t 98000000 kB
                VmLck:\t      64 kB
                VmPin:\t  524288 kB
                VmHWM:\t 9000000 kB
                VmRSS:\t 8000000 kB
                """).orThrow();
        assertEquals(Bytes.ofMiB(512), memory.pinned());
        assertEquals(Bytes.ofKiB(64), memory.locked());
        assertEquals(Bytes.ofKiB(98000000), memory.addressSpace(), "now, and not the peak");
    }

    @Test
    void a_kernel_that_does_not_count_pinned_pages_tells_none() {
        // Linux 2.6.32: no VmPin
        ProcessMemory memory = ProcessMemory.parse(
                        "VmPeak:\t 200 kB\nVmSize:\t  100 kB\nVmLck:\t 0 kB\nVmRSS:\t 50 kB\n")
                .orThrow();
        assertEquals(Bytes.NONE, memory.pinned());
        assertEquals(Bytes.ofKiB(100), memory.addressSpace());
    }
}
