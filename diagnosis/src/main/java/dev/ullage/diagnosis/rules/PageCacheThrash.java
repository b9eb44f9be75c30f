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
import dev.ullage.diagnosis.view.Reads;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.diagnosis.view.Thrash;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.VmStat;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A mapped model is larger than what is left to cache it: pages are read, evicted, and read again.
///
/// Not told by major faults, which a healthy cold load has by the thousand and a thrash with large read-ahead hardly
/// has at all, but by bytes: much is read from storage and the model's resident pages do not grow.
public final class PageCacheThrash implements Rule {
    @Override
    public String name() {
        return "page-cache-thrash";
    }

    @Override
    public Cause cause() {
        return Cause.PAGE_CACHE_THRASH;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT, VmStat.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    /// Reclaim takes the CPU too: what brings pages in and throws them out runs beside the server.
    @Override
    public Set<String> accountsFor() {
        return Set.of(
                "swap-thrash", "cold-start", "slow-disk", "disk-contention", "host-memory-exhausted", "cpu-bound");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server reads a mapped model from storage";
        for (Workload workload : evidence.servers()) {
            Thrash thrash = Thrash.of(evidence, workload);
            Reads reads = thrash.reads();
            if (thrash.isOn() && !isOwnMemory(thrash)) {
                findings.add(finding(evidence, workload, thrash));
            } else if (reads.isReading()) {
                clear = workload.shown() + " reads " + reads.rate().shown() + " and "
                        + reads.kept().shown() + " of " + reads.fromStorage().shown() + " stayed in memory";
            }
        }
        return Verdict.of(findings, clear);
    }

    /// What comes back from storage is mostly what was swapped out: that is swap-thrash, and the file pages that go in
    /// and out beside it are its symptom.
    private static boolean isOwnMemory(Thrash thrash) {
        return thrash.refaults().anonymous().compareTo(thrash.refaults().file()) > 0;
    }

    private Finding finding(Evidence evidence, Workload workload, Thrash thrash) {
        Reads reads = thrash.reads();
        Stall stall = Stall.of(evidence, workload);
        Bytes available = evidence.latest(MemInfo.FACT).orThrow().available();
        boolean hostHasNoRoom = reads.mapped().minus(reads.resident()).isMoreThan(available.minus(reads.resident()));
        Signs signs = new Signs()
                .sign(reads.lost().isMoreThan(reads.kept()))
                .sign(thrash.refaultedShare().isAtLeast(0.2))
                .sign(thrash.evicts())
                .doubt(thrash.hit().isEmpty() && !hostHasNoRoom, 0.3);
        String model = workload.models().isEmpty()
                ? "its files"
                : workload.models().getFirst().name();
        return new Finding(
                this,
                Severity.ofStall(stall.withKernelWork()),
                signs.confidence(),
                workload.shown() + " reads " + reads.rate().shown() + " of " + model + " again and again: "
                        + reads.mapped().shown() + " mapped, "
                        + reads.resident().shown() + " stay in memory",
                List.of(
                        Saw.of(
                                "read from storage",
                                reads.fromStorage(),
                                "/proc/" + workload.main().pid() + "/io read_bytes"),
                        Saw.of("growth of the model in memory", reads.residentGrowth(), reads.residentSource()),
                        Saw.of(
                                "pages read again after eviction",
                                thrash.refaults().file(),
                                thrash.refaults().source()),
                        stall.saw(),
                        Saw.of("memory the host has left", available, "/proc/meminfo MemAvailable")),
                "each pass over the model costs a read of what was evicted since the last one; tokens come at the speed of the disk",
                Subject.of(workload)
                        .at(
                                workload.models().isEmpty()
                                        ? ""
                                        : workload.models().getFirst().path()),
                List.of(
                        Remedy.now(
                                "free memory for the page cache: stop or move what holds the most",
                                "ps -eo pid,rss,comm --sort=-rss | head",
                                Remedy.Cost.NONE,
                                Remedy.Risk.NONE,
                                "ullage diagnose --pid " + workload.main().pid(),
                                "start it again"),
                        Remedy.medium(
                                "serve a smaller quantisation of " + model + ", below "
                                        + available.times(0.9).shown(),
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.RESULTS_CHANGE,
                                "ullage diagnose --pid <new pid>",
                                "start the server with the old file"),
                        Remedy.byDesign(
                                "add RAM: the model needs " + reads.mapped().shown()
                                        + " of page cache beside everything else",
                                "",
                                Remedy.Cost.REBOOT,
                                Remedy.Risk.NONE,
                                "ullage diagnose",
                                "-")));
    }
}
