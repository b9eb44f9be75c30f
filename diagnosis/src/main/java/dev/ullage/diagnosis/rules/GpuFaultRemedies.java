// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Shell;
import dev.ullage.diagnosis.view.FaultyGpu;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.Vendor;
import dev.ullage.host.kernellog.GpuFault.Kind;
import java.util.List;

/// What to do about faults of a GPU, by what they mean.
final class GpuFaultRemedies {
    private GpuFaultRemedies() {}

    static List<Remedy> of(Kind worst, FaultyGpu gpu) {
        return switch (worst) {
            case LOST -> List.of(restart(), look(gpu));
            case UNCORRECTABLE, RESET_NEEDED, REPAIR_FAILED -> List.of(reset(gpu), replace(gpu));
            case CONTAINED -> List.of(startAgain(), replace(gpu));
            case HUNG, RESET -> List.of(startAgain(), update());
            case LINK -> List.of(reset(gpu), look(gpu));
            case APPLICATION -> List.of(update(), replace(gpu));
            case NO_MEMORY, WATCH, UNCLEAR -> List.of(watch());
        };
    }

    private static Remedy restart() {
        return Remedy.now(
                "restart the host: a GPU that does not answer cannot be reset by its driver; stop the servers first",
                "systemctl reboot",
                Remedy.Cost.REBOOT,
                Remedy.Risk.NONE,
                "ullage diagnose",
                "-");
    }

    /// Not seen on real hardware: the reset of NVIDIA's needs root and nobody on the GPU.
    private static Remedy reset(FaultyGpu gpu) {
        boolean isNvidia = isNvidia(gpu);
        return Remedy.now(
                "stop what runs on it, reset it, and start the servers again",
                isNvidia ? "nvidia-smi --gpu-reset -i " + Shell.word(gpu.address()) : "systemctl reboot",
                isNvidia ? Remedy.Cost.RESTART : Remedy.Cost.REBOOT,
                Remedy.Risk.NONE,
                "dmesg | grep -E 'NVRM|amdgpu|xe ' | tail",
                "-");
    }

    private static boolean isNvidia(FaultyGpu gpu) {
        return gpu.gpu().map(g -> g.vendor() == Vendor.NVIDIA).orElse(false);
    }

    private static Remedy startAgain() {
        return Remedy.now(
                "start the servers that were on it again, if they have not been",
                "",
                Remedy.Cost.RESTART,
                Remedy.Risk.NONE,
                "ullage diagnose",
                "-");
    }

    private static Remedy update() {
        return Remedy.medium(
                "update the driver and the engine; run the one program alone to see whether it is the cause",
                "",
                Remedy.Cost.RESTART,
                Remedy.Risk.RESULTS_CHANGE,
                "dmesg | grep -E 'NVRM|amdgpu|xe ' | tail",
                "install the version that was there");
    }

    private static Remedy look(FaultyGpu gpu) {
        return Remedy.byDesign(
                "have card, riser, cables and power supply looked at" + where(gpu)
                        + "; if it comes back, replace the card",
                "",
                Remedy.Cost.REBOOT,
                Remedy.Risk.NONE,
                "ullage diagnose",
                "-");
    }

    private static Remedy replace(FaultyGpu gpu) {
        return Remedy.byDesign(
                "replace the card" + where(gpu) + " if this comes again after a reset",
                "",
                Remedy.Cost.REBOOT,
                Remedy.Risk.NONE,
                isNvidia(gpu) ? "nvidia-smi -q -d ECC,ROW_REMAPPER" : "dmesg | grep -E 'amdgpu|xe ' | tail",
                "-");
    }

    private static Remedy watch() {
        return Remedy.medium(
                "watch whether it comes again",
                "dmesg -T | grep -E 'NVRM|amdgpu|xe ' | tail",
                Remedy.Cost.NONE,
                Remedy.Risk.NONE,
                "ullage diagnose",
                "-");
    }

    private static String where(FaultyGpu gpu) {
        return gpu.address().isEmpty()
                ? ""
                : " ("
                        + gpu.gpu()
                                .map(Gpu::name)
                                .filter(n -> !n.isEmpty())
                                .map(n -> n + " ")
                                .orElse("") + "at " + gpu.address() + ")";
    }
}
