// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.KernelEscapes;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;

/// `/proc/swaps`: where anonymous memory can be put aside.
///
/// ```
/// Filename    Type        Size      Used   Priority
/// /swap.img   file        2097148   1024   -2
/// /dev/zram0  partition   1048572   0      100
/// ```
/// A deleted swap file is shown as `/swap.img\\040(deleted)`. Sizes are KiB.
public record Swaps(List<Swap> areas) {
    public static final Fact<Host, Swaps> FACT =
            Fact.ofFile("swap areas", "/proc/swaps", Cadence.ENDS, "mount /proc", Swaps::parse);

    /// What lies under a swap area: its price differs by three orders of magnitude.
    public enum Kind {
        FILE,
        PARTITION,
        /// Compressed in RAM: swapping in costs CPU, not disk, and frees less than it seems.
        ZRAM
    }

    public record Swap(String path, Kind kind, Bytes size, Bytes used, int priority) {}

    public static Reading<Swaps> parse(String text) {
        if (!text.startsWith("Filename"))
            return Reading.malformed("/proc/swaps", text, "\"Filename  Type  Size  Used  Priority\"");
        List<Swap> areas = new ArrayList<>();
        for (String line : text.lines().skip(1).toList()) {
            String[] columns = line.strip().split("\\s+");
            if (columns.length < 5) continue;
            var size = KeyValues.number(columns[2]);
            var used = KeyValues.number(columns[3]);
            if (size.isEmpty() || used.isEmpty()) continue;
            Kind kind = columns[0].startsWith("/dev/zram")
                    ? Kind.ZRAM
                    : columns[1].equals("file") ? Kind.FILE : Kind.PARTITION;
            areas.add(new Swap(
                    KernelEscapes.undo(columns[0]),
                    kind,
                    Bytes.ofKiB(size.getAsLong()),
                    Bytes.ofKiB(used.getAsLong()),
                    (int) KeyValues.number(columns[4]).orElse(0)));
        }
        return Reading.of(new Swaps(List.copyOf(areas)));
    }
}
