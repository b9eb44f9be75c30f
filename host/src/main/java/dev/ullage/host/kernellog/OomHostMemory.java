// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.measure.Bytes;
import java.util.Map;
import java.util.Optional;

/// Where the host's memory was at the moment of the kill. Source: mm/show_mem.c (once in
/// mm/page_alloc.c).
///
/// ```
/// active_anon:503 inactive_anon:48316 isolated_anon:0
///  active_file:0 inactive_file:0 isolated_file:0
///  unevictable:0 dirty:0 writeback:0
///  slab_reclaimable:2251 slab_unreclaimable:1484
///  mapped:562 shmem:860 pagetables:117
///  free:637 free_pcp:49 free_cma:0
/// Free swap  = 0kB
/// Total swap = 0kB
/// 65406 pages RAM
/// ```
/// The counts are pages; here they are bytes.
///
/// @param anonymous memory of processes, and tmpfs: the kernel keeps both on the anon lists
/// @param shmem the part of it that is tmpfs, /dev/shm and shared anonymous memory
/// @param pageCache files that could have been given back
/// @param unevictable mlocked
/// @param kernel slab that cannot be reclaimed
/// @param ram all there is, reserved pages included
public record OomHostMemory(
        Optional<Bytes> anonymous,
        Optional<Bytes> shmem,
        Optional<Bytes> pageCache,
        Optional<Bytes> unevictable,
        Optional<Bytes> kernel,
        Optional<Bytes> free,
        Optional<Bytes> ram,
        Optional<Bytes> swapTotal,
        Optional<Bytes> swapFree) {

    static OomHostMemory of(
            Map<String, Long> pages, long pageSize, Optional<Bytes> swapTotal, Optional<Bytes> swapFree) {
        return new OomHostMemory(
                sum(pages, pageSize, "active_anon", "inactive_anon"),
                sum(pages, pageSize, "shmem"),
                sum(pages, pageSize, "active_file", "inactive_file"),
                sum(pages, pageSize, "unevictable"),
                sum(pages, pageSize, "slab_unreclaimable"),
                sum(pages, pageSize, "free"),
                sum(pages, pageSize, RAM),
                swapTotal,
                swapFree);
    }

    /// The key under which the line `65406 pages RAM` is kept with the other counts.
    static final String RAM = "pages RAM";

    private static Optional<Bytes> sum(Map<String, Long> pages, long pageSize, String... keys) {
        long sum = 0;
        for (String key : keys) {
            Long count = pages.get(key);
            if (count == null) return Optional.empty();
            sum = OomNumbers.sum(sum, count);
        }
        return Optional.of(OomNumbers.times(sum, pageSize));
    }
}
