// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

import java.util.Locale;

/// A rate of events, per second.
public record PerSecond(double perSecond) implements Quantity, Comparable<PerSecond> {
    public static final PerSecond NONE = new PerSecond(0);

    @Override
    public double value() {
        return perSecond;
    }

    @Override
    public String unit() {
        return "1/s";
    }

    @Override
    public String shown() {
        return perSecond == 0 || perSecond >= 10
                ? String.format(Locale.ROOT, "%,.0f/s", perSecond)
                : String.format(Locale.ROOT, "%.1f/s", perSecond);
    }

    @Override
    public int compareTo(PerSecond other) {
        return Double.compare(perSecond, other.perSecond);
    }
}
