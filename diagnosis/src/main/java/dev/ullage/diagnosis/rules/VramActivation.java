// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.GpuServer;
import dev.ullage.diagnosis.view.Suffering;
import dev.ullage.diagnosis.view.VramGrowth;
import dev.ullage.diagnosis.view.VramPool;
import dev.ullage.host.Evidence;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.List;

/// What a batch needs while it is computed comes within a hair of the end of the card.
///
/// Seen live only of servers that allocate as they go, as a peak that rises and falls again in the window. Those that
/// reserve at start measure their peak then and fail then: their logs tell it.
public final class VramActivation implements JudgesGpus {
    /// Of the card's memory: a smaller peak is an allocator's.
    private static final double SWING = 0.05;

    /// Of the card's memory left at the peak: the next longer prompt is larger than that.
    private static final double LEFT = 0.05;

    @Override
    public String name() {
        return "vram-activation";
    }

    @Override
    public Cause cause() {
        return Cause.VRAM_ACTIVATION;
    }

    @Override
    public Verdict judge(Evidence evidence, List<GpuServer> servers) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server's memory peaks near the end of its GPU, as far as it shows from outside";
        for (GpuServer server : servers) {
            if (server.isLoading(evidence)) {
                clear = server.workload().shown() + " is loading a model";
                continue;
            }
            if (server.reservesAtStart()) {
                clear = server.workload().shown() + " reserves its memory at start, what a batch needs included";
                continue;
            }
            for (VramPool pool : server.pools()) {
                VramGrowth growth =
                        VramGrowth.of(evidence, server.workload(), pool.gpu().index());
                Bytes total = pool.memory().total();
                if (!growth.hasPeakOf(total.times(SWING))) continue;
                Bytes others = pool.memory()
                        .used()
                        .minus(pool.heldBy(server.workload()))
                        .orNoneIfNegative();
                Bytes left = pool.usable().minus(others).minus(growth.highest()).orNoneIfNegative();
                clear = server.workload().shown() + " peaks at "
                        + growth.highest().shown() + " and leaves " + left.shown() + " of " + pool.shown();
                if (!left.shareOf(total).isAtLeast(LEFT)) findings.add(finding(evidence, server, pool, growth, left));
            }
        }
        return Verdict.of(findings, clear);
    }

    private Finding finding(Evidence evidence, GpuServer server, VramPool pool, VramGrowth growth, Bytes left) {
        Suffering suffering = Suffering.of(evidence, server);
        Bytes swing = growth.highest().minus(growth.lowest());
        List<Saw> saw = new ArrayList<>();
        saw.add(Saw.of("most it held", growth.highest(), pool.sourceOfHolders()));
        saw.add(Saw.of("least it held", growth.lowest(), pool.sourceOfHolders()));
        saw.add(Saw.of("left on the card at that moment", left, pool.source("used")));
        saw.addAll(suffering.saw());
        return new Finding(
                this,
                // Near the end is not over it: only a server that died of something is worth more than advice.
                suffering.death().isPresent() ? Severity.WARNING : Severity.ADVICE,
                new Signs()
                        .sign(true)
                        .sign(suffering.death().isPresent())
                        .doubt(true, 0.2)
                        .confidence(),
                server.workload().shown() + " needs " + swing.shown() + " more of " + pool.shown()
                        + " while it computes, and that leaves " + left.shown(),
                saw,
                "a longer prompt or one more request at a time needs more than is left, and then an allocation fails",
                JudgesGpus.subject(server, pool),
                List.of(
                        Remedy.medium(
                                "compute long prompts in pieces, and fewer requests at a time",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.SLOWER,
                                "ullage diagnose --for 60s",
                                "start it with the old settings"),
                        Remedy.byDesign(
                                "weights of fewer bits, or a GPU with room for " + swing.shown() + " beside them",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.RESULTS_CHANGE,
                                "ullage diagnose --for 60s",
                                "-")));
    }
}
