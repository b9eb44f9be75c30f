// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ctrl-C: ends the looking, not the report. The JVM runs a hook and ends when it returns, so the hook holds the end
/// back
/// until the report is out.
final class Interrupt {
    private final CountDownLatch pressed = new CountDownLatch(1);

    private Interrupt() {}

    static Interrupt install() {
        Interrupt interrupt = new Interrupt();
        Runtime.getRuntime().addShutdownHook(new Thread(interrupt::hold, "interrupted"));
        return interrupt;
    }

    private void hold() {
        pressed.countDown();
        try {
            // Main halts the process when it has printed; this only bounds the wait.
            Thread.sleep(2_000);
            System.err.println("ullage: gave up on the report");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// @return whether somebody has pressed Ctrl-C by then
    boolean within(long nanos) {
        try {
            return pressed.await(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
