// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ullage.host.Recorded;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrmLinkTest {
    private static final String ROOT_PORT = "sys/devices/pci0000:00/0000:00:01.1/";
    private static final String UP = ROOT_PORT + "0000:01:00.0/";
    private static final String DOWN = UP + "0000:02:00.0/";
    private static final String GPU = DOWN + "0000:03:00.0/";
    private static final DrmCard CARD = new DrmCard("card1", "xe", "8086:e20b", "0000:03:00.0");

    private static Reading<PcieLink> link(String... files) {
        return DrmLink.read(Recorded.host(files), CARD);
    }

    private static List<String> ends(String folder, String speed, int width, String maxSpeed, int maxWidth) {
        return List.of(
                folder + "current_link_speed", speed + " GT/s PCIe\n",
                folder + "current_link_width", width + "\n",
                folder + "max_link_speed", maxSpeed + " GT/s PCIe\n",
                folder + "max_link_width", maxWidth + "\n");
    }

    private static void is(int generation, int width, int maxGeneration, int maxWidth, Reading<PcieLink> link) {
        PcieLink l = link.orThrow();
        assertEquals(
                List.of(generation, width, maxGeneration, maxWidth),
                List.of(l.generation(), l.width(), l.maxGeneration(), l.maxWidth()));
    }

    @Test
    void a_card_whose_path_is_not_told_is_read_at_its_own_end() {
        is(
                1,
                8,
                4,
                16,
                link(ends("sys/class/drm/card1/device/", "2.5", 8, "16.0", 16).toArray(String[]::new)));
        is(
                4,
                16,
                4,
                16,
                link(ends("sys/class/drm/card1/device/", "16", 16, "16", 16).toArray(String[]::new)));
    }

    @Test
    void a_card_with_a_switch_of_its_own_is_read_where_it_is_in_the_slot() {
        List<String> files = new ArrayList<>(ends(GPU, "2.5", 1, "2.5", 1));
        files.addAll(ends(UP, "16.0", 8, "32.0", 16));
        files.addAll(ends(ROOT_PORT, "16.0", 8, "16.0", 16));
        for (String port : List.of(UP, DOWN, GPU)) files.addAll(List.of(port + "vendor", "0x8086\n"));
        files.addAll(List.of(ROOT_PORT + "vendor", "0x8086\n"));
        files.addAll(
                List.of(
                        "recorded/links",
                        "/sys/class/drm/card1\t../../devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0/drm/card1\n"));
        is(4, 8, 4, 16, link(files.toArray(String[]::new)));
    }

    @Test
    void a_bridge_of_somebody_elses_is_the_boards_and_not_the_cards() {
        List<String> files = new ArrayList<>(ends("sys/class/drm/card1/device/", "32.0", 16, "32.0", 16));
        files.addAll(ends(DOWN, "32.0", 16, "32.0", 8));
        files.addAll(List.of(UP + "vendor", "0x1000\n", DOWN + "vendor", "0x1000\n", GPU + "vendor", "0x8086\n"));
        files.addAll(
                List.of(
                        "recorded/links",
                        "/sys/class/drm/card1\t../../devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0/drm/card1\n"));
        is(5, 16, 5, 8, link(files.toArray(String[]::new)));
    }

    @Test
    void a_link_that_is_not_told_is_none() {
        assertFalse(link(ends("sys/class/drm/card1/device/", "Unknown", 0, "Unknown", 255)
                        .toArray(String[]::new))
                .isPresent());
        assertFalse(link("proc/version", "x").isPresent());
        assertFalse(link("recorded/links", "/sys/class/drm/card1\t../../devices/pci0000:00/../../drm/card1\n")
                .isPresent());
    }
}
