// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

import java.util.Locale;

/// An amount of memory or of a file, in bytes. May be negative: a difference ("grew by −3 MiB") is an amount too.
///
/// Arithmetic saturates at the ends of `long`: an absurd number that a broken kernel file or a capture gave must not
/// wrap
/// around into a plausible one, nor end the diagnosis of everything else.
public record Bytes(long bytes) implements Quantity, Comparable<Bytes> {
    public static final Bytes NONE = new Bytes(0);

    /// The page size of x86-64 and of most aarch64 kernels. Facts counted in pages by the kernel
    /// (`/proc/vmstat`, `/proc/<pid>/stat` rss) are turned into bytes with it.
    /// Mistake people make: aarch64 kernels built with 64 KiB pages exist; such a host says so in `AT_PAGESZ`.
    public static final long PAGE = 4096;

    public static Bytes ofKiB(long kib) {
        return new Bytes(saturatedProduct(kib, 1024L));
    }

    public static Bytes ofMiB(long mib) {
        return new Bytes(saturatedProduct(mib, 1L << 20));
    }

    public static Bytes ofGiB(long gib) {
        return new Bytes(saturatedProduct(gib, 1L << 30));
    }

    /// From a count of 4 KiB pages.
    public static Bytes ofPages(long pages) {
        return new Bytes(saturatedProduct(pages, PAGE));
    }

    public Bytes plus(Bytes other) {
        return new Bytes(saturatedSum(bytes, other.bytes));
    }

    public Bytes minus(Bytes other) {
        // The one long without a negative is −2^63.
        return new Bytes(saturatedSum(bytes, other.bytes == Long.MIN_VALUE ? Long.MAX_VALUE : -other.bytes));
    }

    public Bytes times(double factor) {
        return new Bytes((long) (bytes * factor));
    }

    /// This amount, or nothing if it is negative.
    public Bytes orNoneIfNegative() {
        return bytes < 0 ? NONE : this;
    }

    public boolean isMoreThan(Bytes other) {
        return bytes > other.bytes;
    }

    /// The share this is of `whole`; 0 when the whole is nothing.
    public Ratio shareOf(Bytes whole) {
        return new Ratio(whole.bytes <= 0 ? 0 : (double) bytes / whole.bytes);
    }

    public BytesPerSecond over(Seconds time) {
        return new BytesPerSecond(time.seconds() <= 0 ? 0 : bytes / time.seconds());
    }

    public static Bytes sum(Iterable<Bytes> amounts) {
        long total = 0;
        for (Bytes amount : amounts) total = saturatedSum(total, amount.bytes);
        return new Bytes(total);
    }

    private static long saturatedSum(long a, long b) {
        long sum = a + b;
        // Overflow: both have one sign and the sum the other.
        if (((a ^ sum) & (b ^ sum)) < 0) return a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        return sum;
    }

    private static long saturatedProduct(long a, long factor) {
        if (a > Long.MAX_VALUE / factor) return Long.MAX_VALUE;
        return a < Long.MIN_VALUE / factor ? Long.MIN_VALUE : a * factor;
    }

    @Override
    public double value() {
        return bytes;
    }

    @Override
    public String unit() {
        return "bytes";
    }

    @Override
    public String shown() {
        return shown(bytes);
    }

    static String shown(double bytes) {
        double size = Math.abs(bytes);
        if (size < 1024) return Math.round(bytes) + " B";
        String[] units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
        int unit = -1;
        double scaled = bytes;
        // 1023.95 would be shown as 1024.0: move on to the next unit there.
        while (Math.abs(scaled) >= 1023.95 && unit < units.length - 1) {
            scaled /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", scaled, units[Math.max(unit, 0)]);
    }

    @Override
    public int compareTo(Bytes other) {
        return Long.compare(bytes, other.bytes);
    }
}
