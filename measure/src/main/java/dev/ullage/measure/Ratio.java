// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

import java.util.Locale;

/// A share: 0 is none, 1 is all. More than 1 is possible ("198 % of one core").
public record Ratio(double ratio) implements Quantity, Comparable<Ratio> {
    public static final Ratio NONE = new Ratio(0);

    public static Ratio ofPercent(double percent) {
        return new Ratio(percent / 100);
    }

    public boolean isAtLeast(double share) {
        return ratio >= share;
    }

    @Override
    public double value() {
        return ratio;
    }

    @Override
    public String unit() {
        return "ratio";
    }

    /// As percent; one decimal where whole percents would hide a non-zero value.
    @Override
    public String shown() {
        double percent = ratio * 100;
        return percent != 0 && Math.abs(percent) < 1
                ? String.format(Locale.ROOT, "%.1f %%", percent)
                : String.format(Locale.ROOT, "%.0f %%", percent);
    }

    @Override
    public int compareTo(Ratio other) {
        return Double.compare(ratio, other.ratio);
    }
}
