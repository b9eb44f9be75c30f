// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Recorded;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import org.junit.jupiter.api.Test;

class SharedMemoryTest {
    private static Reading<SharedMemory> reading(String... pathsAndTexts) {
        return SharedMemory.FACT.read(Recorded.host(pathsAndTexts), new ProcessId(812, 1));
    }

    @Test
    void a_container_has_its_own_64_mib_and_not_the_hosts() {
        FileSystemSpace space = reading("recorded/statfs", """
                        /dev/shm\ttype=0x1021994 bsize=4096 blocks=6171021 bfree=6171021 bavail=6171021 files=6171021 ffree=6171020 frsize=4096
                        /proc/812/root/dev/shm\ttype=0x1021994 bsize=4096 blocks=16384 bfree=1024 bavail=1024 files=6171021 ffree=6171010 frsize=4096
                        """).orThrow().space();
        assertEquals(Bytes.ofMiB(64), space.size());
        assertEquals(Bytes.ofMiB(4), space.available());
        assertEquals(Bytes.ofMiB(60), space.used());
    }

    @Test
    void a_process_that_may_not_be_looked_into_is_absent_and_not_the_hosts_either() {
        assertEquals(
                AbsentCause.NO_PERMISSION,
                causeOf(reading(
                        "recorded/statfs",
                        "/dev/shm\tbsize=4096 blocks=10\n",
                        "recorded/absent",
                        "/recorded/statfs:/proc/812/root/dev/shm\tno-permission\tstatfs said EACCES\n")));
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(reading("recorded/statfs", "/dev/shm\tbsize=4096 blocks=10\n")));
    }

    @Test
    void an_answer_that_is_none_is_malformed() {
        assertEquals(
                AbsentCause.MALFORMED,
                causeOf(reading("recorded/statfs", "/proc/812/root/dev/shm\tbsize=0 blocks=x\n")));
    }
}
