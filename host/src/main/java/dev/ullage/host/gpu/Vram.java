// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;

/// The memory of a GPU. Source: nvml.h `nvmlMemory_v2_t`; amdgpu `mem_info_vram_total`, `mem_info_vram_used`.
///
/// Mistake people make: taking a card that is 90 % used for one that is short. vLLM, SGLang and TGI reserve it at start
/// and manage it themselves; how full their KV cache is says whether they lack memory.
///
/// @param reserved what the driver and the firmware keep for themselves; 0 where it is not told apart (NVML before 510
///     counts it as used)
public record Vram(Bytes total, Bytes used, Bytes free, Bytes reserved) {
    public Ratio usedShare() {
        return used.shareOf(total);
    }
}
