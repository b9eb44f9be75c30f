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
import dev.ullage.diagnosis.view.Holders;
import dev.ullage.diagnosis.view.Shortage;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.PinnedPages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Memory pinned for devices is what the host runs out of: it can be neither swapped out nor moved.
public final class MemoryPinned implements Rule {
    /// Of RAM, where memory is short.
    private static final double CAUSE_SHARE = 0.25;

    /// Of RAM, where it is not: Linux has no limit of its own here, and drivers ask for half at most by habit.
    private static final double ADVICE_SHARE = 0.5;

    @Override
    public String name() {
        return "memory-pinned";
    }

    @Override
    public Cause cause() {
        return Cause.PINNED_MEMORY;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(PinnedPages.FACT, MemInfo.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return MemoryWaste.SYMPTOMS;
    }

    @Override
    public Verdict judge(Evidence evidence) {
        PinnedPages pages = evidence.latest(PinnedPages.FACT).orThrow();
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        Optional<Shortage> shortage = Shortage.ofHost(evidence);
        double bar = shortage.isPresent() ? CAUSE_SHARE : ADVICE_SHARE;
        if (!pages.pinned().shareOf(mem.total()).isAtLeast(bar))
            return new Verdict.Clear(pages.pinned().shown() + " are pinned for devices, as far as the kernel counts");
        List<Saw> saw = new ArrayList<>();
        saw.add(Saw.of("pinned for devices", pages.pinned(), PinnedPages.source()));
        saw.add(Saw.of("available", mem.available(), "/proc/meminfo MemAvailable"));
        saw.addAll(Holders.largest(evidence, 2));
        return new Verdict.Problem(List.of(new Finding(
                        this,
                        shortage.map(Shortage::severity).orElse(Severity.ADVICE),
                        new Signs()
                                .sign(true)
                                .sign(shortage.isPresent())
                                .sign(pages.pinned().shareOf(mem.total()).isAtLeast(ADVICE_SHARE))
                                // A page that is pinned twice counts twice.
                                .doubt(pages.pinned().isMoreThan(mem.anonymous().plus(mem.shmem())), 0.3)
                                .confidence(),
                        pages.pinned().shown() + " of " + mem.total().shown() + " RAM are pinned for devices"
                                + shortage.map(s -> "; " + s.shown()).orElse(", and memory is not short"),
                        saw,
                        "pinned memory can be neither swapped out nor moved; what is left for everything else is smaller than it looks",
                        Subject.THE_HOST,
                        List.of(Remedy.medium(
                                "pin less: DataLoader workers without pin_memory, a smaller CPU offload or swap space of the engine, fewer RDMA buffers",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.SLOWER,
                                "grep nr_foll_pin /proc/vmstat",
                                "start it with the old settings")))
                .explaining(
                        shortage.map(Shortage::hasKilled).orElse(false),
                        shortage.map(Shortage::shown).orElse(""))));
    }
}
