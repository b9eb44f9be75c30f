// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

/// A rate of bytes, in bytes per second.
public record BytesPerSecond(double bytesPerSecond) implements Quantity, Comparable<BytesPerSecond> {
    public static final BytesPerSecond NONE = new BytesPerSecond(0);

    public static BytesPerSecond ofMiB(double mib) {
        return new BytesPerSecond(mib * (1 << 20));
    }

    /// How long `amount` takes at this rate; infinite when the rate is zero.
    public Seconds timeFor(Bytes amount) {
        return new Seconds(bytesPerSecond <= 0 ? Double.POSITIVE_INFINITY : amount.bytes() / bytesPerSecond);
    }

    @Override
    public double value() {
        return bytesPerSecond;
    }

    @Override
    public String unit() {
        return "bytes/s";
    }

    @Override
    public String shown() {
        return Bytes.shown(bytesPerSecond) + "/s";
    }

    @Override
    public int compareTo(BytesPerSecond other) {
        return Double.compare(bytesPerSecond, other.bytesPerSecond);
    }
}
