// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;

/// `/proc/meminfo`: where the host's RAM is. Source: Documentation/filesystems/proc.rst.
///
/// The unit "kB" there is KiB. Mistake people make: MemFree is not head-room (page cache is given back on demand), and
/// MemAvailable is an estimate: it counts mapped shared pages and tmpfs optimistically and does not know ZFS's ARC.
///
/// ```
/// MemTotal:       24684084 kB
/// MemAvailable:   24358308 kB
/// Shmem:              8872 kB
/// ```
public record MemInfo(KeyValues kib) {
    public static final Fact<Host, MemInfo> FACT =
            Fact.ofFile("host memory", "/proc/meminfo", Cadence.ALWAYS, "mount /proc", MemInfo::parse);

    public static Reading<MemInfo> parse(String text) {
        KeyValues values = KeyValues.parse(text);
        if (values.orZero("MemTotal") <= 0)
            return Reading.malformed("/proc/meminfo", text, "a line \"MemTotal: <number> kB\"");
        return Reading.of(new MemInfo(values));
    }

    public Bytes total() {
        return get("MemTotal");
    }

    /// What new work can get without swapping. On kernels before 3.14, which do not say, free plus the file pages
    /// that are not shared memory.
    public Bytes available() {
        if (kib.get("MemAvailable").isPresent()) return get("MemAvailable");
        return get("MemFree")
                .plus(get("Buffers"))
                .plus(get("Cached"))
                .minus(get("Shmem"))
                .orNoneIfNegative();
    }

    public Ratio availableShare() {
        return available().shareOf(total());
    }

    public Bytes anonymous() {
        return get("AnonPages");
    }

    /// tmpfs, /dev/shm and shared anonymous memory: counted in Cached, yet not reclaimable without swap.
    public Bytes shmem() {
        return get("Shmem");
    }

    /// Page cache that is really a cache: Cached and Buffers without Shmem.
    public Bytes pageCache() {
        return get("Cached").plus(get("Buffers")).minus(shmem()).orNoneIfNegative();
    }

    public Bytes swapTotal() {
        return get("SwapTotal");
    }

    public Bytes swapFree() {
        return get("SwapFree");
    }

    public Bytes swapUsed() {
        return swapTotal().minus(swapFree());
    }

    /// Any line of the file, 0 when this kernel has no such line.
    public Bytes get(String name) {
        return Bytes.ofKiB(kib.orZero(name));
    }
}
