// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.host.Focus;
import dev.ullage.host.HostRoot;
import dev.ullage.host.Sampler;
import dev.ullage.host.process.ProcessStat;

/// On a host without a free processor the first instant takes seconds to read, for Java loads its classes meanwhile.
/// An instant has one time, that of its beginning; what is read at its end is off by those seconds, and the rates of
/// cgroups come out half of what they are (seen in the lab's virtual machine: a server at its io.max that seemed to use
/// 47 % of it). So where starting up was slow, everything is read once for nothing.
final class Rehearsal {
    /// A quick host is here after 0.15 s.
    private static final double SLOW_SECONDS = 0.6;

    private Rehearsal() {}

    static void ifSlow(HostRoot host, Focus focus) {
        if (secondsSinceStart(host) > SLOW_SECONDS) new Sampler(focus).take(host, true, true);
    }

    /// Not `ProcessHandle`, whose time of the start is only good to a second.
    private static double secondsSinceStart(HostRoot host) {
        return host.text("/proc/self/stat")
                .flatMap(ProcessStat::parse)
                .map(stat -> secondsUp(host) - stat.id().startTicks() / 100.0)
                .orElse(0.0);
    }

    /// `/proc/uptime` is `51234.87 98012.11`, the first since the start of the machine.
    private static double secondsUp(HostRoot host) {
        String uptime = host.text("/proc/uptime").orElse("0");
        try {
            return Double.parseDouble(uptime.split(" ", 2)[0]);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
