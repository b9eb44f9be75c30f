/* SPDX-License-Identifier: Apache-2.0
 *
 * A libnvidia-ml.so.1 without a GPU: answers what a script says. The script is the file beside the library, its name with
 * ".script" behind it. It is read at nvmlInit, and again when a sample begins and it has changed: whoever writes it (by
 * renaming a new one into its place) can let memory come and go.
 *
 *   driver 570.86.15
 *   cuda 12080
 *   fail nvmlDeviceGetEccMode 3       returns this code (nvml.h nvmlReturn_t); "fail" before the first gpu: for all
 *   hang nvmlDeviceGetTemperature     never returns
 *   slow nvmlInit_v2 300              returns after so many milliseconds
 *   stride 32                         entries of process lists are so long: 16, 24, 32; default by the name
 *   wipe                              the place for a process list is filled with zeros first
 *   gpu NVIDIA H100 80GB HBM3         begins a GPU; what follows is about it
 *   uuid GPU-…
 *   pci 0 59 0                        domain, bus, device
 *   memory TOTAL RESERVED FREE USED   bytes; used does not include reserved
 *   bar1 TOTAL FREE USED
 *   process PID KIND MEMORY [GI [CI]] kind: compute, graphics, mps; memory 18446744073709551615: not known
 *   load COMPUTE MEMORY               percent
 *   sample PID AGE_MS SM MEMORY       of nvmlDeviceGetProcessUtilization
 *   pcie GENERATION WIDTH MAX_GENERATION MAX_WIDTH RECEIVED_KB SENT_KB
 *   throttling REASONS    clock TYPE NOW MAX    celsius N    power MILLIWATTS LIMIT
 *   ecc CURRENT PENDING CORRECTED_VOLATILE UNCORRECTED_VOLATILE CORRECTED_AGGREGATE UNCORRECTED_AGGREGATE
 *   retired SINGLE DOUBLE PENDING     rows CORRECTABLE UNCORRECTABLE PENDING FAILED
 *   persistence 0|1    compute-mode N    addressing N    nvlink STATE…
 *   mig CURRENT PENDING
 *   instance GI UUID TOTAL RESERVED FREE USED
 *
 * A line may begin with "@2" (from the second sample on) or "@2-4"; a sample begins with nvmlDeviceGetCount. Of lines that
 * say one thing the last counts. What a GPU's lines do not say it does not have: NVML_ERROR_NOT_SUPPORTED.
 */
#define _GNU_SOURCE
#include "nvml_structs.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { OK = 0, UNINITIALIZED = 1, INVALID = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, TOO_SMALL = 7, NO_VERSION = 25 };

#define MOST_LINES 4096

/* "gpu" of a line: -1 for what stands before the first. */
struct line {
    int gpu, from, to;
    char word[48];
    char *rest;
};

/* What a handle points at. An instance is a line of its GPU. */
struct device {
    int gpu;
    struct line *instance;
};

static struct line lines[MOST_LINES];
/* Which lines are faults; where the lines of each GPU begin: [gpu + 1] to [gpu + 2]. */
static int faults[MOST_LINES], fault_count, first_line[66];
static int line_count, gpu_count, sample, ready;
static struct device gpus[64], instances[64];

static void read_script(void) {
    static struct stat read;
    struct stat now;
    Dl_info self;
    char path[4096], text[4096];
    if (!dladdr((void *)read_script, &self)) abort();
    snprintf(path, sizeof path, "%s.script", self.dli_fname);
    FILE *file = fopen(path, "r");
    if (!file) return;
    fstat(fileno(file), &now);
    if (line_count && now.st_ino == read.st_ino && now.st_mtim.tv_nsec == read.st_mtim.tv_nsec) {
        fclose(file);
        return;
    }
    read = now;
    line_count = gpu_count = fault_count = 0;
    while (line_count < MOST_LINES && fgets(text, sizeof text, file)) {
        struct line *line = &lines[line_count];
        char *at = text;
        line->from = 0, line->to = 1 << 30;
        text[strcspn(text, "\n")] = 0;
        if (*at == '@') {
            line->from = (int)strtol(at + 1, &at, 10);
            if (*at == '-') line->to = (int)strtol(at + 1, &at, 10);
            at += strspn(at, " ");
        }
        if (!*at || *at == '#') continue;
        size_t length = strcspn(at, " ");
        snprintf(line->word, sizeof line->word, "%.*s", (int)length, at);
        line->rest = strdup(at + length + strspn(at + length, " "));
        if (!strcmp(line->word, "gpu")) {
            gpus[gpu_count].gpu = gpu_count;
            first_line[++gpu_count] = line_count;
        }
        if (!strcmp(line->word, "fail") || !strcmp(line->word, "hang") || !strcmp(line->word, "slow"))
            faults[fault_count++] = line_count;
        line->gpu = gpu_count - 1;
        line_count++;
    }
    fclose(file);
    first_line[gpu_count + 1] = line_count;
}

