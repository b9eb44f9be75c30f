// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.Swaps;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.List;
/// A server has much of its memory in swap and does well, for now: it lives on memory the host does not have.

public final class SwapReliedOn implements Rule {
    /// Less is start-up code and idle heaps.
    private static final Bytes LITTLE = Bytes.ofMiB(128);

    /// Of the server's own memory.
    private static final double SHARE = 0.2;

    /// Times what is swapped: with so much available it could come back.
    private static final double ROOM = 1.2;

    @Override
    public String name() {
        return "swap-relied-on";
    }

    @Override
    public Cause cause() {
        return Cause.SWAP_THRASH;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT, Swaps.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        if (mem.swapTotal().bytes() == 0) return new Verdict.NotApplicable("there is no swap");
        List<Finding> findings = new ArrayList<>();
        Bytes most = Bytes.NONE;
        for (Workload server : evidence.servers()) {
            Bytes swapped = Bytes.NONE;
            Bytes resident = Bytes.NONE;
            for (ProcessId id : server.processes()) {
                ProcessMemory memory = evidence.lastSeen(ProcessMemory.FACT, id).orElse(null);
                if (memory == null) continue;
                swapped = swapped.plus(memory.swapped());
                resident = resident.plus(memory.anonymous());
            }
            if (swapped.isMoreThan(most)) most = swapped;
            // With room for it all it was put out long ago, and comes back when it is touched.
            boolean couldComeBack = mem.available().isMoreThan(swapped.times(ROOM));
            if (swapped.isMoreThan(LITTLE)
                    && swapped.shareOf(swapped.plus(resident)).isAtLeast(SHARE)
                    && !couldComeBack) findings.add(finding(server, swapped, resident, mem));
        }
        return Verdict.of(findings, most.shown() + " of a server are swapped out at most");
    }

    private Finding finding(Workload server, Bytes swapped, Bytes resident, MemInfo mem) {
        return new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(true).confidence(),
                swapped.shown() + " of " + server.shown() + " lie in swap, and "
                        + mem.available().shown() + " of RAM are available: they could not all come back",
                List.of(
                        Saw.of("swapped out", swapped, server.main().file("status") + " VmSwap"),
                        Saw.of("own memory in RAM", resident, server.main().file("status") + " RssAnon"),
                        Saw.of("available", mem.available(), "/proc/meminfo MemAvailable")),
                "swap is for what is never touched again; a server that needs it answers a request in minutes when the pages are wanted",
                Subject.of(server),
                List.of(Remedy.medium(
                        "make room: a smaller quantisation or context, fewer workers, or another host for what runs beside it",
                        "",
                        Remedy.Cost.RESTART,
                        Remedy.Risk.RESULTS_CHANGE,
                        "grep VmSwap /proc/<new pid>/status",
                        "start it with the old settings")));
    }
}
