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
import dev.ullage.diagnosis.view.Shortage;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.HugePages;
import dev.ullage.host.memory.MemInfo;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// RAM is set aside for huge pages that nobody uses.
public final class HugePagesIdle implements Rule {
    /// Of RAM: less is not what a host dies of.
    private static final double IDLE_SHARE = 0.10;

    @Override
    public String name() {
        return "huge-pages-idle";
    }

    @Override
    public Cause cause() {
        return Cause.HUGEPAGES_RESERVED;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(HugePages.FACT, MemInfo.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return MemoryWaste.SYMPTOMS;
    }

    @Override
    public Verdict judge(Evidence evidence) {
        HugePages pages = evidence.latest(HugePages.FACT).orThrow();
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        Optional<HugePages.Pool> idlest = pages.pools().stream().max(Comparator.comparing(HugePages.Pool::idle));
        if (idlest.isEmpty()) return new Verdict.NotApplicable("no huge pages are set aside");
        if (!pages.idle().shareOf(mem.total()).isAtLeast(IDLE_SHARE))
            return new Verdict.Clear(pages.setAside().shown() + " are set aside for huge pages, "
                    + pages.idle().shown() + " of them idle");
        HugePages.Pool pool = idlest.get();
        Optional<Shortage> shortage = Shortage.ofHost(evidence);
        // Some headroom stays: whoever has set them aside may come back for a few.
        long keep = pool.total() - pool.free() + pool.reserved();
        return new Verdict.Problem(List.of(new Finding(
                        this,
                        shortage.map(Shortage::severity).orElse(Severity.ADVICE),
                        new Signs()
                                .sign(true)
                                .sign(shortage.isPresent())
                                .sign(pages.idle()
                                        .plus(mem.available())
                                        .shareOf(mem.total())
                                        .isAtLeast(IDLE_SHARE))
                                .confidence(),
                        pages.idle().shown() + " of " + mem.total().shown()
                                + " RAM are set aside for huge pages that nobody uses"
                                + shortage.map(s -> "; " + s.shown()).orElse(", and memory is not short"),
                        List.of(
                                Saw.of("set aside", pages.setAside(), pool.folder() + "/nr_hugepages"),
                                Saw.of("idle", pages.idle(), pool.folder() + "/free_hugepages − resv_hugepages"),
                                Saw.of("available", mem.available(), "/proc/meminfo MemAvailable")),
                        "neither page cache nor any process can have this memory unless it asks for huge pages",
                        Subject.THE_HOST,
                        List.of(
                                Remedy.now(
                                        "give the idle ones back",
                                        "echo " + Math.max(0, keep) + " > " + pool.folder() + "/nr_hugepages",
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.NONE,
                                        "grep -E 'HugePages_|MemAvailable' /proc/meminfo",
                                        "echo " + pool.total() + " > " + pool.folder() + "/nr_hugepages"),
                                Remedy.medium(
                                        "find who asked for them, so that they are not set aside again at the next boot",
                                        "grep -rs hugepages /etc/sysctl.conf /etc/sysctl.d /proc/cmdline /etc/default/grub",
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.NONE,
                                        "cat " + pool.folder() + "/nr_hugepages",
                                        "-")))
                .explaining(
                        shortage.map(Shortage::hasKilled).orElse(false),
                        shortage.map(Shortage::shown).orElse(""))));
    }
}