static int holds(struct line *line, int gpu, const char *word) {
    return line->gpu == gpu && line->from <= sample && sample <= line->to && !strcmp(line->word, word);
}

static struct line *find(int gpu, const char *word) {
    for (int i = first_line[gpu + 2] - 1; i >= first_line[gpu + 1]; i--)
        if (holds(&lines[i], gpu, word)) return &lines[i];
    return NULL;
}

/* The numbers of a line; how many there were. */
static int numbers(const char *rest, u64 *out, int most) {
    int n = 0;
    char *end;
    for (; n < most; rest = end, n++) {
        out[n] = strtoull(rest, &end, 0);
        if (end == rest) break;
    }
    return n;
}

/* Whether a function hangs, is slow or fails here. */
static int enter(const char *function, struct device *device) {
    int gpu = device ? device->gpu : -1;
    for (int i = 0; i < fault_count; i++) {
        struct line *line = &lines[faults[i]];
        size_t length = strlen(function);
        if (strncmp(line->rest, function, length) || (line->rest[length] && line->rest[length] != ' ')) continue;
        int applies = line->gpu == gpu || line->gpu == -1;
        if (!applies || line->from > sample || sample > line->to) continue;
        if (!strcmp(line->word, "hang")) for (;;) pause();
        if (!strcmp(line->word, "slow")) usleep((useconds_t)atoi(line->rest + length) * 1000);
        if (!strcmp(line->word, "fail")) return atoi(line->rest + length);
    }
    return ready ? OK : UNINITIALIZED;
}

#define ENTER(device)                                                                                                  \
    do {                                                                                                               \
        int returned = enter(__func__, device);                                                                        \
        if (returned) return returned;                                                                                 \
    } while (0)

static int text(struct device *device, const char *word, char *out, u32 length) {
    struct line *line = find(device ? device->gpu : -1, word);
    if (!line) return NOT_SUPPORTED;
    if (strlen(line->rest) >= length) return TOO_SMALL;
    strcpy(out, line->rest);
    return OK;
}

/* The index-th number of a GPU's line. */
static int number(struct device *device, const char *word, int index, u64 *out) {
    u64 all[16];
    struct line *line = find(device->gpu, word);
    if (!line || numbers(line->rest, all, 16) <= index) return NOT_SUPPORTED;
    *out = all[index];
    return OK;
}

static int number32(struct device *device, const char *word, int index, u32 *out) {
    u64 wide;
    int returned = number(device, word, index, &wide);
    if (!returned) *out = (u32)wide;
    return returned;
}

static int init(const char *function) {
    read_script();
    ready = 1;
    int returned = enter(function, NULL);
    ready = returned == OK;
    return returned;
}

int nvmlInit_v2(void) { return init(__func__); }
int nvmlInit(void) { return init(__func__); }

int nvmlSystemGetDriverVersion(char *out, u32 length) {
    ENTER(NULL);
    return text(NULL, "driver", out, length);
}

static int cuda(int *out) {
    struct line *line = find(-1, "cuda");
    if (!line) return NOT_SUPPORTED;
    *out = atoi(line->rest);
    return OK;
}

int nvmlSystemGetCudaDriverVersion_v2(int *out) {
    ENTER(NULL);
    return cuda(out);
}

int nvmlSystemGetCudaDriverVersion(int *out) {
    ENTER(NULL);
    return cuda(out);
}

static int count(u32 *out) {
    sample++;
    read_script();
    *out = (u32)gpu_count;
    return OK;
}

int nvmlDeviceGetCount_v2(u32 *out) {
    ENTER(NULL);
    return count(out);
}

int nvmlDeviceGetCount(u32 *out) {
    ENTER(NULL);
    return count(out);
}

static int handle(u32 index, struct device **out) {
    if (index >= (u32)gpu_count) return INVALID;
    *out = &gpus[index];
    return OK;
}

