// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

/// Differences of counters that only grow, made safe against the times they do not.
///
/// A kernel counter read twice can be smaller the second time: the device was unplugged and came back, the cgroup was
/// deleted and made again under the same name, a 32-bit field wrapped. The increase is then at least what the counter
/// shows now, counted from zero; it is never negative.
public final class Counter {
    private Counter() {}

    /// How much a counter grew from `before` to `after`; never negative.
    public static long increase(long before, long after) {
        if (after >= before) return after - before;
        return Math.max(after, 0);
    }
}
