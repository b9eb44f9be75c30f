/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints "structure size" and "structure.field offset", as this compiler lays them out.
 */
#include "nvml_structs.h"
#include <stddef.h>
#include <stdio.h>

#define SIZE(s) printf(#s " %zu\n", sizeof(struct s))
#define AT(s, f) printf(#s "." #f " %zu\n", offsetof(struct s, f))

int main(void) {
    SIZE(pci), AT(pci, busIdLegacy), AT(pci, domain), AT(pci, bus), AT(pci, device), AT(pci, pciDeviceId);
    AT(pci, pciSubSystemId), AT(pci, busId);
    SIZE(memory), AT(memory, total), AT(memory, free), AT(memory, used);
    SIZE(memory_v2), AT(memory_v2, version), AT(memory_v2, total), AT(memory_v2, reserved), AT(memory_v2, free);
    AT(memory_v2, used);
    SIZE(bar1), AT(bar1, bar1Total), AT(bar1, bar1Free), AT(bar1, bar1Used);
    SIZE(load), AT(load, gpu), AT(load, memory);
    SIZE(process_v1), AT(process_v1, pid), AT(process_v1, usedGpuMemory);
    SIZE(process_v2), AT(process_v2, pid), AT(process_v2, usedGpuMemory), AT(process_v2, gpuInstanceId);
    AT(process_v2, computeInstanceId);
    SIZE(process_detail), AT(process_detail, pid), AT(process_detail, usedGpuMemory), AT(process_detail, gpuInstanceId);
    AT(process_detail, computeInstanceId), AT(process_detail, usedGpuCcProtectedMemory);
    SIZE(process_load), AT(process_load, pid), AT(process_load, timeStamp), AT(process_load, smUtil);
    AT(process_load, memUtil), AT(process_load, encUtil), AT(process_load, decUtil);
    SIZE(temperature), AT(temperature, version), AT(temperature, sensorType), AT(temperature, temperature);
    SIZE(addressing), AT(addressing, version), AT(addressing, value);
    return 0;
}