int nvmlDeviceGetHandleByIndex_v2(u32 index, struct device **out) {
    ENTER(index < (u32)gpu_count ? &gpus[index] : NULL);
    return handle(index, out);
}

int nvmlDeviceGetHandleByIndex(u32 index, struct device **out) {
    ENTER(index < (u32)gpu_count ? &gpus[index] : NULL);
    return handle(index, out);
}

int nvmlDeviceGetName(struct device *device, char *out, u32 length) {
    ENTER(device);
    return text(device, "gpu", out, length);
}

int nvmlDeviceGetUUID(struct device *device, char *out, u32 length) {
    ENTER(device);
    if (!device->instance) return text(device, "uuid", out, length);
    char *uuid = strchr(device->instance->rest, ' ') + 1;
    snprintf(out, length, "%.*s", (int)strcspn(uuid, " "), uuid);
    return OK;
}

static int pci(struct device *device, struct pci *out) {
    u64 n[3];
    struct line *line = find(device->gpu, "pci");
    if (!line || numbers(line->rest, n, 3) < 3) return NOT_SUPPORTED;
    out->domain = (u32)n[0], out->bus = (u32)n[1], out->device = (u32)n[2];
    snprintf(out->busIdLegacy, sizeof out->busIdLegacy, "%04X:%02X:%02X.0", out->domain, out->bus, out->device);
    return OK;
}

int nvmlDeviceGetPciInfo_v3(struct device *device, struct pci *out) {
    ENTER(device);
    int returned = pci(device, out);
    if (!returned) snprintf(out->busId, sizeof out->busId, "%08X:%02X:%02X.0", out->domain, out->bus, out->device);
    return returned;
}

int nvmlDeviceGetPciInfo_v2(struct device *device, struct pci *out) {
    ENTER(device);
    return pci(device, out);
}

/* TOTAL RESERVED FREE USED of a GPU or an instance. */
static int memory(struct device *device, u64 *out) {
    struct line *line = device->instance ? device->instance : find(device->gpu, "memory");
    if (!line) return NOT_SUPPORTED;
    char *rest = line->rest;
    if (device->instance) rest = strchr(strchr(rest, ' ') + 1, ' ');
    return rest && numbers(rest, out, 4) == 4 ? OK : NOT_SUPPORTED;
}

int nvmlDeviceGetMemoryInfo_v2(struct device *device, struct memory_v2 *out) {
    u64 n[4];
    ENTER(device);
    if (out->version != (sizeof *out | 2u << 24)) return NO_VERSION;
    int returned = memory(device, n);
    if (!returned) out->total = n[0], out->reserved = n[1], out->free = n[2], out->used = n[3];
    return returned;
}

int nvmlDeviceGetMemoryInfo(struct device *device, struct memory *out) {
    u64 n[4];
    ENTER(device);
    int returned = memory(device, n);
    if (!returned) out->total = n[0], out->free = n[2], out->used = n[3] == ~0ull ? n[3] : n[1] + n[3];
    return returned;
}

int nvmlDeviceGetBAR1MemoryInfo(struct device *device, struct bar1 *out) {
    ENTER(device);
    int returned = number(device, "bar1", 0, &out->bar1Total);
    if (returned) return returned;
    number(device, "bar1", 1, &out->bar1Free);
    return number(device, "bar1", 2, &out->bar1Used);
}

int nvmlDeviceGetUtilizationRates(struct device *device, struct load *out) {
    ENTER(device);
    int returned = number32(device, "load", 0, &out->gpu);
    return returned ? returned : number32(device, "load", 1, &out->memory);
}

static int processes(struct device *device, const char *kind, size_t stride, u32 *room, char *out) {
    u32 n = 0;
    struct line *wish = find(-1, "stride");
    if (wish) stride = (size_t)atoi(wish->rest);
    if (find(-1, "wipe") && out) memset(out, 0, *room * stride);
    for (int i = first_line[device->gpu + 1]; i < first_line[device->gpu + 2]; i++) {
        char is[16];
        u64 rest[3];
        struct process_detail entry = {0};
        if (!holds(&lines[i], device->gpu, "process")) continue;
        if (sscanf(lines[i].rest, "%u %15s", &entry.pid, is) != 2 || strcmp(is, kind)) continue;
        int found = numbers(strstr(lines[i].rest, is) + strlen(is), rest, 3);
        entry.usedGpuMemory = found > 0 ? rest[0] : ~0ull;
        entry.gpuInstanceId = found > 1 ? (u32)rest[1] : ~0u;
        entry.computeInstanceId = found > 2 ? (u32)rest[2] : ~0u;
        if (device->instance && entry.gpuInstanceId != (u32)atoi(device->instance->rest)) continue;
        if (n < *room && out) memcpy(out + n * stride, &entry, stride);
        n++;
    }
    int fits = n <= *room;
    *room = n;
    return fits ? OK : TOO_SMALL;
}

