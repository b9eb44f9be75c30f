// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.Reading;
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

        /// A volume of a cloud, whose rate is what was bought: with a cap, and burst credits under it.
        public Optional<String> cloudVolume() {
            if (model.startsWith("Amazon Elastic Block Store")) return Optional.of("an Amazon EBS volume");
            if (model.startsWith("nvme_card-pd") || model.equals("PersistentDisk"))
                return Optional.of("a Google persistent disk");
            if (model.startsWith("Microsoft NVMe") || model.equals("Virtual Disk")) return Optional.of("an Azure disk");
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
                OptionalDouble celsius = OptionalDouble.empty();
                OptionalDouble limit = OptionalDouble.empty();
                if (name.startsWith("nvme"))
                    for (String entry : root.names(device).orElse(List.of())) {
                        if (!entry.startsWith("hwmon")) continue;
                        String sensor = hwmon(root, device, entry);
                        celsius = degrees(root, sensor + "/temp1_input");
                        limit = degrees(root, sensor + "/temp1_max");
                    }
                if (!model.isEmpty() || celsius.isPresent()) drives.put(name, new Drive(model, celsius, limit));
            }
            return new Drives(
                    drives, root.text("/sys/class/dmi/id/sys_vendor").orElse("").strip());
        });
    }

    /// `device/hwmon2` since 5.12, `device/hwmon/hwmon2` before.
    private static String hwmon(HostRoot root, String device, String entry) {
        if (!entry.equals("hwmon")) return device + "/" + entry;
        String inner = root.names(device + "/hwmon").orElse(List.of("")).getFirst();
        return device + "/hwmon/" + inner;
    }

    private static OptionalDouble degrees(HostRoot root, String path) {
        var milli = KeyValues.number(root.text(path).orElse("").strip());
        // A drive without a limit says 65262 or 0; no drive works beyond 150 °C.
        boolean plausible = milli.isPresent() && milli.getAsLong() > 0 && milli.getAsLong() < 150_000;
        return plausible ? OptionalDouble.of(milli.getAsLong() / 1000.0) : OptionalDouble.empty();
    }
}
