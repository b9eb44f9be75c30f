// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.storage.DiskStats.Disk;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading.Absent;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DiskStatsTest {
    private static Map<String, Disk> disks(String text) {
        return DiskStats.parse(text).orThrow().byNumber();
    }

    @Test
    void every_column_is_the_one_iostats_rst_says() {
        Disk expected = new Disk("259:3", "nvme0n1p2", 1, 3 * 512, 4, 5, 7 * 512, 8, 9, 10, 11);
        assertEquals(
                expected,
                disks(" 259       3 nvme0n1p2 1 2 3 4 5 6 7 8 9 10 11\n").get("259:3"));
        assertEquals(
                expected,
                disks(" 259       3 nvme0n1p2 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n")
                        .get("259:3"));
        assertEquals(
                expected,
                disks(" 259       3 nvme0n1p2 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n")
                        .get("259:3"));
    }

    @Test
    void sectors_are_of_512_bytes_on_a_disk_with_larger_ones_too() {
        assertEquals(
                4096,
                disks("259 0 nvme0n1 1 0 8 0 0 0 0 0 0 0 0\n").get("259:0").readBytes());
    }

    @Test
    void short_lines_between_good_ones_are_passed_over() {
        // Before 2.6.25 partitions had four counters only.
        assertEquals(
                Set.of("8:0"),
                disks("8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n8 1 sda1 1 2 3 4\n\n").keySet());
    }

    @Test
    void a_host_without_block_devices_has_an_empty_file() {
        assertEquals(Map.of(), disks(""));
        assertEquals(Map.of(), disks("\n"));
        assertEquals(AbsentCause.MALFORMED, ((Absent<?>) DiskStats.parse("8 0 sda\n")).cause());
    }
}
