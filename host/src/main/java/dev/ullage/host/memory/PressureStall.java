// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Seconds;

/// Pressure stall information: time in which some or all runnable tasks waited for memory, IO or a CPU. Source:
/// Documentation/accounting/psi.rst; since 4.20; may be compiled in and off (`psi=1` turns it on).
///
/// Mistake people make: reading `avg10`. It is an exponential average and still falling long after the stall ended;
/// the difference of `total` over a window is exact.
///
/// ```
/// some avg10=0.27 avg60=1.04 avg300=0.35 total=1448314
/// full avg10=0.00 avg60=0.00 avg300=0.00 total=0
/// ```
/// `full` is missing for the CPU before 5.13.
///
/// @param some time in which at least one task waited, since boot
/// @param full time in which every non-idle task waited, since boot
public record PressureStall(Seconds some, Seconds full) {
    public static final Fact<Host, PressureStall> MEMORY = ofHost("memory");
    public static final Fact<Host, PressureStall> IO = ofHost("io");
    public static final Fact<Host, PressureStall> CPU = ofHost("cpu");

    private static Fact<Host, PressureStall> ofHost(String resource) {
        String path = "/proc/pressure/" + resource;
        return new Fact<>(
                resource + " pressure",
                path,
                Cadence.ALWAYS,
                "boot with psi=1 (Linux 4.20 or later)",
                (root, _) -> read(root, path));
    }

    /// Reads a pressure file of the host or of a cgroup.
    public static Reading<PressureStall> read(HostRoot root, String path) {
        return root.text(path).flatMap(text -> parse(path, text));
    }

    public static Reading<PressureStall> parse(String path, String text) {
        if (text.isBlank()) return Reading.absent(path, AbsentCause.NOT_CONFIGURED, "the file is empty: PSI is off");
        Seconds some = null;
        Seconds full = Seconds.NONE;
        for (String line : text.lines().toList()) {
            KeyValues pairs = KeyValues.parsePairs(line);
            if (pairs.get("total").isEmpty()) continue;
            Seconds total = Seconds.ofMicros(pairs.orZero("total"));
            if (line.startsWith("some ")) some = total;
            else if (line.startsWith("full ")) full = total;
        }
        if (some == null) return Reading.malformed(path, text, "\"some … total=<microseconds>\"");
        return Reading.of(new PressureStall(some, full));
    }
}
