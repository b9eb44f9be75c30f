// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import java.lang.foreign.StructLayout;

/// The memory of a GPU or of an instance.
///
/// Version 2 tells apart what the driver keeps for itself. Its header says that "used" includes that; `nvidia-smi`,
/// which
/// asks the same function, shows figures that do not. So it is taken from the sum: where used and free make the total
/// already, the reserved is inside the used.
final class NvmlMemory {
    private static final long MIB = 1 << 20;

    private NvmlMemory() {}

    /// `total=… used=… free=… reserved=…` in bytes; empty when it is not told, and then [NvmlHandle#returned()] says
    /// why.
    static String of(NvmlHandle gpu) {
        if (gpu.askVersioned(NvmlFunction.MEMORY_V2, NvmlLayout.MEMORY_V2, 2)) {
            long total = gpu.wide(NvmlLayout.MEMORY_V2, "total");
            long free = gpu.wide(NvmlLayout.MEMORY_V2, "free");
            long used = gpu.wide(NvmlLayout.MEMORY_V2, "used");
            long reserved = gpu.wide(NvmlLayout.MEMORY_V2, "reserved");
            boolean isInside = reserved > 0 && used >= reserved && Math.abs(total - free - used) < MIB;
            return text(total, isInside ? used - reserved : used, free) + (reserved > 0 ? " reserved=" + reserved : "");
        }
        // A driver before 510 has no version 2; a later one that refuses it refuses the first as well.
        if (!gpu.askInto(NvmlFunction.MEMORY)) return "";
        StructLayout one = NvmlLayout.MEMORY;
        return text(gpu.wide(one, "total"), gpu.wide(one, "used"), gpu.wide(one, "free"));
    }

    private static String text(long total, long used, long free) {
        boolean isKnown = total > 0 && used >= 0 && free >= 0;
        return isKnown ? "total=" + total + " used=" + used + " free=" + free : "";
    }
}
