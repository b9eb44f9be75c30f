// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.server.Engine;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Which of all processes are looked at closely: those that could hold a model, and the large ones.
final class Candidates {
    /// A process with less address space than this maps no model and holds none.
    private static final Bytes SMALLEST_ADDRESS_SPACE = Bytes.ofMiB(64);

    /// Looking closely costs about 0.3 ms of CPU a process.
    private static final int MOST = 256;

    private Candidates() {}

    static List<ProcessId> among(Evidence evidence, List<ProcessStat> all, int self) {
        record Ranked(ProcessStat stat, boolean isEngine) {}
        List<Ranked> ranked = new ArrayList<>();
        for (ProcessStat stat : all) {
            if (stat.isKernelThread() || stat.id().pid() == self) continue;
            boolean named =
                    evidence.focus().pid().map(p -> p == stat.id().pid()).orElse(false);
            boolean isEngine = named
                    || evidence.latest(CommandLine.FACT, stat.id())
                            .map(command -> Engine.of(command).isPresent())
                            .orElse(false);
            boolean large = stat.virtualSize().compareTo(SMALLEST_ADDRESS_SPACE) >= 0;
            if (isEngine || large) ranked.add(new Ranked(stat, isEngine));
        }
        ranked.sort(Comparator.comparing(Ranked::isEngine)
                .thenComparing(r -> r.stat.residentPages())
                .reversed());
        return ranked.stream().limit(MOST).map(r -> r.stat.id()).toList();
    }
}
