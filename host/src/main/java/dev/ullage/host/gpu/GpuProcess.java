// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.OptionalInt;

/// A process that has memory on a GPU, or a context there.
///
/// @param pid as the driver counts: of the host's root namespace, which inside a container is nobody's number
/// @param memory absent when the driver does not say: some (R570) answer 2^64 − 1, and WSL never knows
/// @param kind `compute`, `graphics`, `mps`, or `drm` for what the kernel's DRM tells of any vendor
/// @param instance the MIG instance it runs in, by its place in [Gpu#instances()]
/// @param load how busy it kept the GPU in the driver's last sample, at most two seconds ago; absent when there was
/// none:
///     it did nothing, or the driver does not sample by process (MIG, WSL)
public record GpuProcess(int pid, Reading<Bytes> memory, String kind, OptionalInt instance, Reading<GpuLoad> load) {
    /// One whose load nobody tells.
    public GpuProcess(int pid, Reading<Bytes> memory, String kind, OptionalInt instance) {
        this(
                pid,
                memory,
                kind,
                instance,
                Reading.absent("GPU load by process", AbsentCause.NOT_CONFIGURED, "the driver does not tell it"));
    }
}