#define PROCESS_LIST(function, kind, entry)                                                                            \
    int function(struct device *device, u32 *room, char *out) {                                                        \
        ENTER(device);                                                                                                 \
        return processes(device, kind, sizeof(struct entry), room, out);                                               \
    }

PROCESS_LIST(nvmlDeviceGetComputeRunningProcesses_v3, "compute", process_v2)
PROCESS_LIST(nvmlDeviceGetComputeRunningProcesses_v2, "compute", process_v2)
PROCESS_LIST(nvmlDeviceGetComputeRunningProcesses, "compute", process_v1)
PROCESS_LIST(nvmlDeviceGetGraphicsRunningProcesses_v3, "graphics", process_v2)
PROCESS_LIST(nvmlDeviceGetGraphicsRunningProcesses_v2, "graphics", process_v2)
PROCESS_LIST(nvmlDeviceGetGraphicsRunningProcesses, "graphics", process_v1)
PROCESS_LIST(nvmlDeviceGetMPSComputeRunningProcesses_v3, "mps", process_v2)
PROCESS_LIST(nvmlDeviceGetMPSComputeRunningProcesses_v2, "mps", process_v2)
PROCESS_LIST(nvmlDeviceGetMPSComputeRunningProcesses, "mps", process_v1)

int nvmlDeviceGetProcessUtilization(struct device *device, struct process_load *out, u32 *room, u64 since) {
    u32 n = 0;
    struct timeval now;
    ENTER(device);
    gettimeofday(&now, NULL);
    for (int i = first_line[device->gpu + 1]; i < first_line[device->gpu + 2]; i++) {
        u64 all[4];
        if (!holds(&lines[i], device->gpu, "sample") || numbers(lines[i].rest, all, 4) < 4) continue;
        u64 time = (u64)now.tv_sec * 1000000 + (u64)now.tv_usec - all[1] * 1000;
        if (time < since) continue;
        if (n < *room && out)
            out[n] = (struct process_load){.pid = (u32)all[0], .timeStamp = time, .smUtil = (u32)all[2], .memUtil = (u32)all[3]};
        n++;
    }
    int fits = n <= *room;
    *room = n;
    return n == 0 ? NOT_FOUND : fits ? OK : TOO_SMALL;
}

#define NUMBER(function, word, index)                                                                                  \
    int function(struct device *device, u32 *out) {                                                                    \
        ENTER(device);                                                                                                 \
        return number32(device, word, index, out);                                                                     \
    }

NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, "pcie", 0)
NUMBER(nvmlDeviceGetCurrPcieLinkWidth, "pcie", 1)
NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, "pcie", 2)
NUMBER(nvmlDeviceGetMaxPcieLinkWidth, "pcie", 3)
NUMBER(nvmlDeviceGetPowerUsage, "power", 0)
NUMBER(nvmlDeviceGetEnforcedPowerLimit, "power", 1)
NUMBER(nvmlDeviceGetPowerManagementLimit, "power", 1)
NUMBER(nvmlDeviceGetPersistenceMode, "persistence", 0)
NUMBER(nvmlDeviceGetComputeMode, "compute-mode", 0)
NUMBER(nvmlDeviceGetRetiredPagesPendingStatus, "retired", 2)

int nvmlDeviceGetPcieThroughput(struct device *device, u32 counter, u32 *out) {
    ENTER(device);
    return number32(device, "pcie", counter == 1 ? 4 : 5, out);
}

