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
import dev.ullage.measure.Bytes;
import java.util.List;
/// There is no swap, and memory is getting short: nothing will be slow before something is killed.

public final class NoSwap implements Rule {
    /// Of RAM available.
    private static final double SHARE = 0.2;

    /// Of RAM: enough for what is never touched, too little to serve from.
    private static final double SIZE = 0.05;

    @Override
    public String name() {
        return "no-swap";
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
    public Verdict judge(Evidence evidence) {
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        if (mem.swapTotal().bytes() > 0)
            return new Verdict.NotApplicable("there is " + mem.swapTotal().shown() + " of swap");
        if (mem.availableShare().isAtLeast(SHARE))
            return new Verdict.Clear(
                    "there is no swap, and " + mem.availableShare().shown() + " of RAM are available");
        Bytes size = mem.total().times(SIZE);
        return new Verdict.Problem(List.of(new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(true).confidence(),
                "there is no swap, and " + mem.available().shown()
                        + " of RAM are available: a peak will not be slow, it will be an OOM kill",
                List.of(
                        Saw.of("available", mem.available(), "/proc/meminfo MemAvailable"),
                        Saw.of("swap", mem.swapTotal(), "/proc/meminfo SwapTotal")),
                "a little swap lets the kernel put away what is never used, and turns a sudden death into a warning; it is no memory to serve from",
                Subject.THE_HOST,
                List.of(Remedy.now(
                        "add " + size.shown() + " of swap, on another disk than the model's",
                        "fallocate -l " + size.bytes()
                                + " /swap.ullage && chmod 600 /swap.ullage && mkswap /swap.ullage && swapon /swap.ullage",
                        Remedy.Cost.NONE,
                        Remedy.Risk.SLOWER,
                        "swapon --show",
                        "swapoff /swap.ullage && rm /swap.ullage")))));
    }
}
