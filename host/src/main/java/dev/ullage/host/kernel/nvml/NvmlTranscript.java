// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import dev.ullage.measure.AbsentCause;

/// What one conversation with the library has brought so far, in the words of [dev.ullage.host.gpu.NvmlText].
///
/// Written by the thread that asks the library, and read by the one that waits for it: when the library does not come
/// back, what it told before is not lost.
final class NvmlTranscript {
    private final StringBuilder text = new StringBuilder();
    private int gpus;
    private int told;
    private boolean isOpen;
    private boolean isClosed;
    private String asking = "loading the library";

    /// The function that is being called now, for the case that it never returns.
    synchronized void asking(String what) {
        asking = what;
    }

    synchronized String asking() {
        return asking;
    }

    synchronized void line(String line) {
        if (!isClosed) text.append(line.replace('\n', ' ')).append('\n');
    }

    synchronized void absent(String word, AbsentCause cause, String detail) {
        line("absent " + word + " " + cause.word() + " " + detail);
    }

    synchronized void expect(int count) {
        gpus = count;
    }

    /// Begins the next GPU.
    synchronized void gpu(String name) {
        line("gpu " + told + (name.isEmpty() ? "" : " " + name));
        told++;
        isOpen = true;
    }

    synchronized void gpuDone() {
        isOpen = false;
    }

    /// All of it.
    synchronized String whole() {
        return text.toString();
    }

    /// All until now; what comes later is dropped. What is missing of the present GPU and of those after it is said to
    /// be absent.
    synchronized String cutShort(String why) {
        if (!isClosed) {
            if (isOpen) absent("everything", AbsentCause.TIMED_OUT, why);
            while (told < gpus) {
                gpu("");
                absent("everything", AbsentCause.TIMED_OUT, why);
            }
            isClosed = true;
        }
        return text.toString();
    }

    /// Whether a GPU was heard of at all.
    synchronized boolean hasGpus() {
        return gpus > 0;
    }
}
