// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Reading.Absent;
import java.util.List;

/// Python's own objects fill the heap, or its collector pauses the server. No probe tells that from outside, so this
/// rule never finds anything: of a Python server that grows it says that nobody has looked at what grows.
public final class PythonHeap implements Rule {
    /// Less growth than this a second is allocator noise.
    private static final BytesPerSecond NOISE = new BytesPerSecond(512 << 10);

    @Override
    public String name() {
        return "python-heap";
    }

    @Override
    public Cause cause() {
        return Cause.PYTHON_HEAP;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of();
    }

    @Override
    public Verdict judge(Evidence evidence) {
        String none = "no server runs Python";
        for (Workload server : evidence.servers()) {
            if (!runsPython(evidence, server)) continue;
            none = server.shown() + " runs Python, and its memory does not grow";
            for (ProcessId id : server.processes())
                if (growth(evidence, id).compareTo(NOISE) >= 0)
                    return new Verdict.CannotTell(
                            List.of(
                                    new Absent<>(
                                            "heap of Python in pid " + id.pid() + ", which grows",
                                            AbsentCause.NOT_CONFIGURED,
                                            "Python tells nobody outside of itself; tracemalloc or gc.get_stats() in the server would")));
        }
        return new Verdict.NotApplicable(none);
    }

    private static BytesPerSecond growth(Evidence evidence, ProcessId id) {
        return evidence.change(ProcessMemory.FACT, id)
                .map(c -> c.growth(ProcessMemory::anonymousAndSwapped).over(c.elapsed()))
                .orElse(BytesPerSecond.NONE);
    }

    private static boolean runsPython(Evidence evidence, Workload server) {
        return evidence.latest(CommandLine.FACT, server.main())
                .map(command -> command.program().startsWith("python"))
                .orElse(false);
    }
}
