// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/// Does the same work for many things, some of which may never answer.
///
/// A process stuck in the kernel hangs whoever reads its `maps`; a dead mount hangs statfs. The work runs on a worker
/// thread, thing after thing. If one is late it gets the late answer, its worker is left behind (the kernel frees it
/// some day, or the process exits), and a new worker goes on with the next thing. So one stuck thing costs its own
/// answer and one thread, and a thousand healthy ones cost one hand-over between threads, not a thousand.
///
/// The patience is shared by everything a window reads: fifty hung mounts cost no more than [#BUDGET_NANOS] in all.
///
/// Late is not the same as slow. On a host whose processors are all taken — the host we are asked about — the first
/// statfs, which has to load classes, takes a second; taking that for a hang made `/` a hung mount, its servers unseen
/// and the host "healthy" (seen in the lab's virtual machine). So time in which we were not scheduled ourselves is not
/// counted, and a worker that is running, not asleep in the kernel, may go on for [#RUNNING_NANOS] more.
public final class Deadline {
    /// Of the worker that is this thread, whether it was left behind.
    private static final ThreadLocal<Run<?, ?>> WORKER = new ThreadLocal<>();

    private static final long PATIENCE_NANOS = 200_000_000;
    private static final long BUDGET_NANOS = 1_200_000_000;
    /// What a thing still gets when the budget is spent.
    private static final long LAST_PATIENCE_NANOS = 10_000_000;

    /// Shared by all workers that were late and running.
    private static final long RUNNING_NANOS = 4_000_000_000L;

    /// What a thing that has a second of its own may take.
    private static final long TOGETHER_NANOS = 1_300_000_000;

    private static final long SLICE_NANOS = 20_000_000;
    private static final AtomicInteger STARTED = new AtomicInteger();

    private final boolean waitsForever;
    private long budget = BUDGET_NANOS;
    private long runningBudget = RUNNING_NANOS;

    Deadline() {
        this(false);
    }

    private Deadline(boolean waitsForever) {
        this.waitsForever = waitsForever;
    }

    /// For recorded hosts: text does not hang, and a busy CPU must not make one replay differ from the next.
    static Deadline none() {
        return new Deadline(true);
    }

    /// Whether this thread works for nobody any more, because it was late: what it learns now has been taken for
    /// unknown.
    public static boolean isLeftBehind() {
        Run<?, ?> run = WORKER.get();
        return run != null && run.abandoned;
    }

    /// @param late the answer for a thing that did not come in time
    /// @return one answer for each thing, in order
    <K, V> List<V> each(List<K> things, Function<K, V> work, Function<K, V> late) {
        if (waitsForever) return things.stream().map(work).toList();
        AtomicReferenceArray<V> answers = new AtomicReferenceArray<>(things.size());
        int next = 0;
        while (next < things.size()) {
            Run<K, V> run = new Run<>(things, next, work, answers, Thread.currentThread());
            Thread worker = new Thread(run, "reader-" + STARTED.incrementAndGet());
            worker.setDaemon(true);
            worker.start();
            next = await(run, worker.getName(), things, answers, late);
        }
        List<V> all = new ArrayList<>(things.size());
        for (int i = 0; i < things.size(); i++) all.add(answers.get(i));
        return all;
    }

