// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.HashMap;
import java.util.Map;

/// How busy each process kept a GPU, from the driver's last samples. A process without one did nothing in that time, or
/// its driver does not sample (MIG, WSL, consumer cards before Maxwell).
final class NvmlProcessLoads {
    /// How old a sample may be, in microseconds. The driver takes one or more a second and keeps many.
    private static final long AGE = 2_000_000;

    private static final int ROOM = 512;

    private NvmlProcessLoads() {}

    /// ` load=97 memory-load=41` by pid: the newest sample of each.
    static Map<Integer, String> of(NvmlHandle gpu) {
        Map<Integer, String> loads = new HashMap<>();
        StructLayout layout = NvmlLayout.PROCESS_LOAD;
        MemorySegment samples = gpu.arena().allocate(ROOM * layout.byteSize(), 8);
        gpu.out().set(JAVA_INT, 0, ROOM);
        long since = System.currentTimeMillis() * 1000 - AGE;
        if (!gpu.ask(NvmlFunction.PROCESS_LOADS, samples.address(), gpu.out().address(), since)) return loads;
        Map<Integer, Long> times = new HashMap<>();
        long count = Math.min(gpu.number(0), ROOM);
        for (long i = 0; i < count; i++) {
            MemorySegment sample = samples.asSlice(i * layout.byteSize(), layout.byteSize());
            int pid = sample.get(JAVA_INT, NvmlLayout.offset(layout, "pid"));
            long time = sample.get(JAVA_LONG, NvmlLayout.offset(layout, "timeStamp"));
            long sm = Integer.toUnsignedLong(sample.get(JAVA_INT, NvmlLayout.offset(layout, "smUtil")));
            long memory = Integer.toUnsignedLong(sample.get(JAVA_INT, NvmlLayout.offset(layout, "memUtil")));
            // The slots of the buffer that hold nothing have pid 0; above 100 % stands for "not known".
            if (pid == 0 || sm > 100 || memory > 100 || time < times.getOrDefault(pid, 0L)) continue;
            times.put(pid, time);
            loads.put(pid, " load=" + sm + " memory-load=" + memory);
        }
        return loads;
    }
}
