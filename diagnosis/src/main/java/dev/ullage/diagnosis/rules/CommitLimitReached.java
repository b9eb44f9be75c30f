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
import dev.ullage.host.memory.Sysctls;
import dev.ullage.measure.Bytes;
import java.util.List;
/// The kernel was told to promise no more memory than it has (`vm.overcommit_memory=2`), and has promised nearly all.

public final class CommitLimitReached implements Rule {
    /// The contract's "hard limit 95 % used".
    private static final double NEAR = 0.95;

    /// With less than this to promise no engine can start a thread pool or map a buffer.
    private static final Bytes NOTHING_LEFT = Bytes.ofMiB(64);

    @Override
    public String name() {
        return "commit-limit-reached";
    }

    @Override
    public Cause cause() {
        return Cause.ADDRESS_SPACE_LIMIT;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(MemInfo.FACT, Sysctls.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        Sysctls sysctls = evidence.latest(Sysctls.FACT).orThrow();
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        if (sysctls.number("vm.overcommit_memory").orElse(0) != 2)
            return new Verdict.NotApplicable("the kernel does not count promised memory strictly");
        Bytes limit = mem.get("CommitLimit");
        Bytes promised = mem.get("Committed_AS");
        Bytes left = limit.minus(promised).orNoneIfNegative();
        String now = promised.shown() + " of " + limit.shown() + " are promised";
        if (limit.bytes() == 0 || !promised.shareOf(limit).isAtLeast(NEAR)) return new Verdict.Clear(now);
        long ratio = sysctls.number("vm.overcommit_ratio").orElse(50);
        return new Verdict.Problem(List.of(new Finding(
                        this,
                        NOTHING_LEFT.isMoreThan(left) && !evidence.servers().isEmpty()
                                ? Severity.CRITICAL
                                : Severity.WARNING,
                        new Signs()
                                .decides(NOTHING_LEFT.isMoreThan(left))
                                .sign(true)
                                .sign(mem.available().isMoreThan(left))
                                .confidence(),
                        now + " under strict overcommit: the next large allocation is refused, with "
                                + mem.available().shown() + " of RAM available",
                        List.of(
                                Saw.of("promised", promised, "/proc/meminfo Committed_AS"),
                                Saw.of("may be promised", limit, "/proc/meminfo CommitLimit"),
                                Saw.of("available", mem.available(), "/proc/meminfo MemAvailable")),
                        "vm.overcommit_memory=2 counts address space, not use: CUDA, Go and the JVM reserve far more than they touch",
                        Subject.THE_HOST,
                        List.of(
                                Remedy.now(
                                        "let the kernel judge by use",
                                        "sysctl -w vm.overcommit_memory=0",
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.NONE,
                                        "sysctl vm.overcommit_memory",
                                        "sysctl -w vm.overcommit_memory=2"),
                                Remedy.medium(
                                        "if strictness is wanted, allow more of RAM (now " + ratio
                                                + " %), or add swap, which counts",
                                        "sysctl -w vm.overcommit_ratio=95",
                                        Remedy.Cost.NONE,
                                        Remedy.Risk.NONE,
                                        "grep -E 'CommitLimit|Committed_AS' /proc/meminfo",
                                        "sysctl -w vm.overcommit_ratio=" + ratio)))
                .explaining(
                        NOTHING_LEFT.isMoreThan(left) && !evidence.servers().isEmpty(),
                        "the next large allocation is refused")));
    }
}
