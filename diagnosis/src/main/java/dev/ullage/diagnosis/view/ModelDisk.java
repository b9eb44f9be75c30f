// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.BlockDevices;
import dev.ullage.host.storage.BlockDevices.Device;
import dev.ullage.host.storage.DiskStats;
import dev.ullage.host.storage.DiskStats.Disk;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.Mounts;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading.Present;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One block device under a workload's model files, and what it did in the window.
///
/// @param await how long a read took from the queue to its end, on average
/// @param readSize the average read
/// @param queue requests in flight on average
/// @param busy share of the window with a request in flight; says nothing about load on a parallel device
public record ModelDisk(
        Device device,
        BytesPerSecond reads,
        BytesPerSecond writes,
        PerSecond readRequests,
        Seconds await,
        Bytes readSize,
        double queue,
        Ratio busy) {
    /// All devices under the model files, those that file systems are on before those under them.
    public static List<ModelDisk> under(Evidence evidence, Workload workload) {
        if (!(evidence.latest(BlockDevices.FACT) instanceof Present<BlockDevices>(BlockDevices devices))
                || !(evidence.latest(Mounts.FACT) instanceof Present<Mounts>(Mounts mounts))
                || !(evidence.change(DiskStats.FACT) instanceof Present<Change<DiskStats>>(var change)))
            return List.of();
        Map<String, Device> under = new LinkedHashMap<>();
        for (ModelFile file : workload.models())
            for (Device device : devices.under(blockDeviceOf(file, devices, mounts), mounts))
                under.put(device.number(), device);
        List<ModelDisk> disks = new ArrayList<>();
        for (Device device : under.values()) {
            Disk before = change.before().byNumber().get(device.number());
            Disk after = change.after().byNumber().get(device.number());
            if (before != null && after != null) disks.add(of(device, new Change<>(before, after, change.elapsed())));
        }
        return disks;
    }

    /// btrfs and other multi-device file systems have numbers of their own (0:35); their mount names a device.
    private static String blockDeviceOf(ModelFile file, BlockDevices devices, Mounts mounts) {
        if (devices.byNumber().containsKey(file.device())) return file.device();
        return mounts.ofDevice(file.device())
                .or(() -> mounts.of(file.path()))
                .map(mount -> mount.source().substring(mount.source().lastIndexOf('/') + 1))
                .flatMap(devices::named)
                .map(Device::number)
                .orElse(file.device());
    }

    private static ModelDisk of(Device device, Change<Disk> change) {
        long reads = change.increase(Disk::reads);
        double seconds = change.elapsed().seconds();
        return new ModelDisk(
                device,
                new BytesPerSecond(change.increase(Disk::readBytes) / seconds),
                new BytesPerSecond(change.increase(Disk::writtenBytes) / seconds),
                new PerSecond(reads / seconds),
                Seconds.ofMillis(reads == 0 ? 0 : (double) change.increase(Disk::readMillis) / reads),
                new Bytes(reads == 0 ? 0 : change.increase(Disk::readBytes) / reads),
                change.increase(Disk::queueMillis) / 1e3 / seconds,
                new Ratio(Math.min(1, change.increase(Disk::busyMillis) / 1e3 / seconds)));
    }

    /// Where its numbers can be looked up.
    public String source() {
        return "/proc/diskstats " + device.name();
    }
}
