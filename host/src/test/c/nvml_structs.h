/* SPDX-License-Identifier: Apache-2.0
 *
 * The structures of NVIDIA's management library that Ullage reads, declared from the facts of the public nvml.h (CUDA 12
 * and 13): names, order and types of the fields. Used by the fake library and by layouts.c.
 */
#ifndef ULLAGE_NVML_STRUCTS_H
#define ULLAGE_NVML_STRUCTS_H

typedef unsigned int u32;
typedef unsigned long long u64;

struct pci { /* nvmlPciInfo_t */
    char busIdLegacy[16];
    u32 domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[32];
};

struct memory { /* nvmlMemory_t */
    u64 total, free, used;
};

struct memory_v2 { /* nvmlMemory_v2_t */
    u32 version;
    u64 total, reserved, free, used;
};

struct bar1 { /* nvmlBAR1Memory_t */
    u64 bar1Total, bar1Free, bar1Used;
};

struct load { /* nvmlUtilization_t */
    u32 gpu, memory;
};

struct process_v1 { /* nvmlProcessInfo_v1_t */
    u32 pid;
    u64 usedGpuMemory;
};

struct process_v2 { /* nvmlProcessInfo_v2_t */
    u32 pid;
    u64 usedGpuMemory;
    u32 gpuInstanceId, computeInstanceId;
};

struct process_detail { /* nvmlProcessDetail_v1_t; what _v3 returned in drivers 535.43 to 535.86 */
    u32 pid;
    u64 usedGpuMemory;
    u32 gpuInstanceId, computeInstanceId;
    u64 usedGpuCcProtectedMemory;
};

struct process_load { /* nvmlProcessUtilizationSample_t */
    u32 pid;
    u64 timeStamp;
    u32 smUtil, memUtil, encUtil, decUtil;
};

struct temperature { /* nvmlTemperature_v1_t */
    u32 version;
    int sensorType, temperature;
};

struct addressing { /* nvmlDeviceAddressingMode_v1_t */
    u32 version, value;
};

#endif
