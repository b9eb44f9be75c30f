// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;

/// `/proc/vmstat`: what the memory manager had to do, in pages and events since boot.
///
/// Mistake people make: `pgscan_direct` stays 0 while a cgroup thrashes under its own limit, so "no reclaim here"
/// says nothing about containers; and `pgmajfault` counts a healthy cold load just like a thrash.
///
/// ```
/// workingset_refault_file 115712
/// pswpin 0
/// allocstall_normal 0
/// oom_kill 0
/// ```
/// Before 5.9 there was one `workingset_refault`, which counted file pages.
public record VmStat(KeyValues counters) {
    public static final Fact<Host, VmStat> FACT =
            Fact.ofFile("reclaim and swap counters", "/proc/vmstat", Cadence.ALWAYS, "mount /proc", VmStat::parse);

    public static Reading<VmStat> parse(String text) {
        KeyValues values = KeyValues.parse(text);
        if (values.get("pgmajfault").isEmpty())
            return Reading.malformed("/proc/vmstat", text, "a line \"pgmajfault <number>\"");
        return Reading.of(new VmStat(values));
    }

    public long refaultedFilePages() {
        return counters.get("workingset_refault_file").orElse(counters.orZero("workingset_refault"));
    }

    public long refaultedAnonPages() {
        return counters.orZero("workingset_refault_anon");
    }

    public long swappedInPages() {
        return counters.orZero("pswpin");
    }

    public long swappedOutPages() {
        return counters.orZero("pswpout");
    }

    public long majorFaults() {
        return counters.orZero("pgmajfault");
    }

    /// Times an allocation had to reclaim memory itself: one line a zone since 4.10, one line in all before.
    public long allocationStalls() {
        return KeyValues.saturated(counters.orZero("allocstall"), counters.sumOf("allocstall_"));
    }

    /// Pages looked at for reclaim, by anyone. `pgscan_kswapd_dma` and so on before 4.8.
    public long scannedPages() {
        return KeyValues.saturated(counters.sumOf("pgscan_kswapd"), directlyScannedPages());
    }

    public long directlyScannedPages() {
        return counters.sumOf("pgscan_direct") - counters.orZero("pgscan_direct_throttle");
    }

    /// Kills by the kernel since boot, global and in cgroups; since 4.13.
    public long oomKills() {
        return counters.orZero("oom_kill");
    }

    /// Times an allocation of contiguous pages had to move others together first; and how often that was in vain.
    public long compactionStalls() {
        return counters.orZero("compact_stall");
    }

    public long compactionFailures() {
        return counters.orZero("compact_fail");
    }
}
