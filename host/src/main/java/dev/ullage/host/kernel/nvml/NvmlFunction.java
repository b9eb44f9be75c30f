// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import java.util.List;

/// The functions of NVIDIA's management library that are asked, each with its names from the newest to the oldest.
///
/// A new version of a function gets a new name (`_v2`, `_v3`) and the old one stays, so a library has some of them.
/// Each
/// is looked up on its own, at its first call: a driver that lacks one loses the line it would have told, not the GPU.
///
/// Source: nvml.h, public in NVIDIA/go-nvml. The last word of each comment is the oldest driver known to have the
/// newest name.
enum NvmlFunction {
    /// 304.
    INIT("nvmlInit_v2", "nvmlInit"),
    DRIVER_VERSION("nvmlSystemGetDriverVersion"),
    /// 418.
    CUDA_VERSION("nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"),
    COUNT("nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"),
    HANDLE("nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"),
    NAME("nvmlDeviceGetName"),
    UUID("nvmlDeviceGetUUID"),
    /// 384. The first fields lie alike in all three.
    PCI("nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo"),
    /// 510: tells what the driver keeps for itself apart.
    MEMORY_V2("nvmlDeviceGetMemoryInfo_v2"),
    MEMORY("nvmlDeviceGetMemoryInfo"),
    BAR1("nvmlDeviceGetBAR1MemoryInfo"),
    LOAD("nvmlDeviceGetUtilizationRates"),
    /// 510 (`_v3`), 450 (`_v2`). How long an entry is does not follow from the name: see [NvmlProcesses].
    COMPUTE_PROCESSES(
            "nvmlDeviceGetComputeRunningProcesses_v3",
            "nvmlDeviceGetComputeRunningProcesses_v2",
            "nvmlDeviceGetComputeRunningProcesses"),
    GRAPHICS_PROCESSES(
            "nvmlDeviceGetGraphicsRunningProcesses_v3",
            "nvmlDeviceGetGraphicsRunningProcesses_v2",
            "nvmlDeviceGetGraphicsRunningProcesses"),
    MPS_PROCESSES(
            "nvmlDeviceGetMPSComputeRunningProcesses_v3",
            "nvmlDeviceGetMPSComputeRunningProcesses_v2",
            "nvmlDeviceGetMPSComputeRunningProcesses"),
    /// 375.
    PROCESS_LOADS("nvmlDeviceGetProcessUtilization"),
    LINK_GENERATION("nvmlDeviceGetCurrPcieLinkGeneration"),
    LINK_WIDTH("nvmlDeviceGetCurrPcieLinkWidth"),
    MAX_LINK_GENERATION("nvmlDeviceGetMaxPcieLinkGeneration"),
    MAX_LINK_WIDTH("nvmlDeviceGetMaxPcieLinkWidth"),
    /// Measures for 20 ms, each time.
    THROUGHPUT("nvmlDeviceGetPcieThroughput"),
    /// 535: renamed, same bits.
    THROTTLING("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"),
    CLOCK("nvmlDeviceGetClockInfo"),
    MAX_CLOCK("nvmlDeviceGetMaxClockInfo"),
    /// 570, and it stays when the older one goes.
    TEMPERATURE_V("nvmlDeviceGetTemperatureV"),
    TEMPERATURE("nvmlDeviceGetTemperature"),
    POWER("nvmlDeviceGetPowerUsage"),
    POWER_LIMIT("nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetPowerManagementLimit"),
    ECC_MODE("nvmlDeviceGetEccMode"),
    ECC_ERRORS("nvmlDeviceGetTotalEccErrors"),
    RETIRED_PAGES("nvmlDeviceGetRetiredPages"),
    RETIRED_PENDING("nvmlDeviceGetRetiredPagesPendingStatus"),
    /// 450, Ampere and later.
    REMAPPED_ROWS("nvmlDeviceGetRemappedRows"),
    PERSISTENCE("nvmlDeviceGetPersistenceMode"),
    COMPUTE_MODE("nvmlDeviceGetComputeMode"),
    /// 450.
    MIG_MODE("nvmlDeviceGetMigMode"),
    MAX_MIG_DEVICES("nvmlDeviceGetMaxMigDeviceCount"),
    MIG_HANDLE("nvmlDeviceGetMigDeviceHandleByIndex"),
    GPU_INSTANCE("nvmlDeviceGetGpuInstanceId"),
    NVLINK_STATE("nvmlDeviceGetNvLinkState"),
    /// 580.
    ADDRESSING("nvmlDeviceGetAddressingMode");

    private final List<String> names;

    NvmlFunction(String... names) {
        this.names = List.of(names);
    }

    /// The newest first.
    List<String> names() {
        return names;
    }
}
