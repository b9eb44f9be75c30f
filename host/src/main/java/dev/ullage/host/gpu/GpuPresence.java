// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.List;

/// Which GPUs with memory of their own this host has, without asking a driver: `/proc/driver/nvidia/gpus/*`, and DRM
/// cards that tell their VRAM (amdgpu: `/sys/class/drm/card0/device/mem_info_vram_total`).
///
/// Mistake people make: calling a host healthy whose GPU nobody has looked at. A container without the devices does
/// not see them here either, and this is then "none", as far as that container is concerned.
public record GpuPresence(int nvidia, int amd) {
    private static final String NVIDIA = "/proc/driver/nvidia/gpus";
    private static final String DRM = "/sys/class/drm";

    public static final Fact<Host, GpuPresence> FACT =
            new Fact<>("GPUs", NVIDIA + ", " + DRM, Cadence.ONCE, "", (root, _) -> read(root));

    private static Reading<GpuPresence> read(HostRoot root) {
        Reading<List<String>> nvidia = root.names(NVIDIA);
        Reading<List<String>> drm = root.names(DRM);
        // A recorded host may lack both folders because nobody looked.
        if (nvidia instanceof Absent<List<String>> n && drm instanceof Absent<List<String>> d) {
            if (!meansNone(n.cause())) return n.as();
            if (!meansNone(d.cause())) return d.as();
        }
        // One folder that may not be read hides cards, whatever the other one says.
        if (nvidia instanceof Absent<List<String>> n && isRefused(n.cause())) return n.as();
        if (drm instanceof Absent<List<String>> d
                && isRefused(d.cause())
                && nvidia.orElse(List.of()).isEmpty()) return d.as();
        int amd = 0;
        for (String card : drm.orElse(List.of()))
            if (card.matches("card\\d+")
                    && root.text(DRM + "/" + card + "/device/mem_info_vram_total")
                            .isPresent()) amd++;
        return Reading.of(new GpuPresence(nvidia.orElse(List.of()).size(), amd));
    }

    private static boolean meansNone(AbsentCause cause) {
        return cause == AbsentCause.NOT_PRESENT || cause == AbsentCause.NOT_ON_THIS_KERNEL;
    }

    private static boolean isRefused(AbsentCause cause) {
        return !meansNone(cause) && cause != AbsentCause.NOT_RECORDED;
    }

    public int count() {
        return nvidia + amd;
    }

    /// `2 NVIDIA GPUs`, `1 AMD GPU`, `no GPU`.
    public String shown() {
        if (count() == 0) return "no GPU";
        String vendor = nvidia > 0 ? "NVIDIA" : "AMD";
        return count() + " " + vendor + (count() == 1 ? " GPU" : " GPUs");
    }
}
