// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.Optional;

/// The GPUs of a host, as their drivers tell of them.
///
/// NVIDIA's are asked for by its library, and where that cannot be loaded (in many containers) by `nvidia-smi`; the
/// others are read from the kernel's files ([DrmGpus]). On a host that has none the list is empty, and absent is a list
/// of GPUs that are there and told nothing.
///
/// Mistake people make: taking "no GPU answered" for "no GPU". [GpuPresence] says which are there; one that is there
/// and
/// told nothing was not seen.
public record Gpus(List<Gpu> gpus) {
    public static final Fact<Host, Gpus> FACT = new Fact<>(
            "what the GPUs tell",
            "libnvidia-ml.so.1, nvidia-smi, /sys/class/drm",
            Cadence.ENDS,
            "install the vendor's driver, or give the container its devices",
            (root, _) -> read(root));

    /// Memory and its holders only, of NVIDIA's: how they went in the window.
    public static final Fact<Host, Gpus> COURSE = new Fact<>(
            "memory of the GPUs over the window", "libnvidia-ml.so.1", Cadence.ALWAYS, "", (root, _) -> root.ask(
                            Call.NVML_MEMORY, "-")
                    .flatMap(NvmlText::parse)
                    .map(Gpus::new));

    private static Reading<Gpus> read(HostRoot root) {
        Reading<GpuPresence> presence = GpuPresence.read(root);
        Reading<List<Gpu>> nvidia = nvidia(root);
        // A live host without a device does not look for the library (Nvml), so asking costs nothing; a container may
        // have
        // the one without the other. Where it told nothing, what keeps it from telling is news only if a GPU is there,
        // or
        // if it hangs or fails.
        boolean isNone = presence.map(GpuPresence::count).orElse(1) == 0
                && (nvidia instanceof Reading.Absent<List<Gpu>> silent
                        ? EveryGpu.meansNone(silent.cause())
                        : nvidia.orThrow().isEmpty());
        return isNone ? Reading.of(new Gpus(List.of())) : EveryGpu.of(root, presence, nvidia);
    }

    /// `nvidia-smi` loads the same library and waits for the same driver: it knows more only where *we* could not load
    /// it.
    private static Reading<List<Gpu>> nvidia(HostRoot root) {
        Reading<String> library = root.ask(Call.NVML, "-");
        if (!(library instanceof Reading.Absent<String>(String _, AbsentCause cause, String _)))
            return library.flatMap(NvmlText::parse);
        boolean isUnloaded = cause == AbsentCause.NOT_PRESENT
                || cause == AbsentCause.NO_PERMISSION
                || cause == AbsentCause.NOT_RECORDED;
        Reading<String> program = isUnloaded ? root.ask(Call.NVIDIA_SMI, "-") : library;
        return program.isPresent() ? program.flatMap(NvidiaSmiXml::parse) : library.map(_ -> List.of());
    }

    public Optional<Gpu> byIndex(int index) {
        return gpus.stream().filter(gpu -> gpu.index() == index).findFirst();
    }
}
