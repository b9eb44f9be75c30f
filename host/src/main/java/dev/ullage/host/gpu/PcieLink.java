// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Reading;

/// The link between a GPU and the host. Source: nvml.h `nvmlDeviceGetCurrPcieLinkGeneration` and its neighbours.
///
/// Mistake people make: reading the generation of an idle card. It falls to 1 to save power and rises under load; a
/// width
/// that is less than the maximum is a fault at any time (a riser, a slot, a dirty contact).
///
/// @param received by the GPU, over 20 ms: weights that come in, layers that are streamed
/// @param sent by the GPU
public record PcieLink(
        int generation,
        int width,
        int maxGeneration,
        int maxWidth,
        Reading<BytesPerSecond> received,
        Reading<BytesPerSecond> sent) {}
