// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Seconds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `/proc/<pid>/task/<tid>/schedstat`, summed over threads: time on a CPU, and time runnable with no CPU free. Source:
/// Documentation/scheduler/sched-stats.rst.
///
/// ```
/// 1893412345 20311234 412
/// ```
/// nanoseconds run, nanoseconds waited on a run queue, time slices. The file of the process itself tells of its main
/// thread only.
///
/// Mistake people make: taking the sum of all threads for how long the process stood still. Ten threads that each
/// waited
/// 2 % of the time make 20 %, and nobody was held up.
///
/// @param waitedOf each thread, by its number
public record RunQueue(Seconds run, Seconds waited, Map<String, Seconds> waitedOf) {
    /// As many threads as are watched for their states.
    private static final int MOST_THREADS = 48;

    /// How long the thread that waited longest since an earlier reading did so. Threads that were not seen then do not
    /// count: of a process with more threads than are read, an old one may only now be among those that are.
    public Seconds longestWaitSince(RunQueue before) {
        double longest = 0;
        for (Map.Entry<String, Seconds> thread : waitedOf.entrySet()) {
            Seconds then = before.waitedOf.get(thread.getKey());
            if (then != null) longest = Math.max(longest, thread.getValue().seconds() - then.seconds());
        }
        return new Seconds(longest);
    }

    public static final Fact<ProcessId, RunQueue> FACT = new Fact<>(
            "time on and waiting for a CPU", "/proc/<pid>/task/*/schedstat", Cadence.ENDS, "", RunQueue::read);

    private static Reading<RunQueue> read(HostRoot root, ProcessId id) {
        return root.names(id.file("task")).flatMap(threads -> {
            double run = 0;
            double waited = 0;
            Reading<String> last = null;
            boolean any = false;
            Map<String, Seconds> waitedOf = new HashMap<>();
            for (String thread : threads.subList(0, Math.min(threads.size(), MOST_THREADS))) {
                last = root.text(id.file("task/" + thread + "/schedstat"));
                List<String> words = List.of(last.orElse("").strip().split(" "));
                if (words.size() < 2
                        || KeyValues.number(words.get(0)).isEmpty()
                        || KeyValues.number(words.get(1)).isEmpty()) continue;
                any = true;
                run += KeyValues.number(words.get(0)).orElse(0) / 1e9;
                double waits = KeyValues.number(words.get(1)).orElse(0) / 1e9;
                waited += waits;
                waitedOf.put(thread, new Seconds(waits));
            }
            if (!any && last != null && last.isPresent())
                return Reading.malformed("/proc/<pid>/task/*/schedstat", last.orElse(""), "three numbers");
            if (any) return Reading.of(new RunQueue(new Seconds(run), new Seconds(waited), Map.copyOf(waitedOf)));
            return last == null
                    ? Reading.malformed("/proc/<pid>/task", "", "a thread")
                    : last.map(_ -> new RunQueue(Seconds.NONE, Seconds.NONE, Map.of()));
        });
    }
}
