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
import dev.ullage.host.memory.Sysctls;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Count;
import java.util.List;
import java.util.OptionalLong;
/// The kernel is told to swap as eagerly as to drop cache, and has swapped a server's memory while it keeps cache.

public final class SwappinessHigh implements Rule {
    /// Less is start-up code and idle heaps.
    private static final Bytes LITTLE = Bytes.ofMiB(128);

    /// The kernel's default; from there on cache and memory of processes weigh nearly the same.
    private static final double EAGER = 60;

    /// Of RAM.
    private static final double CACHE_SHARE = 0.2;

    @Override
    public String name() {
        return "swappiness-high";
    }

    @Override
    public Cause cause() {
        return Cause.SWAP_THRASH;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT, Swaps.FACT, Sysctls.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        OptionalLong swappiness = evidence.latest(Sysctls.FACT).orThrow().number("vm.swappiness");
        boolean onlyZram =
                evidence.latest(Swaps.FACT).orThrow().areas().stream().allMatch(a -> a.kind() == Swaps.Kind.ZRAM);
        if (mem.swapTotal().bytes() == 0 || onlyZram) return new Verdict.NotApplicable("there is no swap on a disk");
        String now = "vm.swappiness is " + (swappiness.isPresent() ? swappiness.getAsLong() : "not told");
        for (Workload server : evidence.servers()) {
            Bytes swapped = Bytes.NONE;
            for (ProcessId id : server.processes())
                swapped = swapped.plus(evidence.lastSeen(ProcessMemory.FACT, id)
                        .map(ProcessMemory::swapped)
                        .orElse(Bytes.NONE));
            boolean keepsCache = mem.pageCache().shareOf(mem.total()).isAtLeast(CACHE_SHARE);
            if (swappiness.orElse(0) < EAGER || !swapped.isMoreThan(LITTLE) || !keepsCache) continue;
            return new Verdict.Problem(List.of(new Finding(
                    this,
                    Severity.ADVICE,
                    new Signs().sign(true).sign(true).confidence(),
                    now + ": " + swapped.shown() + " of " + server.shown() + " were swapped out while "
                            + mem.pageCache().shown() + " of page cache stayed",
                    List.of(
                            Saw.of(
                                    "swapped out of the server",
                                    swapped,
                                    server.main().file("status") + " VmSwap"),
                            Saw.of("page cache", mem.pageCache(), "/proc/meminfo Cached + Buffers − Shmem"),
                            Saw.of("swappiness", new Count(swappiness.orElse(0)), "/proc/sys/vm/swappiness")),
                    "a server's own memory is touched with each request, and most cache is not: dropping cache first is cheaper here",
                    Subject.of(server),
                    List.of(Remedy.now(
                            "tell the kernel to drop cache first; where the cache is a mapped model, leave it",
                            "sysctl -w vm.swappiness=10",
                            Remedy.Cost.NONE,
                            Remedy.Risk.NONE,
                            "vmstat 1 5",
                            "sysctl -w vm.swappiness=" + swappiness.orElse(60))))));
        }
        return new Verdict.Clear(now + ", and no server was swapped out for it");
    }
}
