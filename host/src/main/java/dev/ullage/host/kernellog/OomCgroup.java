// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import java.util.Optional;

/// The numbers of the cgroup whose limit was reached, at the moment of the kill. They tell an own set too large
/// from a tmpfs that fills the limit, when both are long gone.
///
/// ```
/// memory: usage 65536kB, limit 65536kB, failcnt 87
/// memory+swap: usage 65536kB, limit 9007199254740988kB, failcnt 0      cgroup v1; v2 says "swap:"
/// kmem: usage 456kB, limit 9007199254740988kB, failcnt 0               cgroup v1
/// Memory cgroup stats for /klogtest:
/// cache 0
/// total_rss 66547712
/// ```
/// Mistake people make: reading `rss 0` of cgroup v1. That is the cgroup's alone; the limit counts the cgroups below
/// too, and those are in `total_rss`. [#stat] holds the latter under the short name.
///
/// @param stat memory.stat of the cgroup and those below it; sizes in bytes, events as counts
public record OomCgroup(
        Optional<Charge> memory,
        Optional<Charge> memoryAndSwap,
        Optional<Charge> swap,
        Optional<Charge> kmem,
        KeyValues stat) {

    /// One of the lines that give usage and limit.
    ///
    /// @param limit empty when there is none
    /// @param failcnt how often the limit was hit since the cgroup was made; most times reclaim helped
    public record Charge(Bytes usage, Optional<Bytes> limit, long failcnt) {
        /// "No limit" is the largest number of whole pages that fits in 63 bits: 9007199254740988 KiB, or …740928
        /// with 64 KiB pages; Linux 3.10 says …740991.
        private static final Bytes UNLIMITED = OomNumbers.times(1L << 60, 1);

        static Charge ofKiB(String usage, String limit, long failcnt) {
            Bytes bytes = OomNumbers.kib(limit);
            return new Charge(
                    OomNumbers.kib(usage),
                    bytes.compareTo(UNLIMITED) < 0 ? Optional.of(bytes) : Optional.empty(),
                    failcnt);
        }
    }

    /// Memory of the processes themselves.
    public Optional<Bytes> anonymous() {
        return first("anon", "rss");
    }

    /// Files in memory that could have been given back: the page cache without tmpfs.
    public Optional<Bytes> pageCache() {
        return first("file", "cache")
                .map(files -> files.minus(shmem().orElse(Bytes.NONE)).orNoneIfNegative());
    }

    /// tmpfs, /dev/shm and shared anonymous memory: nobody's to the task table, and not reclaimable without swap.
    public Optional<Bytes> shmem() {
        return first("shmem");
    }

    /// Files that were mapped, a model that is served by mmap among them. Part of the page cache.
    public Optional<Bytes> mapped() {
        return first("file_mapped", "mapped_file");
    }

    private Optional<Bytes> first(String... keys) {
        for (String key : keys)
            if (stat.get(key).isPresent())
                return Optional.of(new Bytes(stat.get(key).getAsLong()));
        return Optional.empty();
    }
}
