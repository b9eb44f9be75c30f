// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

import java.util.Locale;

/// A number of things.
public record Count(long count) implements Quantity, Comparable<Count> {
    @Override
    public double value() {
        return count;
    }

    @Override
    public String unit() {
        return "count";
    }

    @Override
    public String shown() {
        return String.format(Locale.ROOT, "%,d", count);
    }

    @Override
    public int compareTo(Count other) {
        return Long.compare(count, other.count);
    }
}
