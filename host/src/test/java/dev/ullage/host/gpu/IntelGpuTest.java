// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Absence;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Trees as xe and i915 make them, written after their sources.
class IntelGpuTest {
    private static final String CARD = "sys/class/drm/card0/";
    private static final String XE = "DRIVER=xe\nPCI_CLASS=30000\nPCI_ID=8086:E20B\nPCI_SLOT_NAME=0000:03:00.0\n";
    private static final String MANAGER = """
              use_type: 1
              use_tt: 0
              size: 12809404416
              usage: 8589934592
            default_page_size: 4KiB
            """;

    private static List<Gpu> gpus(HostRoot host) {
        return Gpus.FACT.read(host, Host.THE_HOST).orThrow().gpus();
    }

    @Test
    void xe_tells_the_size_to_all_and_the_use_to_root() {
        Gpu gpu = gpus(Recorded.host(
                        CARD + "device/uevent",
                        XE,
                        CARD + "device/tile0/physical_vram_size_bytes",
                        "12884901888\n",
                        "sys/kernel/debug/dri/0000:03:00.0/vram0_mm",
                        MANAGER))
                .getFirst();
        assertEquals("GPU 0 (Intel 8086:e20b)", gpu.shown());
        assertEquals(
                new Vram(Bytes.ofGiB(12), Bytes.ofGiB(8), Bytes.ofGiB(4), Bytes.NONE),
                gpu.memory().orThrow());
    }

    @Test
    void the_folder_of_an_older_kernel_bears_the_cards_number_and_two_tiles_add_up() {
        Gpu gpu = gpus(Recorded.host(
                        CARD + "device/uevent",
                        XE,
                        CARD + "device/tile0/physical_vram_size_bytes",
                        "12884901888\n",
                        CARD + "device/tile1/physical_vram_size_bytes",
                        "12884901888\n",
                        "sys/kernel/debug/dri/0/vram0_mm",
                        MANAGER,
                        "sys/kernel/debug/dri/0/vram1_mm",
                        MANAGER))
                .getFirst();
        assertEquals(Bytes.ofGiB(16), gpu.memory().orThrow().used());
    }

    @Test
    void who_may_not_read_the_use_is_told_so_and_is_not_told_zero() {
        Reading<Vram> memory = gpus(Recorded.host(
                        CARD + "device/uevent",
                        XE,
                        CARD + "device/tile0/physical_vram_size_bytes",
                        "12884901888\n",
                        "recorded/absent",
                        "/sys/kernel/debug\tno-permission\topening it said EACCES\n"))
                .getFirst()
                .memory();
        assertEquals(AbsentCause.NO_PERMISSION, Absence.causeOf(memory));
        assertTrue(memory instanceof Reading.Absent<Vram> a && a.detail().contains("12.0 GiB"), memory::toString);
    }

    @Test
    void i915_of_intels_own_releases_tells_what_is_free() {
        Gpu gpu = gpus(Recorded.host(
                        CARD + "device/uevent", "DRIVER=i915\nPCI_ID=8086:56C0\nPCI_SLOT_NAME=0000:4d:00.0\n",
                        CARD + "lmem_total_bytes", "14248050688\n",
                        CARD + "lmem_avail_bytes", "4248050688\n"))
                .getFirst();
        assertEquals(new Bytes(10_000_000_000L), gpu.memory().orThrow().used());
    }

    @Test
    void graphics_in_the_processor_are_no_gpu_that_a_model_could_be_in() {
        HostRoot host =
                Recorded.host(CARD + "device/uevent", "DRIVER=i915\nPCI_ID=8086:A780\nPCI_SLOT_NAME=0000:00:02.0\n");
        assertEquals(List.of(), gpus(host));
        assertEquals(
                "no GPU", GpuPresence.FACT.read(host, Host.THE_HOST).orThrow().shown());
    }
}
