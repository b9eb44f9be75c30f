// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.HostRoot;
import dev.ullage.measure.Reading;
import java.util.List;

/// The PCIe link of a card of DRM, as the PCI core tells it. Source: Documentation/ABI/testing/sysfs-bus-pci.
///
/// ```
/// current_link_speed    16.0 GT/s PCIe       2.5 is generation 1, 5 is 2, 8 is 3, 16 is 4, 32 is 5, 64 is 6
/// current_link_width    16
/// max_link_speed        32.0 GT/s PCIe       what this end can do; the other end may do less
/// ```
/// Mistake people make: reading the link of the GPU itself. Many cards carry a PCIe switch of their own: the link
/// behind
/// it is always wide (AMD) or always 2.5 GT/s ×1 (Intel's Arc), and the one in the slot is that of the switch. The
/// path of the card says which bridges it hangs on:
///
/// ```
/// /sys/class/drm/card1 → ../../devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0/drm/card1
///                                                 root port    the card's switch: its two ports, the GPU
/// ```
final class DrmLink {
    private static final double[] GIGATRANSFERS = {2.5, 5, 8, 16, 32, 64};

    private DrmLink() {}

    static Reading<PcieLink> read(HostRoot root, DrmCard card) {
        List<String> path = bridges(root, card);
        int own = ownPort(root, path);
        String port = own < 0 ? card.device("") : folder(path, own);
        Reading<Integer> speed = generation(root, port + "current_link_speed");
        Reading<Integer> width = width(root, port + "current_link_width");
        Reading<Integer> maxSpeed = generation(root, port + "max_link_speed");
        Reading<Integer> maxWidth = width(root, port + "max_link_width");
        // The other end of the link: the slot.
        int above = (own < 0 ? path.size() - 1 : own) - 1;
        int slotSpeed = above < 0
                ? Integer.MAX_VALUE
                : generation(root, folder(path, above) + "max_link_speed").orElse(Integer.MAX_VALUE);
        int slotWidth = above < 0
                ? Integer.MAX_VALUE
                : width(root, folder(path, above) + "max_link_width").orElse(Integer.MAX_VALUE);
        return speed.flatMap(s -> width.flatMap(w -> maxSpeed.flatMap(ms -> maxWidth.map(mw -> new PcieLink(
                s,
                w,
                Math.min(ms, slotSpeed),
                Math.min(mw, slotWidth),
                DrmCard.untold(port, "the kernel counts no bytes there"),
                DrmCard.untold(port, "the kernel counts no bytes there"))))));
    }

    /// The first sensor of the card, in whole degrees: at the edge of the chip, or where there is none, at its
    /// junction.
    static Reading<Integer> celsius(HostRoot root, DrmCard card) {
        String folder = card.device("hwmon");
        return root.names(folder).flatMap(names -> {
            if (names.isEmpty()) return DrmCard.untold(folder, "it has no sensor");
            String sensor = folder + "/" + names.getFirst() + "/";
            Reading<Long> first = DrmCard.number(root, sensor + "temp1_input");
            Reading<Long> milli = first.isPresent() ? first : DrmCard.number(root, sensor + "temp2_input");
            return milli.map(m -> (int) Math.min(m / 1000, 1000));
        });
    }

    /// The bridges above a card and the card, from the root port on; empty where the path is not told.
    private static List<String> bridges(HostRoot root, DrmCard card) {
        String link = root.link(DrmCard.FOLDER + "/" + card.name()).orElse("");
        int devices = link.indexOf("devices/pci");
        int drm = link.indexOf("/drm/");
        if (devices < 0 || drm < devices) return List.of();
        List<String> parts = List.of(link.substring(devices, drm).split("/"));
        // devices, pci0000:00, …
        return parts.size() < 3 || parts.stream().anyMatch(part -> part.startsWith(".")) ? List.of() : parts;
    }

    private static String folder(List<String> path, int last) {
        return "/sys/" + String.join("/", path.subList(0, last + 1)) + "/";
    }

    /// The place of the port of the card's own switch that is in the slot; -1 when it carries none. Both ports are its
    /// maker's. The first bridge is the board's, whoever made it.
    private static int ownPort(HostRoot root, List<String> path) {
        int gpu = path.size() - 1;
        int upstream = gpu - 2;
        if (upstream <= 2) return -1;
        String maker = root.text(folder(path, gpu) + "vendor").orElse("?").strip();
        return maker.equals(root.text(folder(path, gpu - 1) + "vendor")
                                .orElse("")
                                .strip())
                        && maker.equals(root.text(folder(path, upstream) + "vendor")
                                .orElse("")
                                .strip())
                ? upstream
                : -1;
    }

    private static Reading<Integer> generation(HostRoot root, String path) {
        return root.text(path).flatMap(text -> {
            try {
                double speed = Double.parseDouble(text.strip().split("\\s", 2)[0]);
                for (int i = 0; i < GIGATRANSFERS.length; i++) if (GIGATRANSFERS[i] == speed) return Reading.of(i + 1);
            } catch (NumberFormatException e) {
                // "Unknown", of a device without a link
            }
            return Reading.malformed(path, text, "\"16.0 GT/s PCIe\" and the like");
        });
    }

    private static Reading<Integer> width(HostRoot root, String path) {
        return DrmCard.number(root, path)
                .flatMap(lanes -> lanes > 0 && lanes <= 32
                        ? Reading.of(lanes.intValue())
                        : Reading.malformed(path, lanes.toString(), "1 to 32 lanes"));
    }
}