int nvmlDeviceGetCurrentClocksEventReasons(struct device *device, u64 *out) {
    ENTER(device);
    return number(device, "throttling", 0, out);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(struct device *device, u64 *out) {
    ENTER(device);
    return number(device, "throttling", 0, out);
}

static int clock_of(struct device *device, u32 type, int index, u32 *out) {
    for (int i = first_line[device->gpu + 2] - 1; i >= first_line[device->gpu + 1]; i--) {
        u64 all[3];
        if (!holds(&lines[i], device->gpu, "clock") || numbers(lines[i].rest, all, 3) < 3 || all[0] != type) continue;
        *out = (u32)all[index];
        return OK;
    }
    return NOT_SUPPORTED;
}

int nvmlDeviceGetClockInfo(struct device *device, u32 type, u32 *out) {
    ENTER(device);
    return clock_of(device, type, 1, out);
}

int nvmlDeviceGetMaxClockInfo(struct device *device, u32 type, u32 *out) {
    ENTER(device);
    return clock_of(device, type, 2, out);
}

int nvmlDeviceGetTemperatureV(struct device *device, struct temperature *out) {
    u64 celsius;
    ENTER(device);
    if (out->version != (sizeof *out | 1u << 24)) return NO_VERSION;
    int returned = number(device, "celsius", 0, &celsius);
    if (!returned) out->temperature = (int)celsius;
    return returned;
}

int nvmlDeviceGetTemperature(struct device *device, u32 sensor, u32 *out) {
    ENTER(device);
    return sensor ? INVALID : number32(device, "celsius", 0, out);
}

int nvmlDeviceGetEccMode(struct device *device, u32 *current, u32 *pending) {
    ENTER(device);
    int returned = number32(device, "ecc", 0, current);
    return returned ? returned : number32(device, "ecc", 1, pending);
}

int nvmlDeviceGetTotalEccErrors(struct device *device, u32 type, u32 counter, u64 *out) {
    ENTER(device);
    return number(device, "ecc", (int)(2 + 2 * counter + type), out);
}

int nvmlDeviceGetRetiredPages(struct device *device, u32 cause, u32 *room, u64 *out) {
    u32 n;
    ENTER(device);
    int returned = number32(device, "retired", (int)cause, &n);
    if (returned) return returned;
    int fits = n <= *room;
    for (u32 i = 0; fits && i < n; i++) out[i] = i;
    *room = n;
    return fits ? OK : TOO_SMALL;
}

int nvmlDeviceGetRemappedRows(struct device *device, u32 *correctable, u32 *uncorrectable, u32 *pending, u32 *failed) {
    ENTER(device);
    int returned = number32(device, "rows", 0, correctable);
    if (returned) return returned;
    number32(device, "rows", 1, uncorrectable), number32(device, "rows", 2, pending);
    return number32(device, "rows", 3, failed);
}

int nvmlDeviceGetMigMode(struct device *device, u32 *current, u32 *pending) {
    ENTER(device);
    int returned = number32(device, "mig", 0, current);
    return returned ? returned : number32(device, "mig", 1, pending);
}

int nvmlDeviceGetMaxMigDeviceCount(struct device *device, u32 *out) {
    ENTER(device);
    *out = 7;
    return OK;
}

/* Handles are given out by the place of the instance's line, so that a place without one is a gap. */
int nvmlDeviceGetMigDeviceHandleByIndex(struct device *device, u32 index, struct device **out) {
    u32 n = 0;
    ENTER(device);
    for (int i = first_line[device->gpu + 1]; i < first_line[device->gpu + 2]; i++) {
        if (!holds(&lines[i], device->gpu, "instance") || n++ != index) continue;
        struct device *instance = &instances[(device->gpu * 8 + (int)index) % 64];
        *instance = (struct device){.gpu = device->gpu, .instance = &lines[i]};
        *out = instance;
        return OK;
    }
    return NOT_FOUND;
}

int nvmlDeviceGetGpuInstanceId(struct device *device, u32 *out) {
    ENTER(device);
    if (!device->instance) return INVALID;
    *out = (u32)atoi(device->instance->rest);
    return OK;
}

int nvmlDeviceGetNvLinkState(struct device *device, u32 link, u32 *out) {
    ENTER(device);
    u64 all[18];
    struct line *line = find(device->gpu, "nvlink");
    if (!line) return NOT_SUPPORTED;
    if (link >= (u32)numbers(line->rest, all, 18)) return INVALID;
    *out = (u32)all[link];
    return OK;
}

int nvmlDeviceGetAddressingMode(struct device *device, struct addressing *out) {
    ENTER(device);
    if (out->version != (sizeof *out | 1u << 24)) return NO_VERSION;
    return number32(device, "addressing", 0, &out->value);
}
