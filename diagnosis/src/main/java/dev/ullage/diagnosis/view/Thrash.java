// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.VmStat;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import java.util.Optional;

/// Whether a workload reads its mapped model again and again because it cannot stay in memory.
///
/// @param reads what it read, and what stayed
/// @param hit the cgroup limit that is being hit, if one is
/// @param evicts whether something is being evicted: a limit was hit, pages were refaulted, scanned or forgotten
public record Thrash(Workload workload, Reads reads, Refaults refaults, Optional<MemoryCgroup> hit, boolean evicts) {
    /// Of what is read, the share that must be gone again for it to be no load in progress.
    private static final double MOSTLY = 0.5;

    private static final long PAGE = Bytes.PAGE;

    public static Thrash of(Evidence evidence, Workload workload) {
        Reads reads = Reads.of(evidence, workload);
        Refaults refaults = Refaults.of(evidence, workload);
        Optional<MemoryCgroup> hit = MemoryLimits.above(evidence, workload).hit(evidence);
        boolean scans = evidence.change(VmStat.FACT)
                .map(c -> c.increase(VmStat::scannedPages) > 0)
                .orElse(false);
        boolean evicts = hit.isPresent()
                || scans
                || refaults.file().perSecond() > 0
                || reads.evicted().bytes() > 0;
        return new Thrash(workload, reads, refaults, hit, evicts);
    }

    /// Bytes are read, they do not stay, something is evicted, and it is no pass through a file by read calls: a
    /// loader that copies a model reads each byte once, and its cache may be dropped behind it without harm.
    public boolean isOn() {
        boolean mapsModel = reads.mapped().bytes() > 0;
        boolean doesNotStay =
                reads.lost().bytes() >= MOSTLY * reads.fromStorage().bytes();
        boolean readsAgain = refaultedShare().isAtLeast(0.2);
        boolean cannotStay =
                mapsModel && reads.mapped().isMoreThan(reads.resident().times(1.05));
        return reads.isReading() && evicts && doesNotStay && (readsAgain || cannotStay) && (mapsModel || readsAgain);
    }

    /// The share of what was read that had been in memory before, as far as the kernel noted it.
    public Ratio refaultedShare() {
        double refaulted = refaults.file().perSecond() * PAGE;
        double rate = reads.rate().bytesPerSecond();
        return new Ratio(rate <= 0 ? 0 : Math.min(1, refaulted / rate));
    }

    /// What the limit lacks so that the model stays in memory: its mapped bytes and what cannot be reclaimed beside it.
    public Bytes missingUnder(MemoryCgroup cgroup) {
        Bytes needed = reads.mapped().plus(cgroup.unreclaimable());
        return needed.minus(cgroup.bindingLimit().orElse(needed)).orNoneIfNegative();
    }

    /// What the host has left for it: available memory; the model's resident pages are part of that already.
    public static boolean hostHasRoomFor(Evidence evidence, Bytes missing) {
        return evidence.latest(MemInfo.FACT)
                .map(mem -> !missing.isMoreThan(mem.available()))
                .orElse(false);
    }
}
