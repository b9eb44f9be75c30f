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
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.TransparentHugePages;
import dev.ullage.measure.Bytes;
import java.util.List;
import java.util.Optional;
/// Huge pages are given to everyone who touches a byte, and memory is short.

public final class HugePagesForEveryone implements Rule {
    /// Of RAM in huge pages.
    private static final double SHARE = 0.1;

    @Override
    public String name() {
        return "huge-pages-for-everyone";
    }

    @Override
    public Cause cause() {
        return Cause.HOST_RAM;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(TransparentHugePages.FACT, MemInfo.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        TransparentHugePages pages = evidence.latest(TransparentHugePages.FACT).orThrow();
        MemInfo mem = evidence.latest(MemInfo.FACT).orThrow();
        Bytes huge = mem.get("AnonHugePages");
        String now = "transparent huge pages: " + pages.mode() + ", " + huge.shown() + " in use";
        if (!pages.isAlways()) return new Verdict.Clear(now);
        Optional<Shortage> shortage = Shortage.ofHost(evidence);
        if (shortage.isEmpty() || !huge.shareOf(mem.total()).isAtLeast(SHARE))
            return new Verdict.Clear(now + ", and memory is not short for it");
        return new Verdict.Problem(List.of(new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(true).confidence(),
                huge.shown()
                        + " lie in huge pages that nobody asked for (transparent_hugepage is \"always\"), and memory is short",
                List.of(
                        Saw.of("anonymous memory in huge pages", huge, "/proc/meminfo AnonHugePages"),
                        Saw.text("given to", "always", "/sys/kernel/mm/transparent_hugepage/enabled")),
                "who touches one byte gets 2 MiB: heaps with many small arenas (Python workers, malloc) hold more than they use",
                Subject.THE_HOST,
                List.of(Remedy.now(
                        "give them only to those who ask (madvise); what is allocated already stays",
                        "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
                        Remedy.Cost.NONE,
                        Remedy.Risk.SLOWER,
                        "grep AnonHugePages /proc/meminfo",
                        "echo always > /sys/kernel/mm/transparent_hugepage/enabled")))));
    }
}
