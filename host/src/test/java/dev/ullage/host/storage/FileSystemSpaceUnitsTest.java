// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostileText;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileSystemSpaceUnitsTest {
    private static FileSystemSpace space(String text) {
        return FileSystemSpace.parse(text).orThrow();
    }

    @Test
    void blocks_are_counted_in_fragments_where_a_file_system_tells_both_sizes() {
        // virtiofs of Docker Desktop: 461 GiB, and bsize is only what is best to transfer
        FileSystemSpace virtiofs = space(
                "type=0x6a656a63 bsize=1048576 blocks=120699413 bfree=30932992 bavail=30932992 files=0 ffree=0 frsize=4096");
        assertEquals(new Bytes(120_699_413L * 4096), virtiofs.size());
        assertEquals("118.0 GiB", virtiofs.available().shown());
        // gcsfuse
        assertEquals(
                Bytes.ofMiB(128),
                space("type=0x65735546 bsize=1048576 blocks=1024 bfree=0 bavail=0 files=0 ffree=0 frsize=131072")
                        .size());
    }

    @Test
    void without_fragments_blocks_are_blocks() {
        assertEquals(
                Bytes.ofMiB(4),
                space("type=0xef53 bsize=4096 blocks=1024 bfree=0 bavail=0 files=0 ffree=0")
                        .size());
        assertEquals(
                Bytes.ofMiB(4),
                space("type=0xef53 bsize=4096 blocks=1024 bfree=0 bavail=0 files=0 ffree=0 frsize=0")
                        .size());
    }

    @Test
    void no_text_makes_a_share_below_nothing_or_above_all() {
        for (String text : HostileText.ALL)
            FileSystemSpace.parse(text).map(space -> {
                double share = space.usedShare().ratio();
                assertTrue(share >= 0 && share <= 1, () -> share + " of " + text);
                double inodes = space.usedInodesShare().ratio();
                assertTrue(inodes >= 0 && inodes <= 1, () -> inodes + " of " + text);
                return share;
            });
        FileSystemSpace odd = space("bsize=4096 blocks=10 bfree=50 bavail=50 files=10 ffree=50");
        assertTrue(odd.usedShare().ratio() >= 0, () -> "used " + odd.usedShare());
        assertTrue(odd.usedInodesShare().ratio() >= 0, () -> "inodes " + odd.usedInodesShare());
    }

    @Test
    void half_an_answer_is_malformed() {
        for (String text : List.of("", "type=0xef53", "bsize=", "bsize=-4096 blocks=1", "blocks=5"))
            assertEquals(AbsentCause.MALFORMED, causeOf(FileSystemSpace.parse(text)), text);
        assertEquals(
                AbsentCause.MALFORMED,
                causeOf(FileSystemSpace.parse("type=0xef53 bsize=4096")),
                "no blocks: not an empty disk");
    }
}
