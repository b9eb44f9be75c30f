// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;

/// Numbers of a report as they can be added without a care: what is larger than any machine (1 EiB) is held there.
/// Broken and forged logs hold such numbers; sums of them must not become negative.
final class OomNumbers {
    private static final long MOST = 1L << 60;

    private OomNumbers() {}

    /// A whole number; 0 for what is none.
    static long number(String digits) {
        return Math.clamp(KeyValues.number(digits).orElse(0), -MOST, MOST);
    }

    /// "kB" and "KB" of the kernel are KiB.
    static Bytes kib(String digits) {
        return times(number(digits), 1024);
    }

    static Bytes times(long count, long bytesEach) {
        return new Bytes(Math.clamp(count, 0, MOST / bytesEach) * bytesEach);
    }

    static long sum(long a, long b) {
        return Math.min(a + b, MOST);
    }
}
