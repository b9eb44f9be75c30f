// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.view.MemoryPart.Kind;
import dev.ullage.host.Evidence;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.process.ProportionalMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The host's RAM cut into parts that do not overlap and together are all of it.
///
/// The counters of /proc/meminfo are read one after the other and overlap in places, and what processes say of
/// themselves counts shared pages more than once. So each part is at most what the parts before it left over, and what
/// is left at the end is named as such: the picture may be a little off in a part, never in the whole.
///
/// @param available what new work can get without swapping: most of the page cache, and what is free
/// @param parts the largest holders by name, in the order of [Kind]; none is empty
public record WhereRamWent(Bytes total, Bytes available, List<MemoryPart> parts) {
    /// Smaller ones are not named, unless they are servers': a picture cannot show them.
    private static final double SMALLEST_NAMED = 0.005;

    private static final int MOST_NAMED = 6;

    public static Reading<WhereRamWent> of(Evidence evidence) {
        return evidence.latest(MemInfo.FACT).map(mem -> of(evidence, mem));
    }

    private static WhereRamWent of(Evidence evidence, MemInfo mem) {
        Bytes total = mem.total();
        ModelCache models = ModelCache.of(evidence);
        Left left = new Left(total);
        Bytes free = left.take(mem.get("MemFree"));
        Bytes anonymous = left.take(mem.anonymous());
        Bytes shared = left.take(mem.shmem());
        Bytes pageSize = mem.get("Hugepagesize");
        long unusedPages = mem.kib().orZero("HugePages_Free");
        // The line Hugetlb (4.20) counts pages of all sizes; the others are about the default size only.
        Bytes ofDefaultSize = pageSize.times(mem.kib().orZero("HugePages_Total"));
        Bytes reserved = mem.get("Hugetlb").isMoreThan(ofDefaultSize) ? mem.get("Hugetlb") : ofDefaultSize;
        Bytes hugeUnused = left.take(pageSize.times(unusedPages));
        Bytes hugeUsed = left.take(reserved.minus(hugeUnused));
        Bytes slab = left.take(mem.get("Slab"));
        Bytes cache = left.take(mem.pageCache());

        List<MemoryPart> parts = new ArrayList<>();
        named(parts, Kind.ANONYMOUS, holders(evidence, total), anonymous, "other processes");
        named(parts, Kind.SHARED, models.inTmpfs(), shared, "shared memory and tmpfs");
        add(parts, Kind.HUGE_PAGES_USED, "huge pages in use", hugeUsed);
        add(parts, Kind.HUGE_PAGES_UNUSED, "huge pages reserved, unused", hugeUnused);
        add(parts, Kind.SLAB, "slab", slab);
        add(parts, Kind.OTHER, "kernel and other", left.bytes);
        Bytes ofModels = named(parts, Kind.MODEL_CACHE, models.inPageCache(), cache, "");
        add(parts, Kind.OTHER_CACHE, "page cache of other files", cache.minus(ofModels));
        add(parts, Kind.FREE, "free", free);
        return new WhereRamWent(total, mem.available().isMoreThan(total) ? total : mem.available(), List.copyOf(parts));
    }

    /// What is left of the whole while parts are taken from it.
    private static final class Left {
        private Bytes bytes;

        private Left(Bytes whole) {
            bytes = whole;
        }

        private Bytes take(Bytes wanted) {
            Bytes taken = wanted.isMoreThan(bytes) ? bytes : wanted.orNoneIfNegative();
            bytes = bytes.minus(taken);
            return taken;
        }
    }

    /// The largest of some holders by name; what they do not account for, as the rest, unless the rest has no name.
    ///
    /// @return what the named ones hold together
    private static Bytes named(List<MemoryPart> parts, Kind kind, List<MemoryPart> holders, Bytes all, String rest) {
        Left left = new Left(all);
        holders.stream()
                .sorted(Comparator.comparing(MemoryPart::bytes).reversed())
                .limit(MOST_NAMED)
                .forEach(h -> {
                    Bytes taken = left.take(h.bytes());
                    if (taken.bytes() > 0) parts.add(new MemoryPart(kind, h.name(), h.detail(), taken));
                });
        if (!rest.isEmpty()) add(parts, kind, rest, left.bytes);
        return all.minus(left.bytes);
    }

    private static void add(List<MemoryPart> parts, Kind kind, String name, Bytes bytes) {
        if (bytes.bytes() > 0) parts.add(new MemoryPart(kind, name, "", bytes));
    }

    private static List<MemoryPart> holders(Evidence evidence, Bytes total) {
        List<MemoryPart> holders = new ArrayList<>();
        for (Workload workload : evidence.workloads()) {
            Bytes own = Bytes.NONE;
            for (ProcessId id : workload.processes()) {
                Bytes anonymous = evidence.lastSeen(ProcessMemory.FACT, id)
                        .map(ProcessMemory::anonymous)
                        .orElse(Bytes.NONE);
                // What is shared after fork counts once where the kernel tells it.
                own = own.plus(evidence.latest(ProportionalMemory.FACT, id)
                        .map(ProportionalMemory::proportionalAnonymous)
                        .orElse(anonymous));
            }
            if (workload.isServer() || own.shareOf(total).isAtLeast(SMALLEST_NAMED))
                holders.add(new MemoryPart(Kind.ANONYMOUS, workload.shown(), "", own));
        }
        return holders;
    }
}
