// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import dev.ullage.measure.AbsentCause;

/// What a function of the library may return instead of success. Source: nvml.h `nvmlReturn_t`.
///
/// A name alone helps nobody, so each comes with what it means here.
enum NvmlReturn {
    UNINITIALIZED(1, AbsentCause.NOT_CONFIGURED, "the library was not initialised"),
    INVALID_ARGUMENT(2, AbsentCause.NOT_PRESENT, "the library does not know what was asked about"),
    NOT_SUPPORTED(3, AbsentCause.NOT_CONFIGURED, "this GPU or its mode does not have it"),
    NO_PERMISSION(4, AbsentCause.NO_PERMISSION, "the driver tells it to root only"),
    NOT_FOUND(6, AbsentCause.NOT_PRESENT, "there is none"),
    INSUFFICIENT_SIZE(7, AbsentCause.MALFORMED, "the list kept growing while it was read"),
    INSUFFICIENT_POWER(8, AbsentCause.NOT_CONFIGURED, "the power cables of the card are not attached"),
    DRIVER_NOT_LOADED(
            9,
            AbsentCause.NOT_CONFIGURED,
            "the NVIDIA kernel module is not loaded, or its devices are not in this container"),
    TIMEOUT(10, AbsentCause.TIMED_OUT, "the driver gave up waiting"),
    IRQ_ISSUE(11, AbsentCause.NOT_CONFIGURED, "the kernel has an interrupt problem with the GPU"),
    LIBRARY_NOT_FOUND(12, AbsentCause.NOT_PRESENT, "a library that the driver needs is missing"),
    FUNCTION_NOT_FOUND(13, AbsentCause.NOT_ON_THIS_KERNEL, "this driver has no such function"),
    CORRUPTED_INFOROM(14, AbsentCause.MALFORMED, "the memory of the card that holds its settings is damaged"),
    GPU_IS_LOST(15, AbsentCause.VANISHED, "the GPU has fallen off the bus"),
    RESET_REQUIRED(16, AbsentCause.VANISHED, "the GPU must be reset before it works again"),
    OPERATING_SYSTEM(17, AbsentCause.NO_PERMISSION, "a device cgroup keeps us from the GPU"),
    LIB_RM_VERSION_MISMATCH(
            18,
            AbsentCause.NOT_CONFIGURED,
            "library and kernel module are of different versions: the driver was updated and not reloaded"),
    IN_USE(19, AbsentCause.NOT_CONFIGURED, "the GPU is in use"),
    MEMORY(20, AbsentCause.NOT_CONFIGURED, "the library found no memory for its own use"),
    NO_DATA(21, AbsentCause.NOT_PRESENT, "there is no data"),
    VGPU_ECC_NOT_SUPPORTED(22, AbsentCause.NOT_CONFIGURED, "not while ECC is on"),
    INSUFFICIENT_RESOURCES(23, AbsentCause.NOT_CONFIGURED, "the driver ran out of something other than memory"),
    FREQ_NOT_SUPPORTED(24, AbsentCause.NOT_CONFIGURED, "the GPU does not have that clock"),
    ARGUMENT_VERSION_MISMATCH(25, AbsentCause.NOT_ON_THIS_KERNEL, "this driver knows another version of the structure"),
    DEPRECATED(26, AbsentCause.NOT_ON_THIS_KERNEL, "this driver has it no more"),
    NOT_READY(27, AbsentCause.NOT_CONFIGURED, "the GPU is not ready"),
    GPU_NOT_FOUND(28, AbsentCause.VANISHED, "the GPU is gone"),
    INVALID_STATE(29, AbsentCause.NOT_CONFIGURED, "the GPU is in no state for it"),
    UNKNOWN(999, AbsentCause.MALFORMED, "the driver had an error of its own");

    static final int SUCCESS = 0;

    private final int code;
    private final AbsentCause cause;
    private final String meaning;

    NvmlReturn(int code, AbsentCause cause, String meaning) {
        this.code = code;
        this.cause = cause;
        this.meaning = meaning;
    }

    int code() {
        return code;
    }

    static AbsentCause cause(int code) {
        for (NvmlReturn value : values()) if (value.code == code) return value.cause;
        return AbsentCause.MALFORMED;
    }

    /// `NVML_ERROR_GPU_IS_LOST: the GPU has fallen off the bus`.
    static String shown(int code) {
        for (NvmlReturn value : values()) if (value.code == code) return "NVML_ERROR_" + value + ": " + value.meaning;
        return "NVML error " + code + ": not among those of nvml.h 12";
    }
}
