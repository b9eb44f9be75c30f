// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/// The structures that the library fills, as the C compilers of 64-bit x86 and arm lay them out. Source: nvml.h; a test
/// compares every size and offset with what gcc says.
///
/// Mistake people make: counting offsets by hand and forgetting that a 64-bit number after a 32-bit one leaves a hole.
final class NvmlLayout {
    /// `nvmlPciInfo_t`; `_v1` and `_v2` have the same until `device`.
    static final StructLayout PCI = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(16, JAVA_BYTE).withName("busIdLegacy"),
            JAVA_INT.withName("domain"),
            JAVA_INT.withName("bus"),
            JAVA_INT.withName("device"),
            JAVA_INT.withName("pciDeviceId"),
            JAVA_INT.withName("pciSubSystemId"),
            MemoryLayout.sequenceLayout(32, JAVA_BYTE).withName("busId"));

    /// `nvmlMemory_t`.
    static final StructLayout MEMORY = MemoryLayout.structLayout(
            JAVA_LONG.withName("total"), JAVA_LONG.withName("free"), JAVA_LONG.withName("used"));

    /// `nvmlMemory_v2_t`.
    static final StructLayout MEMORY_V2 = MemoryLayout.structLayout(
            JAVA_INT.withName("version"),
            MemoryLayout.paddingLayout(4),
            JAVA_LONG.withName("total"),
            JAVA_LONG.withName("reserved"),
            JAVA_LONG.withName("free"),
            JAVA_LONG.withName("used"));

    /// `nvmlBAR1Memory_t`.
    static final StructLayout BAR1 = MemoryLayout.structLayout(
            JAVA_LONG.withName("bar1Total"), JAVA_LONG.withName("bar1Free"), JAVA_LONG.withName("bar1Used"));

    /// `nvmlUtilization_t`.
    static final StructLayout LOAD = MemoryLayout.structLayout(JAVA_INT.withName("gpu"), JAVA_INT.withName("memory"));

    /// `nvmlProcessInfo_v1_t`.
    static final StructLayout PROCESS_V1 = MemoryLayout.structLayout(
            JAVA_INT.withName("pid"), MemoryLayout.paddingLayout(4), JAVA_LONG.withName("usedGpuMemory"));

    /// `nvmlProcessInfo_v2_t`.
    static final StructLayout PROCESS_V2 = MemoryLayout.structLayout(
            JAVA_INT.withName("pid"),
            MemoryLayout.paddingLayout(4),
            JAVA_LONG.withName("usedGpuMemory"),
            JAVA_INT.withName("gpuInstanceId"),
            JAVA_INT.withName("computeInstanceId"));

    /// `nvmlProcessDetail_v1_t`, which some drivers of the 530 and 535 series also return from `_v3`.
    static final StructLayout PROCESS_DETAIL = MemoryLayout.structLayout(
            JAVA_INT.withName("pid"),
            MemoryLayout.paddingLayout(4),
            JAVA_LONG.withName("usedGpuMemory"),
            JAVA_INT.withName("gpuInstanceId"),
            JAVA_INT.withName("computeInstanceId"),
            JAVA_LONG.withName("usedGpuCcProtectedMemory"));

    /// `nvmlProcessUtilizationSample_t`.
    static final StructLayout PROCESS_LOAD = MemoryLayout.structLayout(
            JAVA_INT.withName("pid"),
            MemoryLayout.paddingLayout(4),
            JAVA_LONG.withName("timeStamp"),
            JAVA_INT.withName("smUtil"),
            JAVA_INT.withName("memUtil"),
            JAVA_INT.withName("encUtil"),
            JAVA_INT.withName("decUtil"));

    /// `nvmlTemperature_v1_t`.
    static final StructLayout TEMPERATURE = MemoryLayout.structLayout(
            JAVA_INT.withName("version"), JAVA_INT.withName("sensorType"), JAVA_INT.withName("temperature"));

    /// `nvmlDeviceAddressingMode_v1_t`.
    static final StructLayout ADDRESSING =
            MemoryLayout.structLayout(JAVA_INT.withName("version"), JAVA_INT.withName("value"));

    private NvmlLayout() {}

    static long offset(StructLayout layout, String field) {
        return layout.byteOffset(PathElement.groupElement(field));
    }

    /// NVML_STRUCT_VERSION: the size, and the version in the top byte.
    static int version(StructLayout layout, int version) {
        return (int) layout.byteSize() | version << 24;
    }
}
