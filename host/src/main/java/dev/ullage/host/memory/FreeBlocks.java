// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;

/// `/proc/buddyinfo`: free memory by the size of the blocks it lies in. Source: Documentation/filesystems/proc.rst.
///
/// ```
/// Node 0, zone   Normal   4381   2183   1004    310     92     11      0      0      0      0      0
/// ```
/// Column n counts free blocks of 2^n pages. Here not one block of 256 KiB or more is left, so no huge page, no
/// network or driver buffer of that size can be had until memory is moved together ("compaction").
///
/// Mistake people make: reading the small DMA zones. They are reserved for devices; only the largest zone counts.
public record FreeBlocks(List<Zone> zones) {
    /// @param blocks how many free blocks of 2^index pages
    public record Zone(int node, String name, List<Long> blocks) {
        /// Free memory in blocks of `order` or larger.
        public Bytes freeFrom(int order) {
            long pages = 0;
            for (int i = order; i < blocks.size(); i++)
                pages = KeyValues.saturated(pages, Math.clamp(blocks.get(i), 0L, Long.MAX_VALUE >> i) << i);
            return Bytes.ofPages(pages);
        }
    }

    public static final Fact<Host, FreeBlocks> FACT =
            Fact.ofFile("free memory by block size", "/proc/buddyinfo", Cadence.END, "run as root", FreeBlocks::parse);

    public static Reading<FreeBlocks> parse(String text) {
        List<Zone> zones = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] words = line.strip().split("[\\s,]+");
            if (words.length < 5 || !words[0].equals("Node") || !words[2].equals("zone")) continue;
            List<Long> blocks = new ArrayList<>();
            for (int i = 4; i < words.length; i++)
                blocks.add(Math.max(0, KeyValues.number(words[i]).orElse(0)));
            zones.add(new Zone(Math.clamp(KeyValues.number(words[1]).orElse(0), 0, 4096), words[3], blocks));
        }
        return zones.isEmpty()
                ? Reading.malformed("/proc/buddyinfo", text, "\"Node 0, zone Normal <counts>\"")
                : Reading.of(new FreeBlocks(List.copyOf(zones)));
    }

    /// Free memory of the whole host in blocks of `order` or larger.
    public Bytes freeFrom(int order) {
        return Bytes.sum(zones.stream().map(zone -> zone.freeFrom(order)).toList());
    }
}
