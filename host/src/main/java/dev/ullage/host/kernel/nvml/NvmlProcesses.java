// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Who has memory on a GPU: the lists of compute, graphics and MPS processes, made into one.
///
/// **How long an entry is.** The first version of these functions lists entries of 16 bytes, the second and third of
/// 24.
/// But the driver 535.43 to 535.86 answered the third with 32 (it had added a field and kept the name), and one has
/// been
/// reported that answers it with 16. Whoever trusts the name then reads every second pid out of the middle of an entry.
/// So the place for the answer is filled with a mark first, and how far the library wrote over it says how long its
/// entries are.
///
/// A process that is in several lists (nvidia-smi shows `C+G`, `M+C`) has its memory once.
final class NvmlProcesses {
    private static final int FIRST_ROOM = 256;
    /// What lists more than this is broken.
    private static final int MOST = 1 << 14;

    private static final byte MARK = (byte) 0xA5;
    private static final int NO_INSTANCE = -1;

    /// The last one that lists a process names it.
    private static final NvmlFunction[] LISTS = {
        NvmlFunction.GRAPHICS_PROCESSES, NvmlFunction.COMPUTE_PROCESSES, NvmlFunction.MPS_PROCESSES
    };

    private static final String[] KINDS = {"graphics", "compute", "mps"};

    private final Map<Key, Entry> entries = new LinkedHashMap<>();
    /// The driver's numbers of the instances, by their place in the transcript.
    private final List<Long> instances = new ArrayList<>();

    private boolean answered;

    private record Key(int pid, int place) {}

    private record Entry(String kind, long memory) {}

    void instance(long number) {
        instances.add(number);
    }

    int instances() {
        return instances.size();
    }

    boolean wasAnswered() {
        return answered;
    }

    /// @param place of the instance that is asked, -1 for a whole GPU
    void ask(NvmlHandle gpu, int place) {
        for (int i = 0; i < LISTS.length; i++) {
            boolean isTold = ask(gpu, LISTS[i], KINDS[i], place);
            if (LISTS[i] != NvmlFunction.COMPUTE_PROCESSES) continue;
            // Without the compute processes the others say nothing about who has the memory.
            if (!isTold) return;
            answered = true;
        }
    }

    private boolean ask(NvmlHandle gpu, NvmlFunction list, String kind, int place) {
        for (int room = FIRST_ROOM; room <= MOST; room *= 4) {
            long bytes = room * NvmlLayout.PROCESS_DETAIL.byteSize();
            MemorySegment found = gpu.arena().allocate(bytes, 8).fill(MARK);
            gpu.out().set(JAVA_INT, 0, room);
            if (gpu.ask(list, gpu.out().address(), found.address())) {
                long count = Math.min(gpu.number(0), room);
                // In a room that is half empty its end tells whether the library wiped it before it wrote.
                if (count > room / 2 && room * 4 <= MOST) continue;
                boolean isWiped = found.get(JAVA_BYTE, room * NvmlLayout.PROCESS_V1.byteSize() - 1) != MARK;
                long size = size(found, count, isWiped);
                for (long i = 0; i < count; i++) take(found.asSlice(i * size, size), kind, place);
                return true;
            }
            if (gpu.returned() != NvmlReturn.INSUFFICIENT_SIZE.code()) return false;
        }
        return false;
    }

    /// The smallest size of which `count` hold all that was written.
    ///
    /// @param isWiped whether zeros are what nobody wrote; else only the mark is
    private static long size(MemorySegment found, long count, boolean isWiped) {
        long[] sizes = {
            NvmlLayout.PROCESS_V1.byteSize(), NvmlLayout.PROCESS_V2.byteSize(), NvmlLayout.PROCESS_DETAIL.byteSize()
        };
        for (long size : sizes) {
            boolean isAll = true;
            for (long at = count * size; at < count * sizes[2]; at++) {
                byte is = found.get(JAVA_BYTE, at);
                isAll &= is == MARK || isWiped && is == 0;
            }
            if (isAll) return size;
        }
        return sizes[2];
    }

    private void take(MemorySegment entry, String kind, int place) {
        int pid = entry.get(JAVA_INT, NvmlLayout.offset(NvmlLayout.PROCESS_V2, "pid"));
        long memory = entry.get(JAVA_LONG, NvmlLayout.offset(NvmlLayout.PROCESS_V2, "usedGpuMemory"));
        long inInstance = entry.byteSize() < NvmlLayout.PROCESS_V2.byteSize()
                ? NO_INSTANCE
                : entry.get(JAVA_INT, NvmlLayout.offset(NvmlLayout.PROCESS_V2, "gpuInstanceId"));
        int where = place >= 0 ? place : instances.indexOf(inInstance);
        // Of a divided GPU both it and its instances list a process, and it need not say in which of them that runs.
        if (where < 0 && entries.keySet().stream().anyMatch(key -> key.pid == pid && key.place >= 0)) return;
        entries.merge(
                new Key(pid, where),
                new Entry(kind, memory),
                (old, more) -> new Entry(more.kind, more.memory < 0 ? old.memory : more.memory));
    }

    /// `process pid=812 kind=compute memory=78110000000 instance=1 load=97 memory-load=41`.
    ///
    /// @param loads by pid, as [NvmlProcessLoads] has them
    List<String> lines(Map<Integer, String> loads) {
        List<String> lines = new ArrayList<>();
        entries.forEach((key, entry) -> lines.add("process pid=" + key.pid + " kind=" + entry.kind
                + (entry.memory < 0 ? "" : " memory=" + entry.memory)
                + (key.place < 0 ? "" : " instance=" + key.place)
                + loads.getOrDefault(key.pid, "")));
        return lines;
    }
}
