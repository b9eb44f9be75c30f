// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/// What a drive says of itself: its model, which tells a cloud's volume from a disk, and its temperature.
///
/// ```
/// /sys/block/nvme1n1/device/model                    Amazon Elastic Block Store
/// /sys/block/nvme0n1/device/hwmon2/temp1_input       84850        millidegrees Celsius
/// /sys/block/nvme0n1/device/hwmon2/temp1_max         81850        the drive warns here (WCTEMP) and slows down
/// /sys/class/dmi/id/sys_vendor                       Amazon EC2
/// ```
/// Sources: Documentation/hwmon/sysfs-interface.rst, drivers/nvme/host/hwmon.c (since 5.5).
///
/// @param vendor who made the machine, or runs it: `Amazon EC2`, `Google`, `QEMU`; empty when not told
public record Drives(Map<String, Drive> byName, String vendor) {
    /// @param celsius its temperature now; empty when it tells none
    /// @param limit where it warns and slows itself down
    public record Drive(String model, OptionalDouble celsius, OptionalDouble limit) {
        public boolean isHot() {
            return celsius.isPresent() && limit.isPresent() && celsius.getAsDouble() >= limit.getAsDouble();
        }

        /// A volume of a cloud, whose rate is what was bought: with a cap, and burst credits under it. Not the disks
        /// inside of the rented machine (`Amazon EC2 NVMe Instance Storage`, `Microsoft NVMe Direct Disk`,
        /// `nvme_card`).
        public Optional<String> cloudVolume() {
            if (model.startsWith("Amazon Elastic Block Store")) return Optional.of("an Amazon EBS volume");
            if (model.startsWith("nvme_card-pd") || model.equals("PersistentDisk"))
                return Optional.of("a Google persistent disk");
            if (model.startsWith("MSFT NVMe Accelerator")) return Optional.of("an Azure disk");
            // Hyper-V's own name for a disk, of a company's cellar as of Azure.
            if (model.equals("Virtual Disk")) return Optional.of("an Azure or Hyper-V disk");
            return Optional.empty();
        }
    }

    public static final Fact<Host, Drives> FACT = new Fact<>(
            "drives' models and temperatures", "/sys/block/*/device", Cadence.END, "", (root, _) -> read(root));

    private static Reading<Drives> read(HostRoot root) {
        return root.names("/sys/block").map(names -> {
            Map<String, Drive> drives = new TreeMap<>();
            for (String name : names) {
                if (name.startsWith("loop") || name.startsWith("ram") || name.startsWith("zram")) continue;
                String device = "/sys/block/" + name + "/device";
                String model = root.text(device + "/model").orElse("").strip();
                String sensor = name.startsWith("nvme") ? sensor(root, device) : "";
                OptionalDouble celsius = sensor.isEmpty() ? OptionalDouble.empty() : degrees(root, sensor + "_input");
                OptionalDouble limit = sensor.isEmpty() ? OptionalDouble.empty() : degrees(root, sensor + "_max");
                if (!model.isEmpty() || celsius.isPresent()) drives.put(name, new Drive(model, celsius, limit));
            }
            return new Drives(
                    drives, root.text("/sys/class/dmi/id/sys_vendor").orElse("").strip());
        });
    }

    /// Where a drive's first sensor is. With one controller `device` is the controller, and the sensor lies in it since
    /// 5.12, before in its PCI device. A drive that may have several controllers (most of data centres) has a
    /// subsystem there, with the controllers in it.
    ///
    /// ```
    /// device/hwmon2/temp1_input · device/device/hwmon/hwmon2/temp1_input · device/nvme0/hwmon2/temp1_input
    /// ```
    private static String sensor(HostRoot root, String device) {
        for (String folder : controllers(root, device))
            for (String place : List.of(folder, folder + "/hwmon", folder + "/device/hwmon"))
                for (String entry : root.names(place).orElse(List.of()))
                    if (entry.matches("hwmon[0-9]{1,4}")) return place + "/" + entry + "/temp1";
        return "";
    }

    private static List<String> controllers(HostRoot root, String device) {
        List<String> folders = new ArrayList<>(List.of(device));
        for (String entry : root.names(device).orElse(List.of()))
            if (entry.matches("nvme[0-9]{1,4}")) folders.add(device + "/" + entry);
        return folders;
    }

    private static OptionalDouble degrees(HostRoot root, String path) {
        var milli = KeyValues.number(root.text(path).orElse("").strip());
        // A drive without a limit says 65262 or 0; no drive works beyond 150 °C.
        boolean plausible = milli.isPresent() && milli.getAsLong() > 0 && milli.getAsLong() < 150_000;
        return plausible ? OptionalDouble.of(milli.getAsLong() / 1000.0) : OptionalDouble.empty();
    }
}
