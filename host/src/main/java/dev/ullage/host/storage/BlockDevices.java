// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// What the block devices are and how they stand on each other: partitions on disks, loop devices on files, dm and md
/// on their parts.
///
/// Mistake people make: `queue/rotational` is what the driver was told; virtual disks say 1 on the fastest storage.
public record BlockDevices(Map<String, Device> byNumber) {
    /// @param number major:minor
    /// @param disk name of the whole disk: itself, or the one it is a partition of
    /// @param backingFile for a loop device, the file that holds it
    /// @param parts for dm and md, the names of the devices under it
    public record Device(
            String number,
            String name,
            String disk,
            boolean rotational,
            long readAheadKiB,
            Optional<String> backingFile,
            List<String> parts) {
        /// What can be expected of it, from its driver's name; a rotational virtio disk may be anything.
        public String driver() {
            if (name.startsWith("nvme")) return "nvme";
            if (name.startsWith("vd") || name.startsWith("xvd")) return "virtual disk";
            if (name.startsWith("loop")) return "loop";
            if (name.startsWith("dm-")) return "device-mapper";
            if (name.startsWith("md")) return "md RAID";
            if (name.startsWith("zram")) return "zram";
            return rotational ? "rotational disk" : "solid-state disk";
        }
    }

    public static final Fact<Host, BlockDevices> FACT =
            new Fact<>("block devices", "/sys/block", Cadence.ONCE, "mount /sys", (root, _) -> read(root));

    private static Reading<BlockDevices> read(HostRoot root) {
        return root.names("/sys/block").map(names -> {
            Map<String, Device> devices = new TreeMap<>();
            for (String name : names) readDisk(root, name, devices);
            return new BlockDevices(devices);
        });
    }

    private static void readDisk(HostRoot root, String name, Map<String, Device> devices) {
        String folder = "/sys/block/" + name;
        // A loop device without a file is one of the many that are made in advance.
        Optional<String> backing = Optional.empty();
        if (name.startsWith("loop")) {
            backing = text(root, folder + "/loop/backing_file");
            if (backing.isEmpty()) return;
        }
        Optional<String> number = text(root, folder + "/dev");
        if (number.isEmpty()) return;
        boolean rotational =
                text(root, folder + "/queue/rotational").orElse("0").equals("1");
        long readAhead = text(root, folder + "/queue/read_ahead_kb")
                .map(t -> KeyValues.number(t).orElse(0))
                .orElse(0L);
        List<String> parts = root.names(folder + "/slaves").orElse(List.of());
        devices.put(number.get(), new Device(number.get(), name, name, rotational, readAhead, backing, parts));
        for (String entry : root.names(folder).orElse(List.of())) {
            if (!entry.startsWith(name)) continue;
            text(root, folder + "/" + entry + "/dev")
                    .ifPresent(n -> devices.put(
                            n, new Device(n, entry, name, rotational, readAhead, Optional.empty(), List.of())));
        }
    }

    private static Optional<String> text(HostRoot root, String path) {
        String text = root.text(path).orElse("").strip();
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    public Optional<Device> named(String name) {
        return byNumber.values().stream().filter(d -> d.name.equals(name)).findFirst();
    }

    /// A device and everything under it, the uppermost first: a file system on `loop0` whose file lies on `vda` is
    /// served by both.
    public List<Device> under(String number, Mounts mounts) {
        Set<Device> found = new LinkedHashSet<>();
        collect(number, mounts, found);
        return new ArrayList<>(found);
    }

    private void collect(String number, Mounts mounts, Set<Device> found) {
        Device device = byNumber.get(number);
        if (device == null || !found.add(device)) return;
        for (String part : device.parts) named(part).ifPresent(d -> collect(d.number, mounts, found));
        if (!device.disk.equals(device.name)) named(device.disk).ifPresent(d -> collect(d.number, mounts, found));
        device.backingFile.flatMap(mounts::of).ifPresent(m -> collect(m.device(), mounts, found));
    }
}
