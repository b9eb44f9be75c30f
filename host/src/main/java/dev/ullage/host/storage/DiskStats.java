// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;
import java.util.Map;
import java.util.TreeMap;

/// `/proc/diskstats`: what each block device did since boot. Source: Documentation/admin-guide/iostats.rst.
///
/// ```
/// 254       0 vda 5254 3471 500866 1707 477 3559 259936 723 0 856 2537 3002 44 38096 105 4 0
/// ```
/// Mistake people make: reading "%util" (time with a request in flight) as load. A device that serves requests in
/// parallel is at 100 % with one request at a time.
public record DiskStats(Map<String, Disk> byNumber) {
    /// The unit of the sector columns, whatever the device's own sectors are.
    private static final long SECTOR = 512;

    public static final Fact<Host, DiskStats> FACT =
            Fact.ofFile("block device counters", "/proc/diskstats", Cadence.ALWAYS, "mount /proc", DiskStats::parse);

    /// @param number major:minor
    /// @param readMillis milliseconds that reads took from the queue to the end, summed over reads
    /// @param inFlight requests being served now
    /// @param busyMillis milliseconds with at least one request in flight
    /// @param queueMillis busy time weighted with the number in flight
    public record Disk(
            String number,
            String name,
            long reads,
            long readBytes,
            long readMillis,
            long writes,
            long writtenBytes,
            long writeMillis,
            long inFlight,
            long busyMillis,
            long queueMillis) {}

    public static Reading<DiskStats> parse(String text) {
        Map<String, Disk> disks = new TreeMap<>();
        for (String line : text.lines().toList()) {
            String[] c = line.strip().split("\\s+");
            if (c.length < 14) continue;
            long[] n = new long[c.length];
            for (int i = 3; i < c.length; i++) n[i] = KeyValues.number(c[i]).orElse(0);
            String number = c[0] + ":" + c[1];
            disks.put(
                    number,
                    new Disk(number, c[2], n[3], bytes(n[5]), n[6], n[7], bytes(n[9]), n[10], n[11], n[12], n[13]));
        }
        return disks.isEmpty() && !text.isBlank()
                ? Reading.malformed("/proc/diskstats", text, "14 columns or more a device")
                : Reading.of(new DiskStats(disks));
    }

    private static long bytes(long sectors) {
        return Math.clamp(sectors, 0, Long.MAX_VALUE / SECTOR) * SECTOR;
    }
}
