// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Absence;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.Recorded;
import dev.ullage.host.gpu.GpuHealth.Ecc;
import dev.ullage.host.gpu.GpuHealth.Repairs;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Trees as amdgpu makes them, written after its documents and sources.
class AmdGpuTest {
    private static final String CARD = "sys/class/drm/card1/device/";
    private static final String NODE = "sys/class/kfd/kfd/topology/nodes/";

    /// An MI300X of Linux 6.8.
    private static final String[] MI300X = {
        CARD + "uevent",
        "DRIVER=amdgpu\nPCI_CLASS=120000\nPCI_ID=1002:74A1\nPCI_SUBSYS_ID=1002:74A1\nPCI_SLOT_NAME=0000:03:00.0\n",
        CARD + "product_name",
        "AMD Instinct MI300X OAM\n",
        CARD + "unique_id",
        "d4b1a6d0e5f1c2a3\n",
        CARD + "mem_info_vram_total",
        "206141652992\n",
        CARD + "mem_info_vram_used",
        "190141652992\n",
        CARD + "mem_info_gtt_total",
        "1082104184832\n",
        CARD + "gpu_busy_percent",
        "97\n",
        CARD + "mem_busy_percent",
        "41\n",
        CARD + "power/runtime_status",
        "active\n",
        CARD + "current_link_speed",
        "32.0 GT/s PCIe\n",
        CARD + "current_link_width",
        "16\n",
        CARD + "max_link_speed",
        "32.0 GT/s PCIe\n",
        CARD + "max_link_width",
        "16\n",
        CARD + "ras/umc_err_count",
        "ue: 0\nce: 12\nde: 0\n",
        CARD + "ras/gpu_vram_bad_pages",
        "0x00000001 : 0x00001000 : R\n0x00000002 : 0x00001000 : P\n",
        CARD + "hwmon/hwmon3/temp2_input",
        "54000\n",
        NODE + "0/gpu_id",
        "0\n",
        NODE + "0/properties",
        "cpu_cores_count 96\nsimd_count 0\nlocation_id 0\n",
        NODE + "1/gpu_id",
        "34832\n",
        NODE + "1/properties",
        "cpu_cores_count 0\nsimd_count 1216\nlocation_id 768\ndomain 0\n",
        "sys/class/kfd/kfd/proc/4123/vram_34832",
        "189000000000\n",
        "sys/class/kfd/kfd/proc/4123/pasid",
        "32771\n",
        "sys/class/kfd/kfd/proc/5000/vram_34832",
        "0\n"
    };

    private static Gpu gpu(String... more) {
        return gpus(more).getFirst();
    }

    private static List<Gpu> gpus(String... more) {
        return Gpus.FACT.read(host(more), Host.THE_HOST).orThrow().gpus();
    }

    private static HostRoot host(String... more) {
        List<String> all = new ArrayList<>(List.of(MI300X));
        all.addAll(List.of(more));
        return Recorded.host(all.toArray(String[]::new));
    }

    @Test
    void a_card_tells_its_memory_load_link_and_health_by_files() {
        Gpu gpu = gpu();
        assertEquals("GPU 0 (AMD Instinct MI300X OAM)", gpu.shown());
        assertEquals(Vendor.AMD, gpu.vendor());
        assertEquals("0000:03:00.0", gpu.pciAddress());
        assertEquals(new Bytes(206_141_652_992L), gpu.memory().orThrow().total());
        assertEquals(new Bytes(16_000_000_000L), gpu.memory().orThrow().free());
        assertEquals(
                new GpuLoad(Ratio.ofPercent(97), Ratio.ofPercent(41)),
                gpu.load().orThrow());
        assertEquals(5, gpu.pcie().orThrow().generation());
        assertEquals(16, gpu.pcie().orThrow().width());
        assertEquals(new Ecc(12, 0, 12, 0), gpu.health().ecc().orThrow());
        assertEquals(new Repairs(1, 0, true, false), gpu.health().repairs().orThrow());
        assertEquals(54, gpu.health().celsius().orThrow());
        assertFalse(gpu.unifiedMemory(), "the host has more RAM than the card has memory, and lends it");
    }

    @Test
    void processes_are_those_of_the_compute_driver_that_have_memory_on_this_card() {
        List<GpuProcess> processes = gpu().processes().orThrow();
        assertEquals(1, processes.size());
        assertEquals(4123, processes.getFirst().pid());
        assertEquals(
                Reading.of(new Bytes(189_000_000_000L)), processes.getFirst().memory());
    }

    @Test
    void a_partitioned_card_has_several_numbers_and_their_memory_is_the_cards() {
        Gpu gpu = gpu(
                NODE + "2/gpu_id",
                "34833\n",
                NODE + "2/properties",
                "location_id 768\ndomain 0\n",
                "sys/class/kfd/kfd/proc/4123/vram_34833",
                "1000000000\n");
        assertEquals(
                Reading.of(new Bytes(190_000_000_000L)),
                gpu.processes().orThrow().getFirst().memory());
    }

