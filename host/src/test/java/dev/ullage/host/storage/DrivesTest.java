// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.HostileText;
import dev.ullage.host.Recorded;
import dev.ullage.host.storage.Drives.Drive;
import dev.ullage.measure.AbsentCause;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrivesTest {
    private static final String NVME = "sys/block/nvme0n1/device/";

    private static Drives drives(String... pathsAndTexts) {
        return Drives.FACT.read(Recorded.host(pathsAndTexts), Host.THE_HOST).orThrow();
    }

    private static Drive nvme(String... pathsAndTexts) {
        return drives(pathsAndTexts).byName().get("nvme0n1");
    }

    private static Optional<String> cloudOf(String model) {
        return nvme(NVME + "model", model).cloudVolume();
    }

    @Test
    void a_drive_at_its_limit_is_hot() {
        // Linux 6.1, a consumer drive
        Drive drive = nvme(
                NVME + "model", "Samsung SSD 980 PRO 2TB                 \n",
                NVME + "hwmon2/name", "nvme\n",
                NVME + "hwmon2/temp1_input", "84850\n",
                NVME + "hwmon2/temp1_max", "81850\n",
                NVME + "hwmon2/temp1_crit", "84850\n");
        assertEquals("Samsung SSD 980 PRO 2TB", drive.model());
        assertEquals(OptionalDouble.of(84.85), drive.celsius());
        assertTrue(drive.isHot());
        assertFalse(nvme(NVME + "hwmon2/temp1_input", "81849\n", NVME + "hwmon2/temp1_max", "81850\n")
                .isHot());
    }

    @Test
    void the_sensor_is_found_where_kernels_before_5_12_and_drives_with_several_controllers_have_it() {
        // Ubuntu 20.04, Linux 5.4: in the PCI device
        assertTrue(nvme(
                        NVME + "model", "INTEL SSDPE2KX040T8\n",
                        NVME + "device/hwmon/hwmon4/temp1_input", "75850\n",
                        NVME + "device/hwmon/hwmon4/temp1_max", "69850\n")
                .isHot());
        // Linux 6.8, a drive of a data centre: device is the subsystem, the controllers are links in it
        Drive drive = nvme(
                NVME + "model", "SAMSUNG MZQL27T6HBLA-00A07\n",
                NVME + "nvme3/hwmon7/temp1_input", "40850\n",
                NVME + "nvme3/hwmon7/temp1_max", "79850\n");
        assertEquals(OptionalDouble.of(40.85), drive.celsius());
        assertFalse(drive.isHot());
    }

    @Test
    void a_drive_without_a_limit_or_a_temperature_is_not_hot() {
        // WCTEMP 65535 K: no limit
        assertFalse(nvme(NVME + "hwmon2/temp1_input", "99850\n", NVME + "hwmon2/temp1_max", "65261850\n")
                .isHot());
        assertFalse(nvme(
                        NVME + "model",
                        "x\n",
                        NVME + "hwmon2/temp1_input",
                        "-273150\n",
                        NVME + "hwmon2/temp1_max",
                        "81850\n")
                .isHot());
        assertFalse(nvme(NVME + "model", "QEMU NVMe Ctrl\n").isHot());
    }

    @Test
    void volumes_of_clouds_are_told_from_the_disks_in_the_rented_machine() {
        assertEquals(Optional.of("an Amazon EBS volume"), cloudOf("Amazon Elastic Block Store              \n"));
        assertEquals(Optional.empty(), cloudOf("Amazon EC2 NVMe Instance Storage        \n"));
        assertEquals(Optional.of("a Google persistent disk"), cloudOf("nvme_card-pd                            \n"));
        assertEquals(Optional.empty(), cloudOf("nvme_card                               \n"));
        assertEquals(Optional.empty(), cloudOf("nvme_card0                              \n"));
        assertEquals(Optional.of("an Azure disk"), cloudOf("MSFT NVMe Accelerator v1.0              \n"));
        assertEquals(Optional.empty(), cloudOf("Microsoft NVMe Direct Disk v2           \n"));
        assertEquals(Optional.empty(), cloudOf("INTEL SSDPE2KX040T8\n"));
        Drives scsi = drives(
                "sys/block/sda/device/model", "PersistentDisk  \n",
                "sys/block/sdb/device/model", "Virtual Disk    \n",
                "sys/class/dmi/id/sys_vendor", "Google\n");
        assertEquals("Google", scsi.vendor());
        assertEquals(
                Optional.of("a Google persistent disk"),
                scsi.byName().get("sda").cloudVolume());
        assertEquals(
                Optional.of("an Azure or Hyper-V disk"),
                scsi.byName().get("sdb").cloudVolume());
    }

    @Test
    void devices_in_memory_and_disks_that_say_nothing_are_no_drives() {
        // This host: virtio has no model
        Drives drives = drives(
                "sys/block/vda/device/vendor", "0x1af4\n",
                "sys/block/loop0/device/model", "x\n",
                "sys/block/zram0/device/model", "x\n",
                "sys/block/ram0/device/model", "x\n",
                "sys/block/sr0/device/model", "QEMU DVD-ROM    \n");
        assertEquals(Set.of("sr0"), drives.byName().keySet());
        assertEquals("", drives.vendor(), "a machine without DMI tells no vendor");
    }

    @Test
    void a_host_without_sysfs_is_absent_and_hostile_text_harmless() {
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(Drives.FACT.read(Recorded.host("a", "b"), Host.THE_HOST)));
        for (String text : HostileText.ALL)
            assertFalse(
                    nvme(NVME + "model", text + "x", NVME + "hwmon/temp1_input", text, NVME + "hwmonx/temp1_max", text)
                            .isHot());
    }
}
