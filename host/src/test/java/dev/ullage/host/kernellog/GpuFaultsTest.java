// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import static dev.ullage.host.kernellog.KernelLogTest.log;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.ullage.host.kernellog.GpuFault.Kind;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class GpuFaultsTest {
    private static List<GpuFault> in(String... lines) {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < lines.length; i++)
            log.append("[   ")
                    .append(10 + 5 * i)
                    .append(".500000] ")
                    .append(lines[i])
                    .append('\n');
        return GpuFaults.in(log(log.toString()));
    }

    private static GpuFault one(String line) {
        List<GpuFault> faults = in(line);
        assertEquals(1, faults.size(), line);
        return faults.getFirst();
    }

    private static void is(Kind kind, String gpu, String line) {
        assertEquals(kind, one(line).kind(), line);
        assertEquals(gpu, one(line).gpu(), line);
    }

    private static void isNothing(String line) {
        assertEquals(List.of(), in(line));
    }

    @Test
    void an_xid_names_its_gpu_its_number_and_whom_the_driver_names() {
        GpuFault fault =
                one("NVRM: Xid (PCI:0000:03:00): 31, pid=18865, name=llama-server, channel 0x00000019, intr 10000000."
                        + " MMU Fault: ENGINE GRAPHICS GPC0 GPCCLIENT_T1_5 faulted @ 0x32_0134b000.");
        assertEquals("0000:03:00.0", fault.gpu());
        assertEquals(OptionalInt.of(31), fault.xid());
        assertEquals(Kind.APPLICATION, fault.kind());
        assertEquals(OptionalInt.of(18865), fault.pid());
        assertEquals("llama-server", fault.process());
        assertEquals(10.5, fault.sinceBoot().orElseThrow().seconds());
    }

    @Test
    void xids_of_every_driver_are_read() {
        is(
                Kind.LOST,
                "0000:3b:00.0",
                "NVRM: Xid (PCI:0000:3B:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.");
        is(Kind.LOST, "0000:44:00.0", "NVRM: Xid (PCI:0000:44:00): 79, GPU has fallen off the bus.");
        is(
                Kind.APPLICATION,
                "0000:03:00.0",
                "NVRM: Xid (0000:03:00): 13, 0001 00000000 000090b7 00002390 00000000 00000000");
        is(
                Kind.CONTAINED,
                "0000:41:00.0",
                "NVRM: Xid (PCI:0000:41:00 GPU-I:05): 94, pid=1234, name=python3, Contained ECC error");
        is(Kind.APPLICATION, "0000:01:00.0", "Xid (PCI:0000:01:00): 31 MMU Fault: ENGINE GRAPHICS");
        is(Kind.UNCLEAR, "0000:01:00.0", "NVRM: Xid (PCI:0000:01:00): 999, something new");
        assertEquals(
                OptionalInt.empty(),
                one("NVRM: Xid (PCI:0000:3B:00): 79, pid='<unknown>', name=<unknown>, GPU")
                        .pid());
    }

    @Test
    void the_numbers_that_are_bad_everywhere_are_bad_and_a_replaced_row_is_not() {
        for (int bad : List.of(48, 64, 79, 95, 119, 120, 140))
            assertEquals(
                    true,
                    List.of(Kind.LOST, Kind.UNCORRECTABLE, Kind.REPAIR_FAILED)
                            .contains(Xid.meaning(bad).kind()),
                    "Xid " + bad);
        for (int application : List.of(13, 31, 43, 45))
            assertEquals(Kind.APPLICATION, Xid.meaning(application).kind());
        assertEquals(Kind.WATCH, Xid.meaning(63).kind());
    }

    @Test
    void what_the_driver_asks_for_may_be_nothing() {
        is(
                Kind.RESET_NEEDED,
                "0000:01:00.0",
                "NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)");
        is(
                Kind.WATCH,
                "0000:01:00.0",
                "NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)");
    }

    @Test
    void a_gpu_that_fell_off_the_bus_is_lost_in_the_words_of_every_driver() {
        is(Kind.LOST, "0000:3b:00.0", "NVRM: GPU at PCI:0000:3b:00 has fallen off the bus");
        is(Kind.LOST, "0000:02:00.0", "NVRM: GPU at 0000:02:00.0 has fallen off the bus.");
        is(Kind.LOST, "0000:3b:00.0", "NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.");
        is(Kind.LOST, "0000:01:00.0", "NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x26:0xffff:1470)");
        is(
                Kind.LOST,
                "",
                "nvidia-uvm: uvm_global.c:368 uvm_global_set_fatal_error_impl[pid:1234] Encountered a global fatal error: GPU lost");
        List<GpuFault> split = in(
                "NVRM: The NVIDIA GPU 0000:b3:00.0",
                "NVRM: (PCI ID: 10de:26b5) installed in this system has",
                "NVRM: fallen off the bus and is not responding to commands.");
        assertEquals("0000:b3:00.0", split.getFirst().gpu());
    }

    @Test
    void several_lines_about_one_fault_count_once_and_a_later_one_again() {
        assertEquals(1, GpuFaults.in(log("""
                                [   10.100000] NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.
                                [   10.100100] NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.
                                [   10.100200] NVRM: GPU at PCI:0000:3b:00 has fallen off the bus
                                """)).size());
        assertEquals(2, GpuFaults.in(log("""
                                [   10.100000] NVRM: Xid (PCI:0000:3b:00): 31, pid=1, name=a, x
                                [   10.100100] NVRM: Xid (PCI:0000:3b:00): 31, pid=2, name=b, x
                                """)).size());
        assertEquals(
                2,
                in("NVRM: GPU 0000:3b:00.0: RmInitAdapter failed!", "NVRM: GPU 0000:3b:00.0: RmInitAdapter failed!")
                        .size());
    }

    @Test
    void amdgpu_tells_hangs_resets_faults_and_memory_errors() {
        String card = "0000:03:00.0";
        is(Kind.HUNG, card, "amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, signaled seq=12, emitted seq=14");
        is(Kind.HUNG, card, "amdgpu 0000:03:00.0: ring comp_1.1.0 timeout, signaled seq=12, emitted seq=14");
        is(
                Kind.HUNG,
                "",
                "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring sdma0 timeout, signaled seq=5, emitted seq=6");
        is(Kind.RESET, card, "amdgpu 0000:03:00.0: amdgpu: GPU reset(1) succeeded!");
        is(Kind.LOST, card, "amdgpu 0000:03:00.0: amdgpu: GPU Recovery Failed: -110");
        is(Kind.LOST, card, "amdgpu 0000:03:00.0: amdgpu: GPU reset end with ret = -110");
        is(
                Kind.UNCORRECTABLE,
                card,
                "amdgpu 0000:03:00.0: amdgpu: 1 uncorrectable hardware errors detected in umc block");
        is(Kind.NO_MEMORY, "", "[drm:amdgpu_cs_ioctl [amdgpu]] *ERROR* Not enough memory for command submission!");
        GpuFault fault =
                one("amdgpu 0000:03:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:8 pasid:32769,"
                        + " for process python pid 812 thread python pid 812)");
        assertEquals(Kind.APPLICATION, fault.kind());
        assertEquals(OptionalInt.of(812), fault.pid());
        assertEquals("python", fault.process());
    }

    @Test
    void what_amdgpu_got_over_and_what_it_did_not_find_is_nothing() {
        isNothing("amdgpu 0000:03:00.0: amdgpu: ring gfx_0.0.0 timeout, but soft recovered");
        isNothing("amdgpu 0000:03:00.0: amdgpu: no uncorrectable hardware errors detected in umc block");
        isNothing("amdgpu 0000:03:00.0: amdgpu: 3 correctable hardware errors detected in umc block");
        isNothing("amdgpu 0000:03:00.0: amdgpu: 7 uncorrectable hardware errors detected in total in umc block");
        isNothing("[drm] amdgpu: 8192M of VRAM memory ready");
        isNothing("NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  570.158.01  Release Build");
    }

    @Test
    void intels_drivers_tell_hangs_and_cards_given_up() {
        GpuFault hang = one("i915 0000:03:00.0: [drm] GPU HANG: ecode 12:1:85dffffb, in python3 [1234]");
        assertEquals(Kind.HUNG, hang.kind());
        assertEquals("python3", hang.process());
        assertEquals(OptionalInt.of(1234), hang.pid());
        is(
                Kind.HUNG,
                "0000:03:00.0",
                "xe 0000:03:00.0: [drm] Tile0: GT0: Timedout job: seqno=98, lrc_seqno=98, guc_id=28 in python3 [1234]");
        is(
                Kind.LOST,
                "0000:03:00.0",
                "xe 0000:03:00.0: [drm] *ERROR* CRITICAL: Xe has declared device 0000:03:00.0 as wedged.");
    }

    @Test
    void hostile_lines_are_read_in_linear_time() {
        String[] lines = {
            "Xid (PCI:" + "0".repeat(2_000),
            "NVRM: Xid (PCI:0000:3b:00): 79999999",
            "Xid (",
            "amdgpu ring " + "x ".repeat(900) + " timeout, ",
            "NVRM fallen off the bus " + "0000:".repeat(400),
            "i915 GPU HANG: in " + "a".repeat(900) + " [99999999999999]",
            "NVRM: Xid (PCI:0000:3b:00): 31, pid=99999999999999999999, name=" + "y".repeat(1_500)
        };
        assertTimeout(Duration.ofSeconds(2), () -> {
            for (int i = 0; i < 200; i++) in(lines);
        });
    }
}
