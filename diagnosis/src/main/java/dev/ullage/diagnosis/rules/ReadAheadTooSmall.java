// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Remedy;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Shell;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.ModelDisk;
import dev.ullage.diagnosis.view.Reads;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.BlockDevices;
import dev.ullage.measure.Bytes;
import java.util.List;
import java.util.Optional;
/// A mapped model is read by page faults, and the kernel reads little ahead of them.

public final class ReadAheadTooSmall implements Rule {
    /// The kernel's default, made for disks of 2002.
    private static final Bytes SMALL = Bytes.ofKiB(128);

    @Override
    public String name() {
        return "read-ahead-too-small";
    }

    @Override
    public Cause cause() {
        return Cause.COLD_START;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(BlockDevices.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    @Override
    public Verdict judge(Evidence evidence) {
        String clear = "no server reads a mapped model from a disk now";
        for (Workload server : evidence.servers()) {
            Reads reads = Reads.of(evidence, server);
            Stall stall = Stall.of(evidence, server);
            if (reads.mapped().bytes() == 0 || reads.majorFaults() == 0 || !reads.isReading()) continue;
            for (ModelDisk disk : ModelDisk.under(evidence, server)) {
                Bytes ahead = Bytes.ofKiB(wholeDisk(evidence, disk).readAheadKiB());
                clear = "read-ahead of " + disk.device().disk() + " is " + ahead.shown();
                boolean small = ahead.bytes() > 0 && !ahead.isMoreThan(SMALL);
                if (!small || !stall.waiting().isAtLeast(Severity.WARNING_STALL)) continue;
                return new Verdict.Problem(List.of(finding(server, reads, stall, disk, ahead)));
            }
        }
        return new Verdict.Clear(clear);
    }

    private static BlockDevices.Device wholeDisk(Evidence evidence, ModelDisk disk) {
        return evidence.latest(BlockDevices.FACT)
                .map(devices -> devices.named(disk.device().disk()))
                .orElse(Optional.empty())
                .orElse(disk.device());
    }

    private Finding finding(Workload server, Reads reads, Stall stall, ModelDisk disk, Bytes ahead) {
        String name = disk.device().disk();
        Bytes perFault = new Bytes(reads.fromStorage().bytes() / reads.majorFaults());
        return new Finding(
                this,
                Severity.ADVICE,
                new Signs()
                        .sign(true)
                        .sign(perFault.bytes() <= 2 * ahead.bytes())
                        .confidence(),
                "the kernel reads " + ahead.shown() + " ahead on " + name + ", and " + server.shown()
                        + " waits for its mapped model " + perFault.shown() + " at a time",
                List.of(
                        Saw.of("read-ahead", ahead, "/sys/block/" + name + "/queue/read_ahead_kb"),
                        Saw.of("read by each fault", perFault, server.main().file("io") + ", stat majflt"),
                        stall.saw()),
                "small reads one after another keep a fast disk idle; a cold load goes several times faster with more read ahead",
                Subject.of(server).onDevice(name),
                List.of(Remedy.now(
                        "read more ahead while models load",
                        "echo 4096 > /sys/block/" + Shell.word(name) + "/queue/read_ahead_kb",
                        Remedy.Cost.NONE,
                        Remedy.Risk.SLOWER,
                        "ullage diagnose --pid " + server.main().pid(),
                        "echo " + ahead.bytes() / 1024 + " > /sys/block/" + Shell.word(name)
                                + "/queue/read_ahead_kb")));
    }
}
