// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.measure.Reading;
import java.util.List;
import java.util.Optional;

/// A GPU, and what it tells. What a driver does not tell is absent with its reason; nothing is ever 0 for "not known".
///
/// @param index its place among the GPUs of this host: NVIDIA's in the order of `nvidia-smi`, then the cards of DRM
/// @param uuid empty where the driver has none
/// @param pciAddress `0000:3b:00.0`, in the kernel's spelling; empty for a GPU that is on no bus
/// @param driver version of its driver; empty where not told
/// @param unifiedMemory its memory is the host's (GB10, Jetson, an APU): a full page cache shows as used GPU memory, so
///     host memory is judged and this is not
/// @param processes who has memory on it
/// @param instances of MIG; empty when it is whole
/// @param nvidia what only NVIDIA's driver tells; empty for the others
public record Gpu(
        int index,
        Vendor vendor,
        String name,
        String uuid,
        String pciAddress,
        String driver,
        boolean unifiedMemory,
        Reading<Vram> memory,
        Reading<List<GpuProcess>> processes,
        Reading<GpuLoad> load,
        Reading<PcieLink> pcie,
        GpuHealth health,
        List<GpuInstance> instances,
        Optional<NvidiaDetails> nvidia) {
    /// One that is not NVIDIA's.
    public Gpu(
            int index,
            Vendor vendor,
            String name,
            String uuid,
            String pciAddress,
            String driver,
            boolean unifiedMemory,
            Reading<Vram> memory,
            Reading<List<GpuProcess>> processes,
            Reading<GpuLoad> load,
            Reading<PcieLink> pcie,
            GpuHealth health,
            List<GpuInstance> instances) {
        this(
                index,
                vendor,
                name,
                uuid,
                pciAddress,
                driver,
                unifiedMemory,
                memory,
                processes,
                load,
                pcie,
                health,
                instances,
                Optional.empty());
    }

    /// As a headline names it: `GPU 0 (NVIDIA H100 80GB HBM3)`.
    public String shown() {
        return "GPU " + index + (name.isEmpty() ? " (" + vendor.shown() + ")" : " (" + name + ")");
    }

    /// As a report's `where` names it: `gpu0`.
    public String word() {
        return "gpu" + index;
    }

    /// The same GPU in another place of the list.
    Gpu at(int place) {
        return with(place, unifiedMemory);
    }

    /// The same GPU, known to share the host's memory.
    Gpu sharingMemory() {
        return with(index, true);
    }

    private Gpu with(int place, boolean unified) {
        return new Gpu(
                place,
                vendor,
                name,
                uuid,
                pciAddress,
                driver,
                unified,
                memory,
                processes,
                load,
                pcie,
                health,
                instances,
                nvidia);
    }
}