    /// The same for a few things that each bring a deadline of their own, of a second or so: all at once, on a thread
    /// each, so that ten that are late cost no more than one.
    <K, V> List<V> together(List<K> things, Function<K, V> work, Function<K, V> late) {
        if (waitsForever || things.isEmpty()) return things.stream().map(work).toList();
        AtomicReferenceArray<V> answers = new AtomicReferenceArray<>(things.size());
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch left = new CountDownLatch(things.size());
        for (int i = 0; i < things.size(); i++) {
            int index = i;
            Thread worker = new Thread(
                    () -> {
                        try {
                            answers.compareAndSet(index, null, work.apply(things.get(index)));
                        } catch (RuntimeException | Error e) {
                            failure.set(e);
                        }
                        left.countDown();
                    },
                    "asker-" + STARTED.incrementAndGet());
            worker.setDaemon(true);
            worker.start();
        }
        long begun = System.nanoTime();
        long waited = 0;
        for (long before = begun; waited < TOGETHER_NANOS && before - begun < 2 * TOGETHER_NANOS; ) {
            if (isZeroWithin(left, SLICE_NANOS)) break;
            long now = System.nanoTime();
            // As above: time in which nobody got a processor is not the server's.
            waited += Math.min(now - before, SLICE_NANOS);
            before = now;
        }
        if (failure.get() instanceof Error error) throw error;
        if (failure.get() instanceof RuntimeException exception) throw exception;
        List<V> all = new ArrayList<>(things.size());
        for (int i = 0; i < things.size(); i++) {
            if (answers.get(i) == null) answers.compareAndSet(i, null, late.apply(things.get(i)));
            all.add(answers.get(i));
        }
        return all;
    }

    private static boolean isZeroWithin(CountDownLatch latch, long nanos) {
        try {
            return latch.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /// Waits until the run is done or stuck; answers the index to go on with.
    private <K, V> int await(
            Run<K, V> run, String worker, List<K> things, AtomicReferenceArray<V> answers, Function<K, V> late) {
        int seen = run.at;
        long waited = 0;
        long before = System.nanoTime();
        while (true) {
            int at = run.at;
            if (at >= things.size()) {
                if (run.failure instanceof Error error) throw error;
                if (run.failure instanceof RuntimeException exception) throw exception;
                return at;
            }
            long now = System.nanoTime();
            // A park of 20 ms that took 300 says that nobody got a processor, not that the worker hangs.
            long slice = Math.min(now - before, SLICE_NANOS);
            before = now;
            waited += slice;
            if (at != seen) {
                seen = at;
                waited = 0;
            } else if (waited > patience()) {
                if (runningBudget > 0 && isRunning(worker)) {
                    runningBudget -= slice;
                } else {
                    budget -= waited;
                    run.abandoned = true;
                    // The worker may have finished this very moment: whoever is first answers.
                    answers.compareAndSet(at, null, late.apply(things.get(at)));
                    return at + 1;
                }
            }
            LockSupport.parkNanos(this, Math.min(patience(), SLICE_NANOS));
        }
    }

    /// Whether the kernel has the thread on a processor or in the queue for one. Our own task files wait for nobody.
    /// `/proc/self/task/812/stat` is `812 (reader-3) D 790 …`: R runs, D and S are asleep.
    private static boolean isRunning(String worker) {
        String[] tasks = new File("/proc/self/task").list();
        if (tasks == null) return false; // no Linux: late is late
        for (String task : tasks) {
            try {
                String stat = Files.readString(Path.of("/proc/self/task", task, "stat"), StandardCharsets.ISO_8859_1);
                if (stat.contains("(" + worker + ")")) return stat.contains("(" + worker + ") R ");
            } catch (IOException e) {
                // It ended between the listing and now, and so is not the one that is late.
            }
        }
        return false;
    }

    private long patience() {
        return budget > PATIENCE_NANOS ? PATIENCE_NANOS : LAST_PATIENCE_NANOS;
    }

    private static final class Run<K, V> implements Runnable {
        final List<K> things;
        final Function<K, V> work;
        final AtomicReferenceArray<V> answers;
        final Thread waiter;
        volatile int at;
        volatile boolean abandoned;
        /// A RuntimeException or an Error: nothing else gets out of a function.
        volatile Throwable failure;

        Run(List<K> things, int from, Function<K, V> work, AtomicReferenceArray<V> answers, Thread waiter) {
            this.things = things;
            this.at = from;
            this.work = work;
            this.answers = answers;
            this.waiter = waiter;
        }

        @Override
        public void run() {
            WORKER.set(this);
            try {
                for (int i = at; i < things.size() && !abandoned; i++) {
                    answers.compareAndSet(i, null, work.apply(things.get(i)));
                    if (abandoned) return;
                    at = i + 1;
                }
            } catch (RuntimeException | Error e) {
                failure = e;
                at = things.size();
            }
            LockSupport.unpark(waiter);
        }
    }
}
