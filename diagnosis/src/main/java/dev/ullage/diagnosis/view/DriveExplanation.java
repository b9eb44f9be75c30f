// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.Saw;
import dev.ullage.host.Evidence;
import dev.ullage.host.storage.Drives;
import dev.ullage.host.storage.Drives.Drive;
import dev.ullage.host.storage.RaidArrays;
import dev.ullage.measure.Reading.Present;
import java.util.Locale;
import java.util.Optional;

/// Why a disk may be slow without being broken: it is rebuilding, it is hot, or it is a cloud's volume that delivers
/// what
/// was bought.
///
/// @param because one clause
/// @param what what to do about it
/// @param command shows whether it is so
public record DriveExplanation(String because, Saw saw, String what, String command) {
    public static Optional<DriveExplanation> of(Evidence evidence, ModelDisk disk) {
        return rebuild(evidence, disk).or(() -> ofDrive(evidence, disk));
    }

    private static Optional<DriveExplanation> rebuild(Evidence evidence, ModelDisk disk) {
        if (!(evidence.latest(RaidArrays.FACT) instanceof Present<RaidArrays>(RaidArrays arrays)))
            return Optional.empty();
        return arrays.arrays().stream()
                .filter(work -> work.name().equals(disk.device().disk()))
                .findFirst()
                .map(work -> new DriveExplanation(
                        "a " + work.action() + " of the RAID runs, "
                                + work.done().shown() + " done",
                        Saw.of("RAID " + work.action() + " of " + work.name(), work.done(), "/proc/mdstat"),
                        "let the " + work.action() + " end (in " + work.finish()
                                + "), or slow it down while the model loads",
                        "echo 1000 > /proc/sys/dev/raid/speed_limit_max"));
    }

    private static Optional<DriveExplanation> ofDrive(Evidence evidence, ModelDisk disk) {
        if (!(evidence.latest(Drives.FACT) instanceof Present<Drives>(Drives drives))) return Optional.empty();
        String name = disk.device().disk();
        Drive drive = drives.byName().get(name);
        if (drive != null && drive.isHot())
            return Optional.of(new DriveExplanation(
                    "the drive is too hot and slows itself down",
                    Saw.text(
                            "temperature of " + name,
                            celsius(drive.celsius().getAsDouble()) + ", its limit is "
                                    + celsius(drive.limit().getAsDouble()),
                            "/sys/block/" + name + "/device/hwmon*/temp1_input"),
                    "cool it: airflow over the drive, or a heat sink",
                    "smartctl -a /dev/" + name));
        Optional<String> cloud = drive == null ? Optional.empty() : drive.cloudVolume();
        boolean rented = disk.device().driver().equals("virtual disk")
                && !drives.vendor().isEmpty();
        if (cloud.isEmpty() && !rented) return Optional.empty();
        String volume = cloud.orElse("a volume of a virtual machine (" + drives.vendor() + ")");
        return Optional.of(new DriveExplanation(
                "it is " + volume + ": its rate may be capped, or its burst credits used up",
                Saw.text(
                        "kind of volume",
                        volume,
                        cloud.isPresent() ? "/sys/block/" + name + "/device/model" : "/sys/class/dmi/id/sys_vendor"),
                "compare the rate with what the volume and the instance were bought with, and look at its burst balance",
                ""));
    }

    private static String celsius(double degrees) {
        return String.format(Locale.ROOT, "%.0f °C", degrees);
    }
}
