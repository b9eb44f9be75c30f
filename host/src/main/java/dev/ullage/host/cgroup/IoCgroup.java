// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// IO limits of a cgroup and what it did, by device number (`254:0`).
///
/// ```
/// v1: blkio.throttle.read_bps_device "254:0 10485760"; blkio.throttle.io_service_bytes "254:0 Read 4096"
/// v2: io.max "254:0 rbps=10485760 wbps=max riops=max wiops=max"; io.stat "254:0 rbytes=4096 wbytes=0 rios=1 …"
/// ```
/// A v1 limit holds for the processes *in* that cgroup and not for its children: the throttler treats all v1 groups
/// as siblings (block/blk-throttle.c, throtl_pd_init). A v2 limit holds for everything below.
public record IoCgroup(CgroupId id, Map<String, Limit> limits, Map<String, Moved> moved) {
    /// Limits on one device; `Long.MAX_VALUE` where there is none.
    public record Limit(long readBytes, long writeBytes, long reads, long writes) {
        static final Limit NONE = new Limit(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /// What went to or came from one device since the cgroup was made.
    public record Moved(long readBytes, long writtenBytes, long reads, long writes) {
        static final Moved NOTHING = new Moved(0, 0, 0, 0);
    }

    public static final Fact<CgroupId, IoCgroup> FACT =
            new Fact<>("IO limits of a cgroup", "io.max, io.stat / blkio.throttle.*", Cadence.ENDS, "", IoCgroup::read);

    private static Reading<IoCgroup> read(HostRoot root, CgroupId id) {
        return id.isV2() ? readV2(root, id) : readV1(root, id);
    }

    private static Reading<IoCgroup> readV2(HostRoot root, CgroupId id) {
        Map<String, Limit> limits = new TreeMap<>();
        eachDevice(root.text(id.file("io.max")).orElse(""), (device, rest) -> {
            KeyValues max = KeyValues.parsePairs(rest);
            limits.put(
                    device,
                    new Limit(orNone(max, "rbps"), orNone(max, "wbps"), orNone(max, "riops"), orNone(max, "wiops")));
        });
        return root.text(id.file("io.stat")).map(text -> {
            Map<String, Moved> moved = new TreeMap<>();
            eachDevice(text, (device, rest) -> {
                KeyValues stat = KeyValues.parsePairs(rest);
                moved.put(
                        device,
                        new Moved(
                                stat.orZero("rbytes"),
                                stat.orZero("wbytes"),
                                stat.orZero("rios"),
                                stat.orZero("wios")));
            });
            return new IoCgroup(id, limits, moved);
        });
    }

    private static Reading<IoCgroup> readV1(HostRoot root, CgroupId id) {
        return root.text(id.file("blkio.throttle.io_service_bytes")).map(bytes -> {
            Map<String, Limit> limits = new TreeMap<>();
            each(
                    root,
                    id,
                    "read_bps_device",
                    (device, n) -> limits.merge(
                            device, new Limit(n, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE), IoCgroup::tighter));
            each(
                    root,
                    id,
                    "write_bps_device",
                    (device, n) -> limits.merge(
                            device, new Limit(Long.MAX_VALUE, n, Long.MAX_VALUE, Long.MAX_VALUE), IoCgroup::tighter));
            each(
                    root,
                    id,
                    "read_iops_device",
                    (device, n) -> limits.merge(
                            device, new Limit(Long.MAX_VALUE, Long.MAX_VALUE, n, Long.MAX_VALUE), IoCgroup::tighter));
            each(
                    root,
                    id,
                    "write_iops_device",
                    (device, n) -> limits.merge(
                            device, new Limit(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, n), IoCgroup::tighter));
            Map<String, Moved> moved = new TreeMap<>();
            eachDevice(bytes, (device, rest) -> count(moved, device, rest, true));
            eachDevice(
                    root.text(id.file("blkio.throttle.io_serviced")).orElse(""),
                    (device, rest) -> count(moved, device, rest, false));
            return new IoCgroup(id, limits, moved);
        });
    }

    private static Limit tighter(Limit a, Limit b) {
        return new Limit(
                Math.min(a.readBytes, b.readBytes),
                Math.min(a.writeBytes, b.writeBytes),
                Math.min(a.reads, b.reads),
                Math.min(a.writes, b.writes));
    }

    /// One line of `io_service_bytes` or `io_serviced`: `254:0 Read 4096`.
    private static void count(Map<String, Moved> moved, String device, String rest, boolean bytes) {
        String[] words = rest.split("\\s+");
        if (words.length < 2) return;
        long n = KeyValues.number(words[1]).orElse(0);
        Moved before = moved.getOrDefault(device, Moved.NOTHING);
        Moved after =
                switch (words[0] + (bytes ? " bytes" : " requests")) {
                    case "Read bytes" -> new Moved(n, before.writtenBytes, before.reads, before.writes);
                    case "Write bytes" -> new Moved(before.readBytes, n, before.reads, before.writes);
                    case "Read requests" -> new Moved(before.readBytes, before.writtenBytes, n, before.writes);
                    case "Write requests" -> new Moved(before.readBytes, before.writtenBytes, before.reads, n);
                    default -> before;
                };
        moved.put(device, after);
    }

    private static long orNone(KeyValues pairs, String key) {
        return pairs.get(key).orElse(Long.MAX_VALUE);
    }

    /// Devices that another device follows.
    private static final Pattern BEFORE_THE_LAST =
            Pattern.compile("\\s*+(?:\\d++:\\d++\\s++(?=\\d++:\\d++(?:\\s|$)))*+");

    private interface OfDevice<T> {
        void accept(String device, T value);
    }

    private static void eachDevice(String text, OfDevice<String> then) {
        text.lines().forEach(line -> {
            // Linux 5.15 to 5.19 put devices that did nothing before one that did: "7:7 7:6 254:0 rbytes=4096 …". The
            // numbers are those of the last one.
            Matcher others = BEFORE_THE_LAST.matcher(line);
            String own = line.substring(others.lookingAt() ? others.end() : 0).strip();
            int space = own.indexOf(' ');
            if (space > 0 && own.indexOf(':') > 0 && own.indexOf(':') < space)
                then.accept(own.substring(0, space), own.substring(space + 1).strip());
        });
    }

    private static void each(HostRoot root, CgroupId id, String file, OfDevice<Long> then) {
        eachDevice(root.text(id.file("blkio.throttle." + file)).orElse(""), (device, rest) -> KeyValues.number(rest)
                .ifPresent(n -> {
                    if (n > 0) then.accept(device, n);
                }));
    }

    public Limit limitOn(String device) {
        return limits.getOrDefault(device, Limit.NONE);
    }

    public Moved movedOn(String device) {
        return moved.getOrDefault(device, Moved.NOTHING);
    }
}
