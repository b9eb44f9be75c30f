// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.HostRoot;
import dev.ullage.host.Sampler;
import dev.ullage.measure.Seconds;

/// Looks at a live host for a while: an instant or two a second, a line of progress, an early end on Ctrl-C.
final class LiveWindow {
    /// In a window up to this long an instant is read every half second, else every second: two bursts of a leak must
    /// not look like one.
    private static final double SHORT_WINDOW = 10;

    private final HostRoot host;
    private final Sampler sampler;
    private final Interrupt interrupt;
    private final boolean progress;

    LiveWindow(HostRoot host, Focus focus, Interrupt interrupt) {
        this(host, focus, interrupt, Terminal.showsProgress());
    }

    /// @param progress whether a line on standard error says how far it is
    LiveWindow(HostRoot host, Focus focus, Interrupt interrupt, boolean progress) {
        this.host = host;
        this.sampler = new Sampler(focus);
        this.interrupt = interrupt;
        this.progress = progress;
    }

    Evidence look(Seconds window) {
        return look(window, stepOf(window));
    }

    static Seconds stepOf(Seconds window) {
        return new Seconds(window.seconds() <= SHORT_WINDOW ? 0.5 : 1);
    }

    /// @param step how far instants lie apart
    Evidence look(Seconds window, Seconds step) {
        if (window.seconds() <= 0) {
            sampler.take(host, true, true);
            return sampler.evidence();
        }
        long start = System.nanoTime();
        sampler.take(host, true, false);
        double end = window.seconds();
        for (double next = step.seconds(); ; next += step.seconds()) {
            // A server that answered late took the time of these: instants of one moment say nothing.
            while (next + step.seconds() < Math.min(end, (System.nanoTime() - start) / 1e9)) next += step.seconds();
            double until = Math.min(next, end);
            boolean stopped = sleepUntil(start, until, window);
            boolean last = stopped || until >= end;
            sampler.take(host, false, last);
            if (last) break;
        }
        if (progress) System.err.print("\r\u001b[K");
        return sampler.evidence();
    }

    /// @return whether somebody pressed Ctrl-C
    private boolean sleepUntil(long start, double until, Seconds window) {
        if (progress)
            System.err.printf(
                    "\rlooking at this host … %.0f of %.0f s", (System.nanoTime() - start) / 1e9, window.seconds());
        return interrupt.within(start + (long) (until * 1e9) - System.nanoTime());
    }
}
