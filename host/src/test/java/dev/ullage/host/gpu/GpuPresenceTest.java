// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.Recorded;
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
}
