// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.Recorded;
import dev.ullage.host.storage.BlockDevices.Device;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockDeviceNamesTest {
    private static final Mounts NO_MOUNTS = new Mounts(List.of());

    private static BlockDevices devices(String... files) {
        return BlockDevices.FACT.read(Recorded.host(files), Host.THE_HOST).orThrow();
    }

    private static List<String> under(BlockDevices devices, String number, Mounts mounts) {
        return devices.under(number, mounts).stream().map(Device::name).toList();
    }

    @Test
    void a_raid_stands_on_its_members() {
        BlockDevices devices = devices(
                "sys/block/md127/dev", "9:127\n",
                "sys/block/md127/slaves/nvme1n1", "",
                "sys/block/md127/slaves/nvme2n1", "",
                "sys/block/nvme1n1/dev", "259:0\n",
                "sys/block/nvme2n1/dev", "259:1\n");
        assertEquals(List.of("md127", "nvme1n1", "nvme2n1"), under(devices, "9:127", NO_MOUNTS));
        assertEquals("md RAID", devices.named("md127").orElseThrow().driver());
    }

    @Test
    void a_loop_device_stands_on_the_disk_of_its_file_even_when_the_file_was_deleted() {
        BlockDevices devices = devices(
                "sys/block/loop0/dev", "7:0\n",
                "sys/block/loop0/loop/backing_file", "/mnt/img/a.ext4 (deleted)\n",
                "sys/block/vda/dev", "254:0\n");
        Mounts mounts = Mounts.parse("27 1 254:0 / / rw - ext4 /dev/vda rw\n").orThrow();
        assertEquals(List.of("loop0", "vda"), under(devices, "7:0", mounts));
    }

    @Test
    void partitions_of_sda_are_not_those_of_a_disk_whose_name_begins_alike() {
        BlockDevices devices = devices(
                "sys/block/sda/dev",
                "8:0\n",
                "sys/block/sda/sda1/dev",
                "8:1\n",
                "sys/block/sdaa/dev",
                "65:160\n",
                "sys/block/sdaa/sdaa1/dev",
                "65:161\n");
        assertEquals(List.of("sdaa1", "sdaa"), under(devices, "65:161", NO_MOUNTS));
        assertEquals(List.of("sda1", "sda"), under(devices, "8:1", NO_MOUNTS));
    }

    @Test
    void what_is_no_device_has_nothing_under_it() {
        BlockDevices devices =
                devices("sys/block/vda/dev", "254:0\n", "sys/block/zram0/dev", "253:0\n", "sys/block/ram0/x", "");
        assertEquals(List.of(), under(devices, "0:35", NO_MOUNTS));
        assertEquals("zram", devices.named("zram0").orElseThrow().driver());
        assertFalse(devices.named("ram0").isPresent());
        assertTrue(devices.named("vda").isPresent());
    }
}
