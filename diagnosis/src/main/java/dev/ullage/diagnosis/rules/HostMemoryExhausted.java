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
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.PressureStall;
import dev.ullage.host.memory.VmStat;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The host's RAM is used up by what cannot be reclaimed, and swap cannot take it.
public final class HostMemoryExhausted implements Rule {
    /// A hard limit is 95 % used by what cannot be reclaimed: RAM is the hardest limit there is.
    private static final double AVAILABLE_SHARE = 0.05;

    /// Swap helps as long as a tenth of it is free; earlyoom acts at the same point.
    private static final double SWAP_FREE_SHARE = 0.10;

    @Override
    public String name() {
        return "host-memory-exhausted";
    }

    @Override
    public Cause cause() {
        return Cause.HOST_RAM;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT);
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cold-start", "slow-disk", "disk-contention", "cgroup-memory-exhausted");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        String now = mem.available().shown() + " of " + mem.total().shown() + " available";
        if (mem.availableShare().isAtLeast(AVAILABLE_SHARE)) return new Verdict.Clear(now);
        if (mem.swapFree().shareOf(mem.swapTotal()).isAtLeast(SWAP_FREE_SHARE))
            return new Verdict.Clear(now + ", and " + mem.swapFree().shown() + " of swap free");
        Ratio pressure = evidence.change(PressureStall.MEMORY)
                .map(c -> c.share(PressureStall::some))
                .orElse(Ratio.NONE);
        boolean reclaims = evidence.change(VmStat.FACT)
                .map(c -> c.increase(VmStat::allocationStalls) > 0 || c.increase(VmStat::directlyScannedPages) > 0)
                .orElse(false);
        Severity severity =
                reclaims && pressure.isAtLeast(Severity.CRITICAL_STALL) ? Severity.CRITICAL : Severity.WARNING;
        List<Saw> saw = new ArrayList<>();
        saw.add(Saw.of("available", mem.available(), "/proc/meminfo MemAvailable"));
        saw.add(Saw.of("anonymous memory", mem.anonymous(), "/proc/meminfo AnonPages"));
        saw.add(Saw.of("shared memory and tmpfs", mem.shmem(), "/proc/meminfo Shmem"));
        saw.add(Saw.of("share of the window some task waited for memory", pressure, "/proc/pressure/memory some"));
        saw.addAll(Holders.largest(evidence, 3));
        double confidence = new Signs()
                .decides(!mem.availableShare().isAtLeast(0.02))
                .sign(true)
                .sign(reclaims || pressure.isAtLeast(Severity.WARNING_STALL))
                .sign(Holders.sum(evidence).shareOf(mem.total()).isAtLeast(0.5))
                .confidence();
        String swap = mem.swapTotal().bytes() == 0 ? "there is no swap" : "swap is full";
        return new Verdict.Problem(List.of(new Finding(
                this,
                severity,
                confidence,
                now + " and " + swap + ": the next large allocation ends in an OOM kill",
                saw,
                "the kernel can only drop file pages that will be read again at once, and then kill the largest process",
                Subject.THE_HOST,
                remedies(mem))));
    }

    private static List<Remedy> remedies(MemInfo mem) {
        Bytes size = mem.total().times(0.1);
        List<Remedy> remedies = new ArrayList<>();
        remedies.add(Remedy.now(
                "stop or move the largest process that is not the server",
                "ps -eo pid,rss,comm --sort=-rss | head",
                Remedy.Cost.NONE,
                Remedy.Risk.NONE,
                "grep MemAvailable /proc/meminfo",
                "start it again"));
        if (mem.swapTotal().bytes() == 0)
            remedies.add(Remedy.now(
                    "add " + size.shown() + " of swap so that a peak does not kill; it is no memory to serve from",
                    "fallocate -l " + size.bytes()
                            + " /swap.ullage && chmod 600 /swap.ullage && mkswap /swap.ullage && swapon /swap.ullage",
                    Remedy.Cost.NONE,
                    Remedy.Risk.SLOWER,
                    "swapon --show",
                    "swapoff /swap.ullage && rm /swap.ullage"));
        remedies.add(Remedy.medium(
                "make the server smaller: one copy of the model, fewer workers, a smaller quantisation",
                "",
                Remedy.Cost.RESTART,
                Remedy.Risk.RESULTS_CHANGE,
                "grep MemAvailable /proc/meminfo",
                "start it with the old settings"));
        return remedies;
    }
}
