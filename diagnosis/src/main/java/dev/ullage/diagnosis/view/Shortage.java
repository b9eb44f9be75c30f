// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.Severity;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.kernellog.OomScope;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.PressureStall;
import dev.ullage.host.memory.VmStat;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Present;
import java.util.Optional;

/// Whether the host's own memory runs out: what makes a waste of memory (idle huge pages, a forgotten tmpfs) a cause
/// and
/// not a curiosity.
///
/// @param severity how bad it is
/// @param shown the number that says so
/// @param hasKilled whether the kernel has killed a server for it
public record Shortage(Severity severity, String shown, boolean hasKilled) {
    /// MemAvailable below this share is short; the common alert rules take the same tenth.
    private static final double SHORT = 0.10;

    /// Pages a second that come back from swap, as `swap-thrash` counts them.
    private static final double SWAPPING = 100;

    public static Optional<Shortage> ofHost(Evidence evidence) {
        Optional<RecentKills> kill = RecentKills.in(evidence).stream()
                .filter(k -> k.counts() && k.kill().scope() instanceof OomScope.OfTheHost)
                .reduce((_, last) -> last);
        if (kill.isPresent())
            return Optional.of(new Shortage(
                    Severity.CRITICAL,
                    "the kernel killed " + kill.get().kill().victim().name() + " "
                            + kill.get().shownAge(),
                    true));
        if (!(evidence.latest(MemInfo.FACT) instanceof Present<MemInfo>(MemInfo mem))) return Optional.empty();
        Ratio pressure = evidence.change(PressureStall.MEMORY)
                .map(c -> c.share(PressureStall::some))
                .orElse(Ratio.NONE);
        String available = mem.available().shown() + " of " + mem.total().shown() + " are available";
        boolean swaps = evidence.change(VmStat.FACT)
                .map((Change<VmStat> c) -> c.rate(VmStat::swappedInPages).perSecond() >= SWAPPING)
                .orElse(false);
        // With much available it is a cgroup that swaps, under a limit of its own.
        boolean isHosts = !mem.availableShare().isAtLeast(2 * SHORT);
        if (swaps && isHosts && pressure.isAtLeast(Severity.WARNING_STALL))
            return Optional.of(
                    new Shortage(Severity.ofStall(pressure), "memory is swapped in and out, and " + available, false));
        boolean swapLeft = mem.swapFree().shareOf(mem.swapTotal()).isAtLeast(SHORT);
        if (mem.availableShare().isAtLeast(SHORT) || swapLeft) return Optional.empty();
        return Optional.of(new Shortage(
                pressure.isAtLeast(Severity.CRITICAL_STALL) ? Severity.CRITICAL : Severity.WARNING, available, false));
    }
}
