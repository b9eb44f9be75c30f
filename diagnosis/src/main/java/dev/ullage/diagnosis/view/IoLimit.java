// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.Shell;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CgroupMounts;
import dev.ullage.host.cgroup.IoCgroup;
import dev.ullage.host.cgroup.IoCgroup.Limit;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.BlockDevices;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Quantity;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A limit on reads that holds for a workload on a device under its model, and how much of it is used.
///
/// @param limit bytes or requests a second
/// @param used share of the limit that was used in the window
public record IoLimit(CgroupId cgroup, String device, String deviceName, Quantity limit, Ratio used) {
    public static Optional<IoLimit> tightest(Evidence evidence, Workload workload) {
        IoLimit tightest = null;
        for (CgroupId id : bindingCgroups(evidence, workload)) {
            if (!(evidence.change(IoCgroup.FACT, id) instanceof Present<Change<IoCgroup>>(Change<IoCgroup> change)))
                continue;
            for (String device : change.after().limits().keySet()) {
                if (!isUnderModel(evidence, workload, device)) continue;
                for (IoLimit limit : onReads(evidence, id, device, change))
                    if (tightest == null || limit.used.compareTo(tightest.used) > 0) tightest = limit;
            }
        }
        return Optional.ofNullable(tightest);
    }

    /// In v1 a limit binds those who are directly in the cgroup, in v2 everything below it too.
    private static Set<CgroupId> bindingCgroups(Evidence evidence, Workload workload) {
        Set<CgroupId> binding = new LinkedHashSet<>();
        for (CgroupId own : CgroupsAbove.own(evidence, workload, CgroupsAbove.io(evidence)))
            binding.addAll(own.isV2() ? CgroupMounts.chain(own) : List.of(own));
        return binding;
    }

    /// Without a known model file any limited device may be the one.
    private static boolean isUnderModel(Evidence evidence, Workload workload, String device) {
        List<ModelDisk> disks = ModelDisk.under(evidence, workload);
        return disks.isEmpty()
                || disks.stream().anyMatch(d -> d.device().number().equals(device));
    }

    private static List<IoLimit> onReads(Evidence evidence, CgroupId id, String device, Change<IoCgroup> change) {
        Limit limit = change.after().limitOn(device);
        String name = evidence.latest(BlockDevices.FACT)
                .map(d -> Optional.ofNullable(d.byNumber().get(device)))
                .orElse(Optional.empty())
                .map(BlockDevices.Device::name)
                .orElse(device);
        BytesPerSecond bytes = new BytesPerSecond(
                change.rate(c -> c.movedOn(device).readBytes()).perSecond());
        PerSecond requests = change.rate(c -> c.movedOn(device).reads());
        List<IoLimit> limits = new ArrayList<>();
        // Nothing is no limit: the kernel takes no 0, so it is a broken file.
        if (limit.readBytes() > 0 && limit.readBytes() < Long.MAX_VALUE)
            limits.add(new IoLimit(
                    id,
                    device,
                    name,
                    new BytesPerSecond(limit.readBytes()),
                    new Ratio(bytes.bytesPerSecond() / limit.readBytes())));
        if (limit.reads() > 0 && limit.reads() < Long.MAX_VALUE)
            limits.add(new IoLimit(
                    id, device, name, new PerSecond(limit.reads()), new Ratio(requests.perSecond() / limit.reads())));
        return limits;
    }

    private boolean isBytes() {
        return limit instanceof BytesPerSecond;
    }

    public String shownLimit() {
        return isBytes() ? limit.shown() : (long) limit.value() + " times a second";
    }

    private String file() {
        if (cgroup.isV2()) return cgroup.file("io.max");
        return cgroup.file(isBytes() ? "blkio.throttle.read_bps_device" : "blkio.throttle.read_iops_device");
    }

    public String source() {
        return file();
    }

    public String usedSource() {
        return cgroup.file(
                cgroup.isV2()
                        ? "io.stat"
                        : isBytes() ? "blkio.throttle.io_service_bytes" : "blkio.throttle.io_serviced");
    }

    public String liftCommand() {
        return command(cgroup.isV2() ? "max" : "0");
    }

    public String restoreCommand() {
        return command(String.valueOf((long) limit.value()));
    }

    private String command(String value) {
        String key = isBytes() ? "rbps=" : "riops=";
        return "echo \"" + device + " " + (cgroup.isV2() ? key : "") + value + "\" > " + Shell.word(file());
    }
}
