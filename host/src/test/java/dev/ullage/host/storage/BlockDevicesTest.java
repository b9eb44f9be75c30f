// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.Recorded;
import dev.ullage.host.storage.BlockDevices.Device;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockDevicesTest {
    private static final Mounts NO_MOUNTS = new Mounts(List.of());

    private static BlockDevices devices(String... pathsAndTexts) {
        return BlockDevices.FACT
                .read(Recorded.host(pathsAndTexts), Host.THE_HOST)
                .orThrow();
    }

    private static List<String> under(BlockDevices devices, String number, Mounts mounts) {
        return devices.under(number, mounts).stream().map(Device::name).toList();
    }

    @Test
    void a_partition_stands_on_its_disk_and_shares_its_queue() {
        BlockDevices devices = devices(
                "sys/block/nvme0n1/dev", "259:0\n",
                "sys/block/nvme0n1/queue/rotational", "0\n",
                "sys/block/nvme0n1/queue/read_ahead_kb", "128\n",
                "sys/block/nvme0n1/nvme0n1p2/dev", "259:2\n");
        Device partition = devices.byNumber().get("259:2");
        assertEquals("nvme0n1", partition.disk());
        assertEquals(128, partition.readAheadKiB());
        assertFalse(partition.rotational());
        assertEquals("nvme", partition.driver());
        assertEquals(List.of("nvme0n1p2", "nvme0n1"), under(devices, "259:2", NO_MOUNTS));
        assertEquals(List.of("nvme0n1"), under(devices, "259:0", NO_MOUNTS));
        assertEquals(List.of(), under(devices, "0:42", NO_MOUNTS));
    }

    @Test
    void encryption_on_a_volume_on_a_raid_of_partitions_reaches_every_disk() {
        BlockDevices devices = devices(
                "sys/block/dm-1/dev", "253:1\n",
                "sys/block/dm-1/slaves/dm-0", "",
                "sys/block/dm-0/dev", "253:0\n",
                "sys/block/dm-0/slaves/md0", "",
                "sys/block/md0/dev", "9:0\n",
                "sys/block/md0/slaves/sda1", "",
                "sys/block/md0/slaves/sdb1", "",
                "sys/block/sda/dev", "8:0\n",
                "sys/block/sda/queue/rotational", "1\n",
                "sys/block/sda/sda1/dev", "8:1\n",
                "sys/block/sdb/dev", "8:16\n",
                "sys/block/sdb/sdb1/dev", "8:17\n");
        assertEquals(List.of("dm-1", "dm-0", "md0", "sda1", "sda", "sdb1", "sdb"), under(devices, "253:1", NO_MOUNTS));
        assertEquals("rotational disk", devices.named("sda").orElseThrow().driver());
        assertEquals("solid-state disk", devices.named("sdb").orElseThrow().driver());
        assertEquals("device-mapper", devices.named("dm-0").orElseThrow().driver());
        assertEquals("md RAID", devices.named("md0").orElseThrow().driver());
    }

    @Test
    void a_partition_in_an_image_file_leads_to_the_disk_the_file_is_on() {
        BlockDevices devices = devices(
                "sys/block/loop3/dev", "7:3\n",
                "sys/block/loop3/loop/backing_file", "/images/my disk.img\n",
                "sys/block/loop3/loop3p1/dev", "259:9\n",
                "sys/block/vda/dev", "254:0\n",
                "sys/block/vda/queue/rotational", "1\n");
        Mounts mounts = Mounts.parse("27 1 254:0 / / rw - ext4 /dev/vda rw\n").orThrow();
        assertEquals(
                Optional.of("/images/my disk.img"),
                devices.byNumber().get("7:3").backingFile());
        assertEquals(List.of("loop3p1", "loop3", "vda"), under(devices, "259:9", mounts));
        assertEquals("virtual disk", devices.byNumber().get("254:0").driver());
    }

    @Test
    void a_loop_device_on_a_file_of_its_own_file_system_ends() {
        BlockDevices devices = devices(
                "sys/block/loop0/dev", "7:0\n",
                "sys/block/loop0/loop/backing_file", "/m/a.img (deleted)\n");
        Mounts mounts = Mounts.parse("27 1 7:0 / /m rw - ext4 /dev/loop0 rw\n").orThrow();
        assertEquals(List.of("loop0"), under(devices, "7:0", mounts));
    }

    @Test
    void a_folder_of_a_disk_is_no_partition() {
        BlockDevices devices = devices(
                "sys/block/sda/dev", "8:0\n",
                "sys/block/sda/sda_trace/enable", "0\n",
                "sys/block/sda/holders/dm-0", "",
                "sys/block/sda/queue/nr_requests", "64\n");
        assertEquals(1, devices.byNumber().size());
        assertTrue(devices.named("sda").isPresent());
        assertEquals(0, devices.byNumber().get("8:0").readAheadKiB());
    }

    @Test
    void a_host_without_sysfs_says_so() {
        assertFalse(
                BlockDevices.FACT.read(Recorded.host("a", "b"), Host.THE_HOST).isPresent());
    }
}
