// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DiskStatsOddNumbersTest {
    @Test
    void names_with_odd_characters_are_names() {
        DiskStats stats = DiskStats.parse(
                        " 104       0 cciss/c0d0 1 2 3 4 5 6 7 8 9 10 11\n 253 17 dm-17 1 2 3 4 5 6 7 8 9 10 11\n")
                .orThrow();
        assertEquals("cciss/c0d0", stats.byNumber().get("104:0").name());
        assertEquals("dm-17", stats.byNumber().get("253:17").name());
    }

    @Test
    void sectors_beyond_any_disk_do_not_wrap_around() {
        DiskStats.Disk disk = DiskStats.parse("8 0 sda 1 2 18446744073709551615 4 5 6 9223372036854775807 8 9 10 11\n")
                .orThrow()
                .byNumber()
                .get("8:0");
        assertTrue(disk.readBytes() > 0, () -> "read " + disk.readBytes());
        assertTrue(disk.writtenBytes() > 0, () -> "written " + disk.writtenBytes());
    }
}
