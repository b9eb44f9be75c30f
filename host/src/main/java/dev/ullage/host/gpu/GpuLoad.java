// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.measure.Ratio;

/// How busy a GPU was in the driver's last sampling period (1/6 s to 1 s).
///
/// Mistake people make: taking it for the share of the GPU that is in use. It is the share of *time* in which any
/// kernel
/// ran, on one multiprocessor or on all of them.
///
/// @param compute time with a kernel running
/// @param memory time in which its memory was read or written
public record GpuLoad(Ratio compute, Ratio memory) {}
