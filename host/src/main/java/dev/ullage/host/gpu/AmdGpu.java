// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.host.gpu.GpuHealth.Ecc;
import dev.ullage.host.gpu.GpuHealth.Repairs;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.Set;

/// A GPU that amdgpu drives. Source: Documentation/gpu/amdgpu/driver-misc.rst, ras.rst, thermal.rst; the files are in
/// `/sys/class/drm/card0/device/`.
///
/// ```
/// mem_info_vram_total    206141652992     bytes, without what the firmware hides
/// mem_info_vram_used     8601346048
/// mem_info_gtt_total     1082104184832    host memory that the card may map
/// gpu_busy_percent       97
/// ras/umc_err_count      ue: 0            errors of the memory since the driver was loaded: uncorrectable,
///                        ce: 12           corrected,
///                        de: 0            deferred (MI300)
/// ras/gpu_vram_bad_pages 0x00000001 : 0x00001000 : R     R taken out of use, P will be, F could not be
/// hwmon/hwmon3/temp1_input  54000         thousandths of a degree
/// ```
/// An APU has no memory of its own: `vram` is a piece of RAM that the firmware sets aside, `gtt` the rest of what it
/// may
/// use. When the piece is the larger one (a board set to 96 GiB), the host cannot have it and it is judged like a
/// card's.
///
/// The text was composed after the kernel's documents and sources; it has not been seen on hardware of ours.
final class AmdGpu {
    /// Devices that are part of a processor, by the kernel's and the PCI database's names: Raven to Strix Halo, MI300A.
    private static final Set<String> IN_PROCESSOR = Set.of(
            "15dd", "15d8", "1636", "164c", "1638", "163f", "1435", "164d", "1681", "164e", "1506", "15bf", "15c8",
            "1900", "1901", "150e", "1586", "1114", "13c0", "74a0");

    /// Of devices we do not know: no card that could hold a model has less.
    private static final Bytes SMALLEST_CARD = Bytes.ofGiB(4);

    private AmdGpu() {}

    static Gpu read(HostRoot root, DrmCard card, Kfd kfd, int index) {
        Reading<Vram> memory = memory(root, card);
        String version = root.text("/sys/module/amdgpu/version").orElse("").strip();
        return new Gpu(
                index,
                Vendor.AMD,
                name(root, card),
                root.text(card.device("unique_id")).orElse("").strip(),
                card.pciAddress(),
                version.isEmpty() ? "amdgpu" : "amdgpu " + version,
                sharesMemory(root, card, memory),
                memory,
                kfd.on(card.pciAddress()),
                load(root, card),
                DrmLink.read(root, card),
                new GpuHealth(
                        ecc(root, card),
                        repairs(root, card),
                        DrmCard.untold(card.device("gpu_metrics"), "why amdgpu lowers clocks is in no text file"),
                        DrmLink.celsius(root, card)),
                List.of());
    }

    private static String name(HostRoot root, DrmCard card) {
        String product = root.text(card.device("product_name")).orElse("").strip();
        if (!product.isEmpty() && !product.startsWith("0x")) return product;
        return card.pciId().length() > 5 ? "AMD " + card.pciId() : "";
    }

    static Reading<Vram> memory(HostRoot root, DrmCard card) {
        return DrmCard.number(root, card.device("mem_info_vram_total"))
                .flatMap(total -> DrmCard.number(root, card.device("mem_info_vram_used"))
                        .map(used -> new Vram(
                                new Bytes(total),
                                new Bytes(used),
                                new Bytes(total).minus(new Bytes(used)).orNoneIfNegative(),
                                Bytes.NONE)));
    }

    private static boolean sharesMemory(HostRoot root, DrmCard card, Reading<Vram> memory) {
        Bytes vram = memory.map(Vram::total).orElse(Bytes.NONE);
        Bytes gtt = new Bytes(
                DrmCard.number(root, card.device("mem_info_gtt_total")).orElse(0L));
        if (vram.bytes() == 0 || !gtt.isMoreThan(vram)) return false;
        String device = card.pciId().substring(card.pciId().indexOf(':') + 1);
        return IN_PROCESSOR.contains(device) || SMALLEST_CARD.isMoreThan(vram);
    }

    /// A card that sleeps would be woken by the question, which takes a second.
    private static Reading<GpuLoad> load(HostRoot root, DrmCard card) {
        if (root.text(card.device("power/runtime_status")).orElse("").strip().equals("suspended"))
            return DrmCard.untold(card.device("gpu_busy_percent"), "the card sleeps");
        return DrmCard.number(root, card.device("gpu_busy_percent"))
                .flatMap(compute -> DrmCard.number(root, card.device("mem_busy_percent"))
                        .map(memory -> new GpuLoad(Ratio.ofPercent(compute), Ratio.ofPercent(memory))));
    }

    /// Over its life the driver keeps no count that is told: what is told since it was loaded stands for both.
    private static Reading<Ecc> ecc(HostRoot root, DrmCard card) {
        String path = card.device("ras/umc_err_count");
        return root.text(path).flatMap(text -> {
            KeyValues counts = KeyValues.parse(text);
            if (counts.get("ue").isEmpty()) return Reading.malformed(path, text, "lines \"ue: <n>\" and \"ce: <n>\"");
            long corrected = counts.orZero("ce");
            long uncorrected = counts.orZero("ue");
            return Reading.of(new Ecc(corrected, uncorrected, corrected, uncorrected));
        });
    }

    private static Reading<Repairs> repairs(HostRoot root, DrmCard card) {
        return root.text(card.device("ras/gpu_vram_bad_pages")).map(text -> {
            long retired = 0;
            boolean pending = false;
            boolean failed = false;
            for (String line : text.lines().toList()) {
                String flag = line.substring(line.lastIndexOf(':') + 1).strip();
                if (flag.equals("R")) retired++;
                pending |= flag.equals("P");
                failed |= flag.equals("F");
            }
            return new Repairs(retired, 0, pending, failed);
        });
    }
}
