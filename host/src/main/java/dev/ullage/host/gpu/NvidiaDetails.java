// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.OptionalLong;

/// What NVIDIA's driver tells of a GPU and no other vendor's does. Source: nvml.h, by the functions named.
///
/// @param cuda the newest CUDA version its driver runs, `12.8`; empty where not told
/// @param persistence whether the driver stays awake without a client (`nvmlDeviceGetPersistenceMode`). Mistake people
///     make: taking 0 for "off" on hosts where the daemon nvidia-persistenced keeps the device open: that shows as 1
/// @param computeMode `default`, `exclusive-process`, `prohibited`: who may open it
/// @param addressing how the GPU reaches memory of the host by the process's own pointers: `hmm` (the kernel moves
///     pages), `ats` (the hardware does: Grace), `none`
public record NvidiaDetails(
        String cuda,
        Reading<Bar1> bar1,
        Reading<Power> power,
        Reading<Clocks> clocks,
        Reading<Mode> eccMode,
        Reading<Mode> mig,
        Reading<Boolean> persistence,
        Reading<String> computeMode,
        Reading<String> addressing,
        Reading<NvLink> nvlink) {
    /// The window through which the host and other cards reach its memory. Pinned buffers of peers live there, so it
    /// can
    /// be full while the memory is not.
    public record Bar1(Bytes total, Bytes used) {}

    /// @param milliwatts drawn now, over the last second on Ampere and later
    /// @param limit in milliwatts; empty where not told
    public record Power(int milliwatts, OptionalLong limit) {}

    /// In MHz, now and at most; 0 for a maximum that is not told.
    public record Clocks(int sm, int maxSm, int memory, int maxMemory) {}

    /// Something that is switched at the next reset of the GPU.
    ///
    /// @param pending what it will be then
    public record Mode(boolean current, boolean pending) {}

    /// @param links it has, at most 18
    /// @param up of them that are active. Mistake people make: taking fewer than all for a fault on a card that has
    /// no
    ///     bridge or switch on some of them
    public record NvLink(int links, int up) {}
}
