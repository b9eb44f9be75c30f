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
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.memory.Swaps;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.BlockDevices;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
/// Swap lies on the very disk that models are read from: when memory is short, both wait for each other.

public final class SwapOnModelDisk implements Rule {

    @Override
    public String name() {
        return "swap-on-the-model-disk";
    }

    @Override
    public Cause cause() {
        return Cause.SWAP_THRASH;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(Swaps.FACT, BlockDevices.FACT, Mounts.FACT);
    }

    @Override
    public Verdict judge(Evidence evidence) {
        Swaps swaps = evidence.latest(Swaps.FACT).orThrow();
        BlockDevices devices = evidence.latest(BlockDevices.FACT).orThrow();
        Mounts mounts = evidence.latest(Mounts.FACT).orThrow();
        if (swaps.areas().isEmpty()) return new Verdict.NotApplicable("there is no swap");
        for (Swaps.Swap area : swaps.areas()) {
            Set<String> below = disksUnder(area, devices, mounts);
            // Swap that nothing was ever put into disturbs nobody.
            if (area.kind() == Swaps.Kind.ZRAM || area.used().bytes() == 0) continue;
            for (Workload server : evidence.servers())
                for (ModelDisk disk : ModelDisk.under(evidence, server))
                    if (below.contains(disk.device().disk()))
                        return new Verdict.Problem(List.of(finding(server, area, disk)));
        }
        return new Verdict.Clear("no swap that is used lies on the disk of a server's model");
    }

    private static Set<String> disksUnder(Swaps.Swap area, BlockDevices devices, Mounts mounts) {
        Set<String> disks = new HashSet<>();
        Optional<String> number = area.kind() == Swaps.Kind.FILE
                ? mounts.of(area.path()).map(Mount::device)
                : devices.named(area.path().substring(area.path().lastIndexOf('/') + 1))
                        .map(BlockDevices.Device::number);
        number.ifPresent(n -> devices.under(n, mounts).forEach(d -> disks.add(d.disk())));
        return disks;
    }

    private Finding finding(Workload server, Swaps.Swap area, ModelDisk disk) {
        return new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(true).confidence(),
                "swap (" + area.path() + ", " + area.used().shown() + " used) and the model of " + server.shown()
                        + " lie on the same disk, " + disk.device().disk(),
                List.of(
                        Saw.of("swap in use", area.used(), "/proc/swaps"),
                        Saw.text("disk of both", disk.device().disk(), "/sys/block")),
                "when memory is short the model is read and the swap written at the same time by the same disk, and each makes the other slower",
                Subject.of(server).onDevice(disk.device().disk()),
                List.of(Remedy.medium(
                        "put swap on another disk, or into compressed RAM (zram)",
                        "modprobe zram && zramctl --find --size 8G --algorithm zstd && mkswap /dev/zram0 && swapon -p 100 /dev/zram0",
                        Remedy.Cost.NONE,
                        Remedy.Risk.SLOWER,
                        "swapon --show",
                        "swapoff /dev/zram0 && zramctl --reset /dev/zram0")));
    }
}
