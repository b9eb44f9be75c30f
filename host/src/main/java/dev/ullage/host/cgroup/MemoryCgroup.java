// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.Optional;

/// What one memory cgroup may use and uses, v1 and v2 in one shape. Sources: Documentation/admin-guide/cgroup-v1/
/// memory.rst and cgroup-v2.rst.
///
/// Mistakes people make: usage counts page cache, so "usage at the limit" is the healthy resting state of a
/// container that has read a large file; and page cache is charged to the cgroup that touched it first.
///
/// ```
/// v1: memory.limit_in_bytes, memory.usage_in_bytes, memory.failcnt, memory.stat (total_… = with its children)
/// v2: memory.max, memory.high, memory.current, memory.events (max 1234), memory.stat (with its children)
/// ```
///
/// @param limit hard limit; empty when there is none
/// @param high v2's `memory.high`: above it the members are slowed down, not killed
/// @param swapLimit how much may be swapped out; empty when there is none
/// @param swapped what of it is swapped out: v1 `total_swap`, v2 `memory.swap.current`
/// @param stat `memory.stat`, names as the kernel has them
/// @param limitHits how often the limit was hit: v1 `failcnt`, v2 `max` + `high` events
/// @param oomKills processes killed in it by the kernel
public record MemoryCgroup(
        CgroupId id,
        Optional<Bytes> limit,
        Optional<Bytes> high,
        Bytes usage,
        Optional<Bytes> swapLimit,
        Bytes swapped,
        KeyValues stat,
        long limitHits,
        long oomKills) {
    /// v1 writes "no limit" as the largest multiple of a page, 2^63 − 4096; anything above 2^60 (1 EiB) is none.
    private static final long NO_LIMIT = 1L << 60;

    public static final Fact<CgroupId, MemoryCgroup> FACT = new Fact<>(
            "memory of a cgroup",
            "memory.stat, memory.max / memory.limit_in_bytes",
            Cadence.ALWAYS,
            "",
            MemoryCgroup::read);

    private static Reading<MemoryCgroup> read(HostRoot root, CgroupId id) {
        return root.text(id.file("memory.stat")).flatMap(text -> {
            KeyValues stat = KeyValues.parse(text);
            return id.isV2() ? readV2(root, id, stat) : readV1(root, id, stat);
        });
    }

    private static Reading<MemoryCgroup> readV1(HostRoot root, CgroupId id, KeyValues stat) {
        return number(root, id, "memory.usage_in_bytes").map(usage -> {
            Optional<Bytes> limit = limit(root, id, "memory.limit_in_bytes");
            Optional<Bytes> withSwap = limit(root, id, "memory.memsw.limit_in_bytes");
            KeyValues oom =
                    KeyValues.parse(root.text(id.file("memory.oom_control")).orElse(""));
            return new MemoryCgroup(
                    id,
                    limit,
                    Optional.empty(),
                    new Bytes(usage),
                    // memsw counts memory and swap together.
                    withSwap.map(both -> both.minus(limit.orElse(both)).orNoneIfNegative()),
                    new Bytes(stat.orZero("total_swap")),
                    stat,
                    number(root, id, "memory.failcnt").orElse(0L),
                    oom.orZero("oom_kill"));
        });
    }

    private static Reading<MemoryCgroup> readV2(HostRoot root, CgroupId id, KeyValues stat) {
        KeyValues events = KeyValues.parse(root.text(id.file("memory.events")).orElse(""));
        // The root cgroup of v2 has memory.stat but no memory.current: its usage is what it says it holds.
        long held = stat.orZero("anon") + stat.orZero("file") + stat.orZero("kernel");
        return Reading.of(new MemoryCgroup(
                id,
                limit(root, id, "memory.max"),
                limit(root, id, "memory.high"),
                new Bytes(number(root, id, "memory.current").orElse(held)),
                limit(root, id, "memory.swap.max"),
                new Bytes(number(root, id, "memory.swap.current").orElse(0L)),
                stat,
                events.orZero("max") + events.orZero("high"),
                events.orZero("oom_kill")));
    }

    private static Reading<Long> number(HostRoot root, CgroupId id, String file) {
        return root.text(id.file(file)).flatMap(text -> {
            var number = KeyValues.number(text.strip());
            return number.isPresent()
                    ? Reading.of(number.getAsLong())
                    : Reading.malformed(id.file(file), text, "a number of bytes");
        });
    }

    private static Optional<Bytes> limit(HostRoot root, CgroupId id, String file) {
        return switch (number(root, id, file)) {
            case Reading.Present<Long>(Long bytes) when bytes >= 0 && bytes < NO_LIMIT -> Optional.of(new Bytes(bytes));
            case Reading.Present<Long> _ -> Optional.empty();
            // "max", or the root cgroup, which has no such file.
            case Reading.Absent<Long> _ -> Optional.empty();
        };
    }

    /// The limit that is felt first: `memory.high` when it is below `memory.max`.
    public Optional<Bytes> bindingLimit() {
        if (high.isPresent() && (limit.isEmpty() || limit.get().isMoreThan(high.get()))) return high;
        return limit;
    }

    /// Anonymous memory in RAM, of it and its children.
    public Bytes anonymous() {
        return stat("anon", "total_rss");
    }

    /// tmpfs and shared memory: in the page cache, but only swap can take it.
    public Bytes shmem() {
        return stat("shmem", "total_shmem");
    }

    /// Page cache of files on disks and network mounts: without shmem, which the kernel counts among it.
    public Bytes pageCache() {
        return stat("file", "total_cache").minus(shmem()).orNoneIfNegative();
    }

    /// File pages it could give back: on the reclaim lists, so neither shmem nor locked.
    public Bytes reclaimableFile() {
        return stat("inactive_file", "total_inactive_file").plus(stat("active_file", "total_active_file"));
    }

    /// What it uses and cannot give back without swapping or killing.
    public Bytes unreclaimable() {
        return usage.minus(reclaimableFile())
                .minus(stat("slab_reclaimable", ""))
                .orNoneIfNegative();
    }

    /// What its members can still get without a kill: the limit less what cannot be reclaimed.
    public Bytes room() {
        return bindingLimit()
                .map(l -> l.minus(unreclaimable()).orNoneIfNegative())
                .orElse(new Bytes(Long.MAX_VALUE));
    }

    public Ratio unreclaimableShare() {
        return bindingLimit().map(l -> unreclaimable().shareOf(l)).orElse(Ratio.NONE);
    }

    public Ratio usedShare() {
        return bindingLimit().map(l -> usage.shareOf(l)).orElse(Ratio.NONE);
    }

    /// File pages that were read again after having been evicted, since it was made.
    public long refaultedFilePages() {
        return KeyValues.saturated(
                count("workingset_refault_file", "total_workingset_refault_file"), stat.orZero("workingset_refault"));
    }

    public long refaultedAnonPages() {
        return count("workingset_refault_anon", "total_workingset_refault_anon");
    }

    /// Pages looked at for reclaim; v2 only, v1 does not count them.
    public long scannedPages() {
        return stat.orZero("pgscan");
    }

    private Bytes stat(String v2, String v1) {
        return new Bytes(count(v2, v1));
    }

    private long count(String v2, String v1) {
        return stat.orZero(id.isV2() ? v2 : v1);
    }
}
