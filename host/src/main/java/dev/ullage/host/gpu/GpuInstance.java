// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.measure.Reading;

/// A part of a GPU with memory of its own: Multi-Instance GPU. A process in one cannot use another's memory.
///
/// @param gpuInstance the driver's number of it, as `nvidia-smi` prints under "GI ID"
public record GpuInstance(int gpuInstance, String uuid, Reading<Vram> memory) {}
