// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/// Looks at the threads of a few processes twenty times a second, on a thread of its own, and counts what they did.
///
/// One look reads `/proc/<pid>/task/<tid>/stat` of up to [#MOST_THREADS] threads (about 12 µs each). These files take
/// no lock of the watched process, so a stuck process does not stop the poller.
final class ThreadStatePoller {
    private static final long INTERVAL_NANOS = 50_000_000;

    /// A server has hundreds of threads; the first ones are its main thread and its workers, and all of them wait when
    /// the model's pages are missing.
    private static final int MOST_THREADS = 48;

    private final HostRoot host;
    private final Map<Integer, Tally> tallies = new ConcurrentHashMap<>();
    private Thread thread;

    /// Written by the poller's thread only, read by the asking one.
    private static final class Tally {
        final List<String> threadStats;
        volatile int waiting;
        volatile int running;
        volatile int sleeping;

        Tally(List<String> threadStats) {
            this.threadStats = threadStats;
        }
    }

    ThreadStatePoller(HostRoot host) {
        this.host = host;
    }

    void watch(List<Integer> pids) {
        for (int pid : pids) tallies.computeIfAbsent(pid, p -> new Tally(threadsOf(p)));
        if (thread != null || pids.isEmpty()) return;
        thread = new Thread(this::poll, "thread-state-poller");
        thread.setDaemon(true);
        thread.start();
    }

    /// Watches nobody until it is told to again.
    void forget() {
        tallies.clear();
    }

    private List<String> threadsOf(int pid) {
        List<String> paths = new ArrayList<>();
        List<String> tids = host.names("/proc/" + pid + "/task").orElse(List.of());
        for (String tid : tids.subList(0, Math.min(tids.size(), MOST_THREADS)))
            paths.add("/proc/" + pid + "/task/" + tid + "/stat");
        return paths;
    }

    private void poll() {
        while (true) {
            tallies.values().forEach(this::look);
            LockSupport.parkNanos(INTERVAL_NANOS);
        }
    }

    private void look(Tally tally) {
        boolean anyWaits = false;
        boolean anyRuns = false;
        boolean anyThere = false;
        for (String path : tally.threadStats) {
            String stat = host.text(path).orElse("");
            int state = stat.lastIndexOf(')') + 2;
            if (state < 2 || state >= stat.length()) continue;
            anyThere = true;
            anyWaits |= stat.charAt(state) == 'D';
            anyRuns |= stat.charAt(state) == 'R';
        }
        if (!anyThere) return;
        if (anyWaits) tally.waiting++;
        else if (anyRuns) tally.running++;
        else tally.sleeping++;
    }

    Reading<String> tell(String pid) {
        Tally tally = tallies.get((int) KeyValues.number(pid).orElse(-1));
        int polls = tally == null ? 0 : tally.waiting + tally.running + tally.sleeping;
        if (polls == 0)
            return Reading.absent(
                    "/proc/" + pid + "/task", AbsentCause.NOT_RECORDED, "it was not watched over a window");
        return Reading.of("polls=" + polls + " waiting=" + tally.waiting + " running=" + tally.running + " sleeping="
                + tally.sleeping);
    }
}
