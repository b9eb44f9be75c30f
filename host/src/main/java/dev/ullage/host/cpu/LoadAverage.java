// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cpu;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.measure.Reading;

/// `/proc/loadavg`: `0.52 0.41 0.30 2/187 4711`. Counts tasks that run, want to run, **or wait uninterruptibly**: a
/// load of 40 on 8 CPUs can be forty threads waiting for one disk.
public record LoadAverage(double oneMinute, double fiveMinutes, double fifteenMinutes) {
    public static final Fact<Host, LoadAverage> FACT =
            Fact.ofFile("load average", "/proc/loadavg", Cadence.ENDS, "mount /proc", LoadAverage::parse);

    public static Reading<LoadAverage> parse(String text) {
        String[] words = text.strip().split("\\s+");
        try {
            LoadAverage load = new LoadAverage(
                    Double.parseDouble(words[0]), Double.parseDouble(words[1]), Double.parseDouble(words[2]));
            double sum = load.oneMinute + load.fiveMinutes + load.fifteenMinutes;
            boolean isLoad =
                    Double.isFinite(sum) && load.oneMinute >= 0 && load.fiveMinutes >= 0 && load.fifteenMinutes >= 0;
            return isLoad ? Reading.of(load) : Reading.malformed("/proc/loadavg", text, "three numbers");
        } catch (RuntimeException e) {
            return Reading.malformed("/proc/loadavg", text, "three numbers");
        }
    }
}
