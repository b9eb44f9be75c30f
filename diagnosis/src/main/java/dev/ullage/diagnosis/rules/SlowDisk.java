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
import dev.ullage.diagnosis.view.DriveExplanation;
import dev.ullage.diagnosis.view.ModelDisk;
import dev.ullage.diagnosis.view.Reads;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.BlockDevices;
import dev.ullage.host.storage.DiskStats;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The disk under a model delivers far less than such a disk should, and makes every read wait, with nobody else on it
/// and no limit in the way.
public final class SlowDisk implements Rule {
    /// Below this a solid-state or network volume is slower than the cheapest cloud disk (gp2's 128 MiB/s baseline,
    /// halved); a rotational one does half of it when reads are large.
    private static final BytesPerSecond LOW = BytesPerSecond.ofMiB(64);

    /// A read that takes this long, size allowed for, is slow on anything but a busy hard disk.
    private static final Seconds LONG_WAIT = Seconds.ofMillis(15);

    @Override
    public String name() {
        return "slow-disk";
    }

    @Override
    public Cause cause() {
        return Cause.SLOW_DISK;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(DiskStats.FACT, BlockDevices.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    @Override
    public Set<String> accountsFor() {
        return Set.of("cold-start");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server waits for a disk";
        for (Workload workload : evidence.servers()) {
            Stall stall = Stall.of(evidence, workload);
            if (!stall.waiting().isAtLeast(Severity.WARNING_STALL)) continue;
            for (ModelDisk disk : ModelDisk.under(evidence, workload)) {
                Reads reads = Reads.of(evidence, workload);
                if (!isSlow(disk) || DiskContention.othersShare(disk, reads).isAtLeast(0.5)) {
                    clear = disk.device().name() + " answers reads of "
                            + disk.readSize().shown() + " in " + disk.await().shown() + ", "
                            + disk.reads().shown();
                    continue;
                }
                findings.add(finding(evidence, workload, disk, stall));
                break;
            }
        }
        return Verdict.of(findings, clear);
    }

    /// Low throughput and long waits at the same time: either alone is normal (small reads; a deep queue).
    static boolean isSlow(ModelDisk disk) {
        if (disk.readRequests().perSecond() < 1) return false;
        boolean rotational = disk.device().driver().equals("rotational disk");
        // What the transfer itself may take, at the rate that is called low, in a queue as deep as it is.
        double transfer = disk.readSize().bytes() / LOW.bytesPerSecond() / 2;
        double allowed = (rotational ? 4 : 1) * LONG_WAIT.seconds() + transfer;
        return disk.reads().compareTo(LOW) < 0 && disk.await().seconds() > allowed;
    }

    private Finding finding(Evidence evidence, Workload workload, ModelDisk disk, Stall stall) {
        String device = disk.device().name();
        Optional<DriveExplanation> why = DriveExplanation.of(evidence, disk);
        List<Saw> saw = new ArrayList<>(List.of(
                Saw.of("time a read takes", disk.await(), disk.source()),
                Saw.of("read from the device", disk.reads(), disk.source()),
                Saw.of("average read", disk.readSize(), disk.source()),
                Saw.of("written to the device", disk.writes(), disk.source()),
                stall.saw()));
        why.ifPresent(w -> saw.add(w.saw()));
        List<Remedy> remedies = new ArrayList<>();
        why.ifPresent(w -> remedies.add(remedyFor(w, device)));
        remedies.add(Remedy.now(
                "measure what the device can do when nobody asks it: a short probe is fast when credits or heat are the reason",
                "dd if=/dev/" + device + " of=/dev/null bs=1M count=512 iflag=direct",
                Remedy.Cost.NONE,
                Remedy.Risk.SLOWER,
                "iostat -x 1 3 " + device + "  # r_await",
                "-"));
        remedies.add(Remedy.medium(
                "move the model to a faster volume, or raise this one's provisioned throughput",
                "",
                Remedy.Cost.RESTART,
                Remedy.Risk.NONE,
                "ullage diagnose --pid <new pid>",
                "start it with the old path"));
        return new Finding(
                this,
                Severity.ofStall(stall.waiting()),
                new Signs()
                        .sign(disk.await().compareTo(LONG_WAIT) > 0)
                        .sign(disk.reads().compareTo(LOW) < 0)
                        .sign(disk.queue() > 0.5)
                        .sign(disk.writes().compareTo(disk.reads()) < 0)
                        .confidence(),
                "reads from " + device + " (" + disk.device().driver() + ") take "
                        + disk.await().shown() + " each and bring "
                        + disk.reads().shown() + " while " + workload.shown() + " waits",
                saw,
                "the model comes as slowly as the device gives it; memory is not short"
                        + why.map(w -> "; " + w.because()).orElse(""),
                Subject.of(workload).onDevice(device),
                remedies);
    }

    private static Remedy remedyFor(DriveExplanation why, String device) {
        return Remedy.now(
                why.what(),
                why.command(),
                Remedy.Cost.NONE,
                Remedy.Risk.NONE,
                "iostat -x 1 3 " + device + "  # r_await",
                why.command().startsWith("echo 1000") ? "echo 200000 > /proc/sys/dev/raid/speed_limit_max" : "-");
    }
}
