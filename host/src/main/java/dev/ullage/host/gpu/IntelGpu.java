// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Present;
import java.util.List;

/// A GPU of Intel's with memory of its own (Arc, Flex, Max). Source: drivers/gpu/drm/xe/xe_tile_sysfs.c,
/// drivers/gpu/drm/ttm/ttm_resource.c; i915's files are those of Intel's own releases of the driver.
///
/// ```
/// /sys/class/drm/card0/device/tile0/physical_vram_size_bytes   17179869184     xe; one a tile
/// /sys/kernel/debug/dri/0000:03:00.0/vram0_mm                  size: 17095983104
///                                                              usage: 8601346048
/// /sys/class/drm/card0/lmem_total_bytes                        17079205888     i915
/// /sys/class/drm/card0/lmem_avail_bytes                        8477859840
/// ```
/// xe says how large the memory is to everyone, and how much of it is in use to root alone. It lists no processes;
/// those are in [DrmClients]. Not seen on hardware of ours.
final class IntelGpu {
    private static final int MOST_TILES = 4;

    private IntelGpu() {}

    static Gpu read(HostRoot root, DrmCard card, int index) {
        return new Gpu(
                index,
                Vendor.INTEL,
                card.pciId().length() > 5 ? "Intel " + card.pciId() : "",
                "",
                card.pciAddress(),
                card.driver(),
                false,
                card.driver().equals("xe") ? ofXe(root, card) : ofI915(root, card),
                DrmCard.untold("/proc/<pid>/fdinfo", card.driver() + " lists no processes; each tells its own"),
                DrmCard.untold(card.file("gt"), card.driver() + " tells no load in a text file"),
                DrmLink.read(root, card),
                new GpuHealth(
                        DrmCard.untold(card.driver(), "it counts no memory errors"),
                        DrmCard.untold(card.driver(), "it tells of no repairs"),
                        DrmCard.untold(card.driver(), "not asked"),
                        DrmLink.celsius(root, card)),
                List.of());
    }

    private static Reading<Vram> ofI915(HostRoot root, DrmCard card) {
        return DrmCard.number(root, card.file("lmem_total_bytes"))
                .flatMap(total -> DrmCard.number(root, card.file("lmem_avail_bytes"))
                        .map(free -> vram(new Bytes(total), new Bytes(total).minus(new Bytes(free)))));
    }

    private static Reading<Vram> ofXe(HostRoot root, DrmCard card) {
        Bytes total = Bytes.NONE;
        Bytes used = Bytes.NONE;
        for (int tile = 0; tile < MOST_TILES; tile++) {
            Reading<Long> size = DrmCard.number(root, card.device("tile" + tile + "/physical_vram_size_bytes"));
            if (!(size instanceof Present<Long>(Long bytes))) {
                if (tile == 0 && size instanceof Reading.Absent<Long> absent) return absent.as();
                break;
            }
            total = total.plus(new Bytes(bytes));
            Reading<Bytes> usage = usage(root, card, tile);
            if (usage instanceof Reading.Absent<Bytes> absent)
                return Reading.absent(
                        absent.source(),
                        absent.cause(),
                        "xe says only to root how much of " + total.shown() + " is in use");
            used = used.plus(usage.orElse(Bytes.NONE));
        }
        return Reading.of(vram(total, used));
    }

    /// The folder bears the card's address, and before 6.15 its number.
    private static Reading<Bytes> usage(HostRoot root, DrmCard card, int tile) {
        String file = "/vram" + tile + "_mm";
        String path = "/sys/kernel/debug/dri/" + card.pciAddress() + file;
        Reading<String> text = root.text(path);
        if (!text.isPresent()) text = root.text("/sys/kernel/debug/dri/" + card.minor() + file);
        return text.flatMap(t -> {
            KeyValues values = KeyValues.parse(t.replaceAll("(?m)^\\s{1,16}", ""));
            return values.get("usage").isPresent()
                    ? Reading.of(new Bytes(values.orZero("usage")))
                    : Reading.malformed(path, t, "a line \"usage: <bytes>\"");
        });
    }

    private static Vram vram(Bytes total, Bytes used) {
        return new Vram(total, used, total.minus(used).orNoneIfNegative(), Bytes.NONE);
    }
}
