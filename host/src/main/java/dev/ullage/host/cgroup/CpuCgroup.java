// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Seconds;
import java.util.Optional;

/// The CPU quota of a cgroup and how often it bound.
///
/// ```
/// v1: cpu.cfs_quota_us 50000, cpu.cfs_period_us 100000, cpu.stat nr_periods/nr_throttled/throttled_time (ns)
/// v2: cpu.max "50000 100000", cpu.stat nr_periods/nr_throttled/throttled_usec
/// ```
///
/// @param cores CPUs' worth of time it may use; empty when there is no quota
/// @param periods periods in which it wanted to run
/// @param throttledPeriods of these, the ones in which it used up its quota
/// @param throttled time its run queues stood still, summed over CPUs
public record CpuCgroup(CgroupId id, Optional<Double> cores, long periods, long throttledPeriods, Seconds throttled) {
    public static final Fact<CgroupId, CpuCgroup> FACT = new Fact<>(
            "CPU quota of a cgroup", "cpu.stat, cpu.max / cpu.cfs_quota_us", Cadence.ENDS, "", CpuCgroup::read);

    private static Reading<CpuCgroup> read(HostRoot root, CgroupId id) {
        return root.text(id.file("cpu.stat")).map(text -> {
            KeyValues stat = KeyValues.parse(text);
            Seconds throttled = stat.get("throttled_usec").isPresent()
                    ? Seconds.ofMicros(stat.orZero("throttled_usec"))
                    : new Seconds(stat.orZero("throttled_time") / 1e9);
            return new CpuCgroup(
                    id, quota(root, id), stat.orZero("nr_periods"), stat.orZero("nr_throttled"), throttled);
        });
    }

    private static Optional<Double> quota(HostRoot root, CgroupId id) {
        String text = id.isV2()
                ? root.text(id.file("cpu.max")).orElse("max 100000")
                : root.text(id.file("cpu.cfs_quota_us")).orElse("-1").strip() + " "
                        + root.text(id.file("cpu.cfs_period_us")).orElse("100000");
        String[] words = text.strip().split("\\s+");
        long quota = KeyValues.number(words[0]).orElse(-1);
        long period = words.length > 1 ? KeyValues.number(words[1]).orElse(0) : 0;
        return quota > 0 && period > 0 ? Optional.of((double) quota / period) : Optional.empty();
    }
}
