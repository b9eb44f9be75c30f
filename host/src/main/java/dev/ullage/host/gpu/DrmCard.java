// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/// A graphics card as the kernel's DRM has it: `/sys/class/drm/card0`, and its device below that. Source:
/// Documentation/gpu/amdgpu/driver-misc.rst, Documentation/ABI/testing/sysfs-driver-intel-xe-*.
///
/// ```
/// DRIVER=amdgpu                          device/uevent
/// PCI_ID=1002:74A1
/// PCI_SLOT_NAME=0000:03:00.0
/// ```
/// Mistake people make: taking every card for a GPU. `card0` of most servers is the display of the board's controller,
/// and `card0-DP-1` is a plug.
///
/// @param name `card0`
/// @param driver `amdgpu`; empty where it is not told
/// @param pciId vendor and device, in small letters: `1002:74a1`; the device may be missing (`1002:`)
/// @param pciAddress `0000:03:00.0`; empty where it is not told
record DrmCard(String name, String driver, String pciId, String pciAddress) {
    static final String FOLDER = "/sys/class/drm";

    private static final String AMD = "1002:";
    private static final String INTEL = "8086:";

    /// Where Intel's processors have their own graphics, and its virtual functions.
    private static final String BUILT_IN = "0000:00:02.";

    static Reading<List<DrmCard>> all(HostRoot root) {
        return root.names(FOLDER).map(names -> {
            List<DrmCard> cards = new ArrayList<>();
            for (String name : names) if (name.matches("card\\d{1,5}")) cards.add(read(root, name));
            return List.copyOf(cards);
        });
    }

    private static DrmCard read(HostRoot root, String name) {
        String device = FOLDER + "/" + name + "/device/";
        String driver = "";
        String id = "";
        String address = "";
        for (String line : root.text(device + "uevent").orElse("").lines().toList()) {
            String value = line.substring(line.indexOf('=') + 1).strip();
            if (line.startsWith("DRIVER=")) driver = value;
            if (line.startsWith("PCI_ID=")) id = value.toLowerCase(Locale.ROOT);
            if (line.startsWith("PCI_SLOT_NAME=")) address = value;
        }
        if (id.isEmpty()) {
            String vendor = root.text(device + "vendor").orElse("").strip();
            if (vendor.startsWith("0x")) id = vendor.substring(2) + ":";
        }
        return new DrmCard(name, driver, id, address);
    }

    /// Whether amdgpu drives it. The older driver `radeon` tells no memory, and drives what no LLM server runs on;
    /// `amdgpu_xcp` is a partition of a card that is listed itself.
    boolean isAmd(HostRoot root) {
        if (!driver.isEmpty()) return driver.equals("amdgpu");
        boolean mayBe = pciId.isEmpty() || pciId.startsWith(AMD);
        return mayBe && root.text(device("mem_info_vram_total")).isPresent();
    }

    /// Whether it is Intel's and has memory of its own.
    boolean isIntelWithMemory() {
        return pciId.startsWith(INTEL)
                && (driver.equals("xe") || driver.equals("i915"))
                && !pciAddress.startsWith(BUILT_IN);
    }

    /// A file of the card's device: `/sys/class/drm/card0/device/mem_info_vram_total`.
    String device(String file) {
        return FOLDER + "/" + name + "/device/" + file;
    }

    /// A file of the card itself: `/sys/class/drm/card0/lmem_total_bytes`.
    String file(String file) {
        return FOLDER + "/" + name + "/" + file;
    }

    /// The number of its files in debugfs.
    String minor() {
        return name.substring("card".length());
    }

    /// A file that is one number.
    static Reading<Long> number(HostRoot root, String path) {
        return root.text(path).flatMap(text -> {
            OptionalLong number = KeyValues.number(text.strip());
            return number.isPresent() && number.getAsLong() >= 0
                    ? Reading.of(number.getAsLong())
                    : Reading.malformed(path, text, "a number");
        });
    }

    /// Nothing there tells it.
    static <T> Reading<T> untold(String source, String why) {
        return Reading.absent(source, AbsentCause.NOT_CONFIGURED, why);
    }
}
