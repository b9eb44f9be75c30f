// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.List;

/// Which GPUs this host has that a model could be in, without asking a driver's library: `/proc/driver/nvidia/gpus/*`,
/// NVIDIA's devices (`/dev/nvidia0`: a container may have them and no driver folder), a Jetson by its name, AMD's and
/// Intel's cards with memory ([DrmCard]), and in WSL the library that Windows puts there for a GPU of NVIDIA's
/// (`/dev/dxg`
/// alone may lead to the graphics of a processor).
///
/// Mistake people make: calling a host healthy whose GPU nobody has looked at. A container without the devices does
/// not see NVIDIA's here either, and this is then "none", as far as that container is concerned.
public record GpuPresence(int nvidia, int amd, int intel) {
    private static final String NVIDIA = "/proc/driver/nvidia/gpus";
    private static final String CONTROL = "/dev/nvidiactl";
    private static final String WSL = "/dev/dxg";
    private static final String WSL_LIBRARY = "/usr/lib/wsl/lib/libnvidia-ml.so.1";
    static final String BOARD = "/proc/device-tree/model";

    /// NVIDIA numbers its devices from 0; a container may have any of them.
    private static final int MOST_DEVICES = 32;

    public static final Fact<Host, GpuPresence> FACT =
            new Fact<>("GPUs", NVIDIA + ", " + DrmCard.FOLDER, Cadence.ONCE, "", (root, _) -> read(root));

    static Reading<GpuPresence> read(HostRoot root) {
        Reading<List<String>> nvidia = root.names(NVIDIA);
        Reading<List<DrmCard>> drm = DrmCard.all(root);
        int devices = nvidia.orElse(List.of()).size();
        if (devices == 0 && isThere(root, CONTROL))
            for (int i = 0; i < MOST_DEVICES; i++) if (isThere(root, "/dev/nvidia" + i)) devices++;
        if (devices == 0 && isJetson(root)) devices = 1;
        if (devices == 0 && isThere(root, WSL) && isThere(root, WSL_LIBRARY)) devices = 1;
        // A recorded host may lack both folders because nobody looked.
        if (devices == 0 && nvidia instanceof Absent<List<String>> n && drm instanceof Absent<List<DrmCard>> d) {
            if (!meansNone(n.cause())) return n.as();
            if (!meansNone(d.cause())) return d.as();
        }
        // One folder that may not be read hides cards, whatever the other one says.
        if (devices == 0 && nvidia instanceof Absent<List<String>> n && isRefused(n.cause())) return n.as();
        if (devices == 0 && drm instanceof Absent<List<DrmCard>> d && isRefused(d.cause())) return d.as();
        int amd = 0;
        int intel = 0;
        for (DrmCard card : drm.orElse(List.of())) {
            if (card.isAmd(root)) amd++;
            else if (card.isIntelWithMemory()) intel++;
        }
        return Reading.of(new GpuPresence(devices, amd, intel));
    }

    /// Asked with stat: opening a device of NVIDIA's wakes the GPU.
    private static boolean isThere(HostRoot root, String device) {
        return root.ask(Call.STAT, device).isPresent();
    }

    /// `NVIDIA Jetson AGX Orin Developer Kit`: its GPU is on no bus and in no folder of the driver's.
    static boolean isJetson(HostRoot root) {
        return root.text(BOARD) instanceof Present<String>(String model)
                && model.contains("NVIDIA")
                && (model.contains("Jetson") || model.contains("Tegra"));
    }

    private static boolean meansNone(AbsentCause cause) {
        return cause == AbsentCause.NOT_PRESENT || cause == AbsentCause.NOT_ON_THIS_KERNEL;
    }

    private static boolean isRefused(AbsentCause cause) {
        return !meansNone(cause) && cause != AbsentCause.NOT_RECORDED;
    }

    public int count() {
        return nvidia + amd + intel;
    }

    /// `2 NVIDIA GPUs`, `1 AMD GPU and 1 Intel GPU`, `no GPU`.
    public String shown() {
        if (count() == 0) return "no GPU";
        List<String> parts = new ArrayList<>();
        add(parts, nvidia, "NVIDIA GPU");
        add(parts, amd, "AMD GPU");
        add(parts, intel, "Intel GPU");
        return String.join(" and ", parts);
    }

    private static void add(List<String> parts, int count, String what) {
        if (count > 0) parts.add(count + " " + what + (count == 1 ? "" : "s"));
    }
}
