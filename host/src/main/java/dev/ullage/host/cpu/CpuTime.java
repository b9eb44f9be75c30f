// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cpu;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;

/// The first lines of `/proc/stat`: what the CPUs did since boot, in ticks of 1/100 s.
///
/// Mistake people make: trusting iowait. It is idle time with IO outstanding, it is not summed per task, it may shrink
/// (kernel documentation says so), and on a busy machine it vanishes although every read still waits.
///
/// ```
/// cpu  1120 0 395 11829 69 0 23 0 0 0
/// cpu0 689 0 200 5759 50 0 13 0 0 0
/// procs_running 2
/// procs_blocked 0
/// ```
///
/// @param user user and nice ticks, guests included
/// @param system system, irq and softirq ticks
/// @param steal ticks the hypervisor gave to others
/// @param cpus how many `cpuN` lines there were
/// @param blocked tasks waiting for IO now
public record CpuTime(long user, long system, long idle, long iowait, long steal, int cpus, long blocked) {
    /// Ticks a second: USER_HZ, 100 on every Linux port we run on.
    public static final double TICKS_PER_SECOND = 100;

    public static final Fact<Host, CpuTime> FACT =
            Fact.ofFile("CPU time", "/proc/stat", Cadence.ALWAYS, "mount /proc", CpuTime::parse);

    public static Reading<CpuTime> parse(String text) {
        List<Long> all = null;
        int cpus = 0;
        long blocked = 0;
        for (String line : text.lines().toList()) {
            if (line.startsWith("cpu ")) all = numbers(line);
            else if (line.startsWith("cpu")) cpus++;
            else if (line.startsWith("procs_blocked ")) blocked = numbers(line).getFirst();
        }
        if (all == null || all.size() < 4) return Reading.malformed("/proc/stat", text, "\"cpu <ticks> …\"");
        while (all.size() < 8) all.add(0L);
        return Reading.of(new CpuTime(
                all.get(0) + all.get(1),
                all.get(2) + all.get(5) + all.get(6),
                all.get(3),
                all.get(4),
                all.get(7),
                Math.max(cpus, 1),
                blocked));
    }

    private static List<Long> numbers(String line) {
        List<Long> numbers = new ArrayList<>();
        // Bounded so that sums of them do not wrap around: 2^58 ticks are 90 million years.
        for (String word : line.strip().split("\\s+"))
            KeyValues.number(word).ifPresent(n -> numbers.add(Math.clamp(n, 0, 1L << 58)));
        if (numbers.isEmpty()) numbers.add(0L);
        return numbers;
    }
}
