// SPDX-License-Identifier: Apache-2.0
package dev.ullage.measure;

/// A number that knows its unit.
///
/// The unit is the type: a method that takes [Bytes] cannot be given pages or kilobytes by mistake, which is how
/// "kB" in `/proc/meminfo` (really KiB) and pages in `/proc/vmstat` become wrong by 2.4 % or 4096×.
public sealed interface Quantity permits Bytes, BytesPerSecond, Count, PerSecond, Ratio, Seconds {
    /// The number in [#unit()], as it goes into JSON.
    double value();

    /// `bytes`, `bytes/s`, `1/s`, `s`, `ratio` or `count` (the words of the report's schema).
    String unit();

    /// The number as a person reads it: `11.8 GiB`, `46 %`, `350,000/s`.
    String shown();
}
