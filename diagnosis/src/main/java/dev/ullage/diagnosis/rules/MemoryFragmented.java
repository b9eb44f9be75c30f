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
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.kernellog.AllocationFailure;
import dev.ullage.host.kernellog.KernelEvents;
import dev.ullage.host.memory.FreeBlocks;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.PressureStall;
import dev.ullage.host.memory.Sysctls;
import dev.ullage.host.memory.VmStat;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Ratio;
import java.util.List;
import java.util.Map;
import java.util.Set;
/// Memory is free, but not in pieces as large as are asked for.

public final class MemoryFragmented implements Rule {
    /// 2^9 pages: a huge page of 2 MiB.
    private static final int HUGE_PAGE_ORDER = 9;

    /// Below it a failure means that nothing at all was free in time: the kernel's own bar for "costly" is above 3.
    private static final int ORDER = 3;

    /// Of free memory, in pieces of 2 MiB or more.
    private static final double LARGE_SHARE = 0.05;

    private static final double STALLS_PER_SECOND = 10;

    /// Of RAM available: with less there is simply too little.
    private static final double ROOM = 0.1;

    @Override
    public String name() {
        return "memory-fragmented";
    }

    @Override
    public Cause cause() {
        return Cause.MEMORY_FRAGMENTATION;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(FreeBlocks.FACT, MemInfo.FACT, VmStat.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cpu-bound");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        FreeBlocks blocks = evidence.latest(FreeBlocks.FACT).orThrow();
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        Change<VmStat> vm = evidence.change(VmStat.FACT).orThrow();
        PerSecond stalls = vm.rate(VmStat::compactionStalls);
        long failed = vm.increase(VmStat::compactionFailures);
        long tried = vm.increase(VmStat::compactionStalls);
        Bytes large = blocks.freeFrom(HUGE_PAGE_ORDER);
        Bytes free = blocks.freeFrom(0);
        Ratio pressure = evidence.change(PressureStall.MEMORY)
                .map(c -> c.share(PressureStall::some))
                .orElse(Ratio.NONE);
        List<AllocationFailure> refused = recent(evidence);
        boolean fragmented = !large.shareOf(free).isAtLeast(LARGE_SHARE);
        boolean struggles = fragmented
                && stalls.perSecond() >= STALLS_PER_SECOND
                && failed * 2 >= tried
                && pressure.isAtLeast(Severity.WARNING_STALL);
        boolean hasRoom = mem.availableShare().isAtLeast(ROOM);
        if (!hasRoom || refused.isEmpty() && !struggles)
            return new Verdict.Clear(
                    large.shown() + " of " + free.shown() + " free memory lie in pieces of 2 MiB or more, and "
                            + "allocations wait for memory to be moved together at " + stalls.shown());
        String failure = refused.isEmpty()
                ? "allocations wait for memory to be moved together at " + stalls.shown() + ", " + failed + " of "
                        + tried + " in vain"
                : "the kernel refused " + refused.getLast().task() + " "
                        + new Bytes(Bytes.PAGE << Math.min(refused.getLast().order(), 20)).shown() + " in one piece";
        return new Verdict.Problem(List.of(new Finding(
                this,
                Severity.WARNING,
                new Signs()
                        .decides(!refused.isEmpty())
                        .sign(fragmented)
                        .sign(failed > 0)
                        .sign(pressure.isAtLeast(Severity.WARNING_STALL))
                        .confidence(),
                failure + ", with " + mem.available().shown() + " available: free memory is in pieces",
                List.of(
                        Saw.of("free in pieces of 2 MiB or more", large, "/proc/buddyinfo"),
                        Saw.of("free in all", free, "/proc/buddyinfo"),
                        Saw.of("allocations that waited for compaction", stalls, "/proc/vmstat compact_stall"),
                        Saw.of("of them in vain", new Count(failed), "/proc/vmstat compact_fail"),
                        Saw.of(
                                "refused in the kernel log",
                                new Count(refused.size()),
                                "kernel log page allocation failure")),
                "huge pages, drivers' buffers and network rings need contiguous memory; they wait or fail while free shows gigabytes",
                Subject.THE_HOST,
                List.of(
                        Remedy.now(
                                "move memory together now; it costs a second of CPU",
                                "echo 1 > /proc/sys/vm/compact_memory",
                                Remedy.Cost.NONE,
                                Remedy.Risk.SLOWER,
                                "cat /proc/buddyinfo",
                                "-"),
                        Remedy.medium(
                                "keep more memory free, and let the kernel tidy up in advance",
                                "sysctl -w vm.min_free_kbytes="
                                        + Math.clamp(mem.total().bytes() / 1024 / 100, 67584, 2097152)
                                        + " vm.compaction_proactiveness=50",
                                Remedy.Cost.NONE,
                                Remedy.Risk.SLOWER,
                                "grep compact_ /proc/vmstat",
                                "sysctl -w " + before(evidence))))));
    }

    private static String before(Evidence evidence) {
        Sysctls sysctls = evidence.latest(Sysctls.FACT).orElse(new Sysctls(Map.of()));
        return "vm.min_free_kbytes=" + sysctls.get("vm.min_free_kbytes").orElse("67584")
                + " vm.compaction_proactiveness="
                + sysctls.get("vm.compaction_proactiveness").orElse("20");
    }

    /// Failures of this boot that are young enough to count.
    private static List<AllocationFailure> recent(Evidence evidence) {
        double now = evidence.to().monotonic().seconds();
        double since = evidence.focus().since().seconds();
        return evidence.latest(KernelEvents.FACT).map(KernelEvents::refusals).orElse(List.of()).stream()
                .filter(f -> f.order() >= ORDER)
                .filter(f ->
                        f.sinceBoot().map(at -> now - at.seconds() <= since).orElse(false))
                .toList();
    }
}
