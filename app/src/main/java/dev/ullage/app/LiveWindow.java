// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.HostRoot;
import dev.ullage.host.Sampler;
import dev.ullage.measure.Seconds;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Looks at a live host for a while: an instant or two a second, a line of progress, an early end on Ctrl-C.
final class LiveWindow {
    /// In a window up to this long an instant is read every half second, else every second: two bursts of a leak must
    /// not look like one.
    private static final double SHORT_WINDOW = 10;

    private final HostRoot host;
    private final Sampler sampler;
    private final boolean progress;
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch reported = new CountDownLatch(1);

    LiveWindow(HostRoot host, Focus focus) {
        this.host = host;
        this.sampler = new Sampler(focus);
        this.progress = Terminal.showsProgress();
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
        // On Ctrl-C the JVM runs this hook and ends when it returns: it holds the end back until the report is out.
        Runtime.getRuntime().addShutdownHook(new Thread(this::interrupt, "interrupted"));
        long start = System.nanoTime();
        sampler.take(host, true, false);
        double end = window.seconds();
        for (double next = step.seconds(); ; next += step.seconds()) {
            double until = Math.min(next, end);
            boolean stopped = sleepUntil(start, until, window);
            boolean last = stopped || until >= end;
            sampler.take(host, false, last);
            if (last) break;
        }
        if (progress) System.err.print("\r\u001b[K");
        return sampler.evidence();
    }

    private void interrupt() {
        interrupted.countDown();
        try {
            // Main halts the process when it has printed; this only bounds the wait.
            boolean done = reported.await(2, TimeUnit.SECONDS);
            if (!done) System.err.println("ullage: gave up on the report");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// @return whether somebody pressed Ctrl-C
    private boolean sleepUntil(long start, double until, Seconds window) {
        if (progress)
            System.err.printf(
                    "\rlooking at this host … %.0f of %.0f s", (System.nanoTime() - start) / 1e9, window.seconds());
        long left = start + (long) (until * 1e9) - System.nanoTime();
        try {
            return interrupted.await(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
