// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import org.junit.jupiter.api.Test;

class NameOnDiskTest {
    private static final String PATH = "/models/a.gguf";
    private static final String MAPPING = "/proc/812/map_files/7f00-7f01";

    private static Reading<NameOnDisk> reading(String via, String... pathsAndTexts) {
        ModelFile file = new ModelFile(PATH, via, "254:0", 1234, Bytes.ofMiB(900), ModelFormat.GGUF, false);
        return NameOnDisk.FACT.read(Recorded.host(pathsAndTexts), file);
    }

    private static String stat(String path, String device, long inode, long size) {
        return path + "\tdev=" + device + " ino=" + inode + " size=" + size + " uid=0 kind=file\n";
    }

    @Test
    void the_file_in_use_is_the_one_under_its_name() {
        NameOnDisk disk = reading(PATH, "recorded/stat", stat(PATH, "254:0", 1234, 943718400))
                .orThrow();
        assertTrue(disk.exists() && disk.same());
        assertEquals(Bytes.ofMiB(900), disk.size());
    }

    @Test
    void a_file_that_was_shortened_in_place_is_the_same_and_shorter() {
        NameOnDisk disk =
                reading(PATH, "recorded/stat", stat(PATH, "254:0", 1234, 4096)).orThrow();
        assertTrue(disk.same());
        assertEquals(new Bytes(4096), disk.size());
    }

    @Test
    void another_file_that_took_the_name_does_not_shorten_the_one_in_use() {
        NameOnDisk disk =
                reading(PATH, "recorded/stat", stat(PATH, "254:0", 99, 4096)).orThrow();
        assertTrue(disk.exists());
        assertFalse(disk.same());
        assertEquals(Bytes.ofMiB(900), disk.size(), "the old file is as long as it was");
    }

    @Test
    void the_same_inode_number_on_another_file_system_is_another_file() {
        NameOnDisk disk =
                reading(PATH, "recorded/stat", stat(PATH, "254:16", 1234, 5)).orThrow();
        assertFalse(disk.same());
        assertEquals(Bytes.ofMiB(900), disk.size());
    }

    @Test
    void a_deleted_file_is_still_reached_through_its_mapping() {
        NameOnDisk disk = reading(
                        MAPPING,
                        "recorded/stat",
                        stat(MAPPING, "254:0", 1234, 800),
                        "recorded/absent",
                        "/recorded/stat:" + PATH + "\tnot-present\topening it said no such file\n")
                .orThrow();
        assertFalse(disk.exists());
        assertEquals(new Bytes(800), disk.size());
    }

    @Test
    void a_name_that_may_not_be_looked_at_or_hangs_is_not_gone() {
        for (AbsentCause cause : new AbsentCause[] {AbsentCause.NO_PERMISSION, AbsentCause.TIMED_OUT})
            assertEquals(
                    cause,
                    causeOf(reading(
                            MAPPING,
                            "recorded/stat",
                            stat(MAPPING, "254:0", 1234, 800),
                            "recorded/absent",
                            "/recorded/stat:" + PATH + "\t" + cause.word() + "\tit is so\n")));
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(reading(PATH, "a", "b")));
    }
}