    @Test
    void without_the_compute_driver_who_holds_the_memory_is_not_known() {
        Gpu gpu = Gpus.FACT
                .read(
                        Recorded.host(
                                CARD + "uevent",
                                "DRIVER=amdgpu\nPCI_ID=1002:73BF\nPCI_SLOT_NAME=0000:0b:00.0\n",
                                CARD + "mem_info_vram_total",
                                "17163091968\n",
                                CARD + "mem_info_vram_used",
                                "1716309196\n",
                                "recorded/absent",
                                "/sys/class/kfd\tnot-present\tno such folder\n"),
                        Host.THE_HOST)
                .orThrow()
                .gpus()
                .getFirst();
        assertTrue(gpu.memory().isPresent());
        assertEquals(AbsentCause.NOT_PRESENT, Absence.causeOf(gpu.processes()));
    }

    @Test
    void an_apu_with_a_small_piece_of_ram_set_aside_shares_the_hosts() {
        assertTrue(apu("1002:1586", 536_870_912L, 66_000_000_000L));
        assertTrue(apu("1002:ffff", 536_870_912L, 66_000_000_000L), "of one we do not know, by its size");
    }

    @Test
    void an_apu_with_most_of_the_ram_set_aside_is_judged_like_a_card() {
        assertFalse(apu("1002:1586", 103_079_215_104L, 16_000_000_000L));
    }

    private static boolean apu(String id, long vram, long gtt) {
        return Gpus.FACT
                .read(
                        Recorded.host(
                                CARD + "uevent", "DRIVER=amdgpu\nPCI_ID=" + id + "\nPCI_SLOT_NAME=0000:c5:00.0\n",
                                CARD + "mem_info_vram_total", vram + "\n",
                                CARD + "mem_info_vram_used", "1000\n",
                                CARD + "mem_info_gtt_total", gtt + "\n"),
                        Host.THE_HOST)
                .orThrow()
                .gpus()
                .getFirst()
                .unifiedMemory();
    }

    @Test
    void a_card_that_sleeps_is_not_woken_by_asking_for_its_load() {
        Gpu gpu = gpu(CARD + "power/runtime_status", "suspended\n");
        assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(gpu.load()));
        assertTrue(gpu.memory().isPresent());
    }

    @Test
    void a_card_whose_driver_tells_no_memory_is_there_and_was_not_seen() {
        HostRoot host = Recorded.host(CARD + "uevent", "DRIVER=amdgpu\nPCI_ID=1002:74A1\nPCI_SLOT_NAME=0000:03:00.0\n");
        assertFalse(Gpus.FACT
                .read(host, Host.THE_HOST)
                .orThrow()
                .gpus()
                .getFirst()
                .memory()
                .isPresent());
        assertEquals(
                "1 AMD GPU",
                GpuPresence.FACT.read(host, Host.THE_HOST).orThrow().shown());
    }

    @Test
    void numbers_that_make_no_sense_cost_their_own_fact() {
        Gpu gpu = gpu(CARD + "mem_info_vram_used", "-5\n", CARD + "ras/umc_err_count", "off\n");
        assertEquals(AbsentCause.MALFORMED, Absence.causeOf(gpu.memory()));
        assertEquals(AbsentCause.MALFORMED, Absence.causeOf(gpu.health().ecc()));
        assertTrue(gpu.load().isPresent());
    }

    @Test
    void nvidias_come_first_and_the_others_go_on_counting() {
        List<Gpu> gpus = gpus("recorded/nvml", "gpu 0 NVIDIA H100\ngpu 1 NVIDIA GB10\n");
        assertEquals(
                List.of("GPU 0 (NVIDIA H100)", "GPU 1 (NVIDIA GB10)", "GPU 2 (AMD Instinct MI300X OAM)"),
                gpus.stream().map(Gpu::shown).toList());
        assertEquals(
                List.of(false, true, false),
                gpus.stream().map(Gpu::unifiedMemory).toList());
    }

    @Test
    void over_the_window_memory_and_its_holders_are_read_in_the_same_places() {
        HostRoot host = host(
                "recorded/nvml",
                "gpu 0 NVIDIA H100\n",
                "recorded/nvml-memory",
                "gpu 0 NVIDIA H100\nmemory total=9 used=3 free=6\n");
        List<Gpu> course = Gpus.COURSE.read(host, Host.THE_HOST).orThrow().gpus();
        List<Gpu> all = Gpus.FACT.read(host, Host.THE_HOST).orThrow().gpus();
        assertEquals(all.get(1).memory(), course.get(1).memory());
        assertEquals(all.get(1).processes(), course.get(1).processes());
        assertEquals(1, course.get(1).index());
        assertFalse(course.get(1).load().isPresent());
        assertFalse(
                Gpus.COURSE
                        .read(Recorded.host("proc/version", "x"), Host.THE_HOST)
                        .isPresent(),
                "of a host without either there is no course");
    }
}
