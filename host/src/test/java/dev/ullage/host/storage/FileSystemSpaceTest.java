// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Absent;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileSystemSpaceTest {
    private static FileSystemSpace space(String text) {
        return FileSystemSpace.parse(text).orThrow();
    }

    @Test
    void blocks_times_their_size_is_room() {
        FileSystemSpace space =
                space("type=0xef53 bsize=1024 blocks=1000000 bfree=300000 bavail=250000 files=65536 ffree=65526");
        assertEquals(Bytes.ofKiB(1000000), space.size());
        assertEquals(Bytes.ofKiB(300000), space.free());
        assertEquals(Bytes.ofKiB(250000), space.available());
        assertEquals(Bytes.ofKiB(700000), space.used());
        // df: 700000 of (700000 + 250000).
        assertEquals(700.0 / 950, space.usedShare().ratio(), 1e-12);
    }

    @Test
    void a_file_system_without_a_number_of_inodes_does_not_run_out_of_them() {
        assertEquals(
                0,
                space("bsize=4096 blocks=10 bfree=5 bavail=5 files=0 ffree=0")
                        .usedInodesShare()
                        .ratio());
        assertEquals(
                1,
                space("bsize=4096 blocks=10 bfree=5 bavail=5 files=7 ffree=0")
                        .usedInodesShare()
                        .ratio());
    }

    @Test
    void a_file_system_of_no_blocks_is_not_full() {
        assertEquals(
                0, space("bsize=4096 blocks=0 bfree=0 bavail=0").usedShare().ratio());
    }

    @Test
    void absurd_numbers_do_not_wrap_around() {
        FileSystemSpace space = space("bsize=1048576 blocks=18446744073709551615 bfree=9223372036854775807 bavail=-1");
        assertEquals(new Bytes(Long.MAX_VALUE), space.size());
        assertEquals(Bytes.NONE, space.available());
    }

    @Test
    void an_answer_without_a_block_size_is_malformed() {
        for (String text : List.of("", "x", "bsize=0 blocks=1", "bsize=-4096 blocks=1", "blocks=1"))
            assertEquals(AbsentCause.MALFORMED, ((Absent<?>) FileSystemSpace.parse(text)).cause(), text);
    }

    @Test
    void it_is_asked_by_the_mount_point() {
        Mounts.Mount mount = Mounts.parse("90 27 8:17 / /mnt/my\\040disk rw - xfs /dev/sdb1 rw\n")
                .orThrow()
                .all()
                .getFirst();
        assertEquals(
                new Bytes(4096),
                FileSystemSpace.FACT
                        .read(Recorded.host("recorded/statfs", "/mnt/my disk\tbsize=4096 blocks=1\n"), mount)
                        .orThrow()
                        .size());
    }
}
