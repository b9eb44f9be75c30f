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
import dev.ullage.diagnosis.view.ModelDisk;
import dev.ullage.diagnosis.view.OtherIo;
import dev.ullage.diagnosis.view.Reads;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.BlockDevices;
import dev.ullage.host.storage.DiskStats;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A server waits for a disk that is busy with somebody else's bytes.
public final class DiskContention implements Rule {
    private static final double MOST = 0.5;

    /// Less than this of others' bytes slows nobody down.
    private static final BytesPerSecond NOTABLE = BytesPerSecond.ofMiB(8);

    /// More than the server's own request in flight.
    private static final double QUEUE = 1.5;

    /// A read alone takes 0.1 ms (NVMe) to 1 ms (network volume); a hard disk's seek of 8 ms is above it anyway.
    private static final Seconds QUEUED_READ = Seconds.ofMillis(2);

    @Override
    public String name() {
        return "disk-contention";
    }

    @Override
    public Cause cause() {
        return Cause.DISK_CONTENTION;
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
        return Set.of("cold-start", "slow-disk");
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        String clear = "no server waits for a disk";
        for (Workload workload : evidence.servers()) {
            Stall stall = Stall.of(evidence, workload);
            Reads reads = Reads.of(evidence, workload);
            if (!stall.waiting().isAtLeast(Severity.WARNING_STALL) || !reads.isKnown()) continue;
            for (ModelDisk disk : ModelDisk.under(evidence, workload)) {
                Ratio others = othersShare(disk, reads);
                BytesPerSecond theirs = new BytesPerSecond(all(disk) * others.ratio());
                Optional<OtherIo> most = OtherIo.most(evidence, workload, theirs);
                boolean named = most.map(o -> o.moved().compareTo(NOTABLE) > 0).orElse(false);
                if (!others.isAtLeast(MOST) || theirs.compareTo(NOTABLE) < 0 || !named || !isCrowded(disk)) {
                    clear = others.shown() + " of the bytes of " + disk.device().name()
                            + " are somebody else's; a read takes "
                            + disk.await().shown();
                    continue;
                }
                findings.add(finding(workload, disk, stall, reads, others, theirs, most.get()));
                break;
            }
        }
        return Verdict.of(findings, clear);
    }

    /// Requests stand in a queue, and a read takes longer than it does alone: a device that answers in half a
    /// millisecond is shared with others and slowed down by nobody.
    private static boolean isCrowded(ModelDisk disk) {
        return disk.queue() > QUEUE && disk.await().compareTo(QUEUED_READ) > 0;
    }

    private static double all(ModelDisk disk) {
        return disk.reads().bytesPerSecond() + disk.writes().bytesPerSecond();
    }

    /// The share of a device's bytes that the workload did not ask for.
    static Ratio othersShare(ModelDisk disk, Reads reads) {
        double all = all(disk);
        return new Ratio(all <= 0 ? 0 : Math.clamp(1 - reads.rate().bytesPerSecond() / all, 0, 1));
    }

    private Finding finding(
            Workload workload,
            ModelDisk disk,
            Stall stall,
            Reads reads,
            Ratio others,
            BytesPerSecond theirs,
            OtherIo most) {
        String device = disk.device().name();
        int pid = most.id().pid();
        return new Finding(
                this,
                Severity.ofStall(stall.waiting()),
                new Signs()
                        .sign(others.isAtLeast(MOST))
                        .sign(disk.queue() > 1)
                        .sign(most.moved().bytesPerSecond() > 0.3 * theirs.bytesPerSecond())
                        .sign(disk.busy().isAtLeast(0.8))
                        .confidence(),
                most.name() + " (pid " + pid + ") moves " + most.moved().shown() + " on " + device + " while "
                        + workload.shown() + " gets " + reads.rate().shown() + " and waits "
                        + stall.waiting().shown()
                        + " of the time",
                List.of(
                        Saw.of("bytes of the device that are not the server's", others, disk.source()),
                        Saw.of("moved by " + most.name() + " (pid " + pid + ")", most.moved(), "/proc/" + pid + "/io"),
                        Saw.of(
                                "read by the server",
                                reads.rate(),
                                "/proc/" + workload.main().pid() + "/io read_bytes"),
                        Saw.of("time a read takes", disk.await(), disk.source()),
                        stall.saw()),
                "the disk is shared in turns; the server's few reads stand behind the other's many",
                Subject.of(workload).onDevice(device),
                List.of(
                        Remedy.now(
                                "let the other one give way",
                                "ionice -c 3 -p " + pid,
                                Remedy.Cost.NONE,
                                Remedy.Risk.SLOWER,
                                "ullage diagnose --pid " + workload.main().pid(),
                                "ionice -c 2 -n 4 -p " + pid),
                        Remedy.now(
                                "or stop it until the server is up",
                                "kill -STOP " + pid,
                                Remedy.Cost.NONE,
                                Remedy.Risk.NONE,
                                "ullage diagnose --pid " + workload.main().pid(),
                                "kill -CONT " + pid),
                        Remedy.byDesign(
                                "give models a volume of their own",
                                "",
                                Remedy.Cost.RESTART,
                                Remedy.Risk.NONE,
                                "ullage diagnose",
                                "-")));
    }
}
