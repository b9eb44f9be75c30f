// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

import java.util.Locale;

/// A length of time, in seconds. Infinite is allowed ("never, at this rate").
public record Seconds(double seconds) implements Quantity, Comparable<Seconds> {
    public static final Seconds NONE = new Seconds(0);

    public static Seconds ofMillis(double millis) {
        return new Seconds(millis / 1e3);
    }

    public static Seconds ofMicros(double micros) {
        return new Seconds(micros / 1e6);
    }

    public static Seconds ofMinutes(double minutes) {
        return new Seconds(minutes * 60);
    }

    /// The share this is of `whole`; 0 when the whole is no time at all.
    public Ratio shareOf(Seconds whole) {
        return new Ratio(whole.seconds <= 0 ? 0 : seconds / whole.seconds);
    }

    @Override
    public double value() {
        return seconds;
    }

    @Override
    public String unit() {
        return "s";
    }

    @Override
    public String shown() {
        if (Double.isInfinite(seconds)) return "never";
        if (seconds >= 172_800) return String.format(Locale.ROOT, "%.0f days", seconds / 86_400);
        if (seconds >= 5_400) return String.format(Locale.ROOT, "%.1f h", seconds / 3_600);
        if (seconds >= 90) return String.format(Locale.ROOT, "%.0f min", seconds / 60);
        if (seconds >= 10) return String.format(Locale.ROOT, "%.0f s", seconds);
        if (seconds >= 0.95 || seconds == 0) return String.format(Locale.ROOT, "%.1f s", seconds);
        return String.format(Locale.ROOT, seconds >= 0.01 ? "%.0f ms" : "%.1f ms", seconds * 1e3);
    }

    @Override
    public int compareTo(Seconds other) {
        return Double.compare(seconds, other.seconds);
    }
}
