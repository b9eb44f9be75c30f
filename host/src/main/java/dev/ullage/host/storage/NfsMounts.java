// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.KernelEscapes;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `/proc/self/mountstats`: what each NFS mount asked of its server, and how long the answers took. Source:
/// fs/nfs/super.c, net/sunrpc/stats.c; the columns are explained in nfsiostat's and mountstats' manual pages.
///
/// ```
/// device 10.0.0.5:/models mounted on /models with fstype nfs4 statvers=1.1
///         bytes:  0 0 0 0 5242880 0 1280 0
///                 READ: 40 40 0 8160 5247680 12 23456 23512 0
/// ```
/// `bytes`: read and written by programs, by direct IO, then *from and to the server* (fifth and sixth), then pages.
/// `READ`: requests, transmissions, major time-outs, bytes sent, bytes received, then milliseconds in the queue, on the
/// wire (round trip) and in all, summed over requests.
///
/// Mistake people make: looking for an NFS server's slowness in /proc/diskstats. A network mount has no block device.
public record NfsMounts(Map<String, Traffic> byPoint) {
    /// @param fromServer bytes the server sent for reads
    /// @param reads READ requests that were answered
    /// @param roundTripMillis time on the wire and in the server, summed over reads
    /// @param totalMillis the same with the time in our queue
    /// @param timeouts requests that were not answered in time and sent again
    public record Traffic(
            String server, Bytes fromServer, long reads, long roundTripMillis, long totalMillis, long timeouts) {
        private Traffic withBytes(long bytes) {
            return new Traffic(server, new Bytes(bytes), reads, roundTripMillis, totalMillis, timeouts);
        }

        private Traffic with(String[] operation) {
            return new Traffic(
                    server,
                    fromServer,
                    KeyValues.saturated(reads, number(operation[1])),
                    KeyValues.saturated(roundTripMillis, number(operation[7])),
                    KeyValues.saturated(totalMillis, number(operation[8])),
                    KeyValues.saturated(timeouts, number(operation[3])));
        }
    }

    public static final Fact<Host, NfsMounts> FACT =
            new Fact<>("traffic of NFS mounts", "/proc/self/mountstats", Cadence.ENDS, "", (root, _) -> root.text(
                            "/proc/self/mountstats")
                    .map(NfsMounts::parse)
                    .orIfThereIsNone(new NfsMounts(Map.of())));

    private static final Pattern MOUNT = Pattern.compile("device (.+) mounted on (.+) with fstype nfs4?(?: .*)?");

    static NfsMounts parse(String text) {
        Map<String, Traffic> mounts = new TreeMap<>();
        String point = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("device ") || line.startsWith("no device ")) {
                Matcher mount = MOUNT.matcher(line);
                point = mount.matches() ? KernelEscapes.undo(mount.group(2)) : "";
                // Of two mounts on one another the upper one counts, which comes last.
                if (!point.isEmpty())
                    mounts.put(point, new Traffic(KernelEscapes.undo(mount.group(1)), Bytes.NONE, 0, 0, 0, 0));
                continue;
            }
            if (point.isEmpty()) continue;
            String[] words = line.strip().split("\\s+");
            if (words[0].equals("bytes:") && words.length > 5)
                mounts.computeIfPresent(point, (_, traffic) -> traffic.withBytes(number(words[5])));
            // With NFS 4.2 a kernel may ask by READ_PLUS, which leaves out holes; the other line then stays at zero.
            boolean reads = words[0].equals("READ:") || words[0].equals("READ_PLUS:");
            if (reads && words.length > 8) mounts.computeIfPresent(point, (_, traffic) -> traffic.with(words));
        }
        return new NfsMounts(mounts);
    }

    private static long number(String text) {
        return Math.max(0, KeyValues.number(text).orElse(0));
    }
}
