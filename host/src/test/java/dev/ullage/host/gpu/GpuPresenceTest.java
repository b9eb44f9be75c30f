// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Absence;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuPresenceTest {
    private static String shown(HostRoot host) {
        return GpuPresence.FACT.read(host, Host.THE_HOST).orThrow().shown();
    }

    @Test
    void nvidia_cards_are_folders_of_the_driver() {
        assertEquals(
                "2 NVIDIA GPUs",
                shown(Recorded.host(
                        "proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t NVIDIA H100\n",
                        "proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: \t NVIDIA H100\n")));
    }

    @Test
    void amd_cards_tell_their_memory_and_a_card_that_tells_none_is_a_display() {
        assertEquals(
                "1 AMD GPU",
                shown(Recorded.host(
                        "sys/class/drm/card0/device/vendor", "0x1a03\n",
                        "sys/class/drm/card1/device/mem_info_vram_total", "17163091968\n",
                        "sys/class/drm/card1-DP-1/status", "connected\n")));
        assertEquals("no GPU", shown(Recorded.host("sys/class/drm/card0/device/vendor", "0x1a03\n")));
    }

    @Test
    void a_recorded_host_without_these_folders_does_not_say_none() {
        assertFalse(GpuPresence.FACT
                .read(Recorded.host("proc/meminfo", "x"), Host.THE_HOST)
                .isPresent());
    }

    @Test
    void a_container_may_have_the_devices_and_no_folder_of_the_driver() {
        assertEquals("1 NVIDIA GPU", shown(Recorded.host("recorded/stat", """
                        /dev/nvidiactl	dev=0:5 ino=1 size=0 uid=0 kind=other
                        /dev/nvidia3	dev=0:5 ino=2 size=0 uid=0 kind=other
                        """)));
    }

    @Test
    void a_jetson_is_known_by_its_board_and_wsl_by_the_library_windows_puts_there() {
        String dxg = "/dev/dxg\tdev=0:5 ino=1 size=0 uid=0 kind=other\n";
        assertEquals(
                "1 NVIDIA GPU",
                shown(Recorded.host("proc/device-tree/model", "NVIDIA Jetson AGX Orin Developer Kit\0")));
        assertEquals(
                "1 NVIDIA GPU",
                shown(Recorded.host(
                        "recorded/stat",
                        dxg + "/usr/lib/wsl/lib/libnvidia-ml.so.1\tdev=0:5 ino=2 size=9 uid=0 kind=file\n")));
        assertEquals(
                "no GPU", shown(Recorded.host("recorded/stat", dxg, "sys/class/drm/card0/device/vendor", "0x1414\n")));
    }

    @Test
    void cards_of_two_vendors_are_both_said() {
        assertEquals(
                "1 NVIDIA GPU and 2 Intel GPUs",
                shown(Recorded.host(
                        "proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: NVIDIA H100\n",
                        "sys/class/drm/card0/device/uevent",
                                "DRIVER=xe\nPCI_ID=8086:E20B\nPCI_SLOT_NAME=0000:03:00.0\n",
                        "sys/class/drm/card1/device/uevent",
                                "DRIVER=xe\nPCI_ID=8086:E20B\nPCI_SLOT_NAME=0000:04:00.0\n")));
    }

    @Test
    void on_a_host_without_a_gpu_the_list_is_empty_and_one_that_is_silent_is_absent() {
        HostRoot none = Recorded.host("sys/class/drm/card0/device/vendor", "0x1a03\n");
        assertEquals(List.of(), Gpus.FACT.read(none, Host.THE_HOST).orThrow().gpus());
        HostRoot silent = Recorded.host(
                "sys/class/drm/card0/device/vendor", "0x1a03\n",
                "proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: NVIDIA H100\n",
                "recorded/absent", "/recorded/nvml\ttimed-out\tit hung\n");
        assertEquals(AbsentCause.TIMED_OUT, Absence.causeOf(Gpus.FACT.read(silent, Host.THE_HOST)));
    }

    @Test
    void a_driver_that_lists_no_gpu_of_those_that_are_there_has_lost_them() {
        HostRoot lost = Recorded.host(
                "proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: NVIDIA H100\n",
                "recorded/nvml", "driver 570.86.15\n");
        assertFalse(Gpus.FACT.read(lost, Host.THE_HOST).isPresent());
    }

    @Test
    void a_jetson_of_which_no_library_tells_shares_the_hosts_memory() {
        Gpu gpu = Gpus.FACT
                .read(Recorded.host("proc/device-tree/model", "NVIDIA Jetson Orin Nano\0"), Host.THE_HOST)
                .orThrow()
                .gpus()
                .getFirst();
        assertTrue(gpu.unifiedMemory());
        assertEquals("GPU 0 (NVIDIA Jetson Orin Nano)", gpu.shown());
    }
}
