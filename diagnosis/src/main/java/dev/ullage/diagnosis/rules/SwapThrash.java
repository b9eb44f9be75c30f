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
import dev.ullage.diagnosis.view.Refaults;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.PressureStall;
import dev.ullage.host.memory.Swaps;
import dev.ullage.host.memory.VmStat;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Ratio;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Memory in use is swapped out and in again. Activity counts, not occupancy: pages swapped out days ago and never
/// missed are harmless.
public final class SwapThrash implements Rule {
    /// Pages a second that must come back from swap: below it nobody notices. pmie alarms at 5, atop at 10; a server's
    /// start touches a few hundred once, so the bar for a whole window is higher: 0.4 MiB/s.
    private static final double PAGES_PER_SECOND = 100;

    @Override
    public String name() {
        return "swap-thrash";
    }

    @Override
    public Cause cause() {
        return Cause.SWAP_THRASH;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(VmStat.FACT, MemInfo.FACT, Swaps.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    /// Reclaim takes the CPU too: what brings pages in and throws them out runs beside the server.
    @Override
    public Set<String> accountsFor() {
        return Set.of(
                "host-memory-exhausted", "cold-start", "slow-disk", "disk-contention", "memory-leak", "cpu-bound");
    }

    /// Whether a cgroup's own anonymous pages come back at a rate that matters.
    static boolean isSwapping(Refaults refaults) {
        return refaults.anonymous().perSecond() >= PAGES_PER_SECOND;
    }

    @Override
    public Verdict judge(Evidence evidence) {
        Swaps swaps = evidence.latest(Swaps.FACT).orThrow();
        if (swaps.areas().isEmpty()) return new Verdict.NotApplicable("there is no swap");
        Change<VmStat> vm = evidence.change(VmStat.FACT).orThrow();
        PerSecond in = vm.rate(VmStat::swappedInPages);
        PerSecond out = vm.rate(VmStat::swappedOutPages);
        Bytes used = evidence.latest(MemInfo.FACT).orThrow().swapUsed();
        if (in.perSecond() < PAGES_PER_SECOND)
            return new Verdict.Clear(
                    used.shown() + " of swap used, " + in.shown() + " pages in, " + out.shown() + " out");
        Ratio pressure = evidence.change(PressureStall.MEMORY)
                .map(c -> c.share(PressureStall::some))
                .orElse(Ratio.NONE);
        List<Workload> victims = victims(evidence);
        Ratio waited = pressure;
        for (Workload victim : victims) {
            Ratio of = Stall.of(evidence, victim).waiting();
            if (of.compareTo(waited) > 0) waited = of;
        }
        if (!waited.isAtLeast(Severity.WARNING_STALL))
            return new Verdict.Clear("pages come back from swap at " + in.shown() + ", and nobody waited for it");
        return new Verdict.Problem(List.of(finding(evidence, swaps, in, out, pressure, waited, victims)));
    }

    private Finding finding(
            Evidence evidence,
            Swaps swaps,
            PerSecond in,
            PerSecond out,
            Ratio pressure,
            Ratio waited,
            List<Workload> victims) {
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        Swaps.Swap area = swaps.areas().getFirst();
        Signs signs = new Signs()
                .sign(in.perSecond() >= PAGES_PER_SECOND)
                .sign(out.perSecond() >= PAGES_PER_SECOND)
                .sign(pressure.isAtLeast(Severity.WARNING_STALL))
                .sign(!victims.isEmpty());
        String who = victims.isEmpty() ? "the host" : victims.getFirst().shown();
        BytesPerSecond rate = new BytesPerSecond(in.perSecond() * Bytes.PAGE);
        Set<Integer> affected = new HashSet<>();
        victims.forEach(v -> affected.add(v.main().pid()));
        Subject subject = victims.isEmpty()
                ? Subject.THE_HOST
                : Subject.of(victims.getFirst()).affecting(affected);
        return new Finding(
                this,
                Severity.ofStall(waited),
                signs.confidence(),
                who + " waits for memory that was swapped out: " + rate.shown() + " come back from " + area.path(),
                List.of(
                        Saw.of("pages swapped in", in, "/proc/vmstat pswpin"),
                        Saw.of("pages swapped out", out, "/proc/vmstat pswpout"),
                        Saw.of(
                                "share of the window some task waited for memory",
                                pressure,
                                "/proc/pressure/memory some"),
                        Saw.of("swap used", mem.swapUsed(), "/proc/meminfo SwapTotal − SwapFree"),
                        Saw.of("memory the host has left", mem.available(), "/proc/meminfo MemAvailable")),
                area.kind() == Swaps.Kind.ZRAM
                        ? "every return costs CPU to decompress, and the compressed pages occupy RAM themselves"
                        : "a page from disk takes a hundred times as long as one from RAM; each token needs many",
                subject.at(area.path()),
                List.of(
                        Remedy.now(
                                "stop or move what holds the most memory beside the server",
                                "ps -eo pid,rss,comm --sort=-rss | head",
                                Remedy.Cost.NONE,
                                Remedy.Risk.NONE,
                                "vmstat 1 3  # si and so fall to 0",
                                "start it again"),
                        Remedy.medium(
                                "make the server smaller: fewer workers, a smaller quantisation, a shorter context",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.RESULTS_CHANGE,
                                "vmstat 1 3  # si and so fall to 0",
                                "start it with the old settings"),
                        Remedy.byDesign(
                                "add RAM: swap keeps a host alive, it does not serve tokens",
                                "",
                                Remedy.Cost.REBOOT,
                                Remedy.Risk.NONE,
                                "ullage diagnose",
                                "-")));
    }

    /// Servers with swapped memory, the one with the most first; other large processes when no server has any.
    private static List<Workload> victims(Evidence evidence) {
        List<Workload> victims = new ArrayList<>();
        for (Workload workload : evidence.workloads())
            if (swapped(evidence, workload).isMoreThan(Bytes.ofMiB(4))) victims.add(workload);
        List<Workload> servers = victims.stream().filter(Workload::isServer).toList();
        List<Workload> chosen = new ArrayList<>(servers.isEmpty() ? victims : servers);
        chosen.sort((a, b) -> swapped(evidence, b).compareTo(swapped(evidence, a)));
        return chosen;
    }

    private static Bytes swapped(Evidence evidence, Workload workload) {
        Bytes sum = Bytes.NONE;
        for (ProcessId id : workload.processes())
            sum = sum.plus(evidence.lastSeen(ProcessMemory.FACT, id)
                    .map(ProcessMemory::swapped)
                    .orElse(Bytes.NONE));
        return sum;
    }
}
