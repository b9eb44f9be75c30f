// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessIoTest {
    @Test
    void what_came_from_the_cache_is_told_from_what_came_from_storage() {
        // Linux 6.18: dd of a cached file
        ProcessIo cached = ProcessIo.parse("""
                rchar: 629145600
                wchar: 629145600
                syscr: 600
                syscw: 600
                read_bytes: 0
                write_bytes: 629145600
                cancelled_write_bytes: 0
                """).orThrow();
        assertEquals(new ProcessIo(Bytes.ofMiB(600), Bytes.NONE, Bytes.ofMiB(600)), cached);
    }

    @Test
    void page_faults_read_from_storage_without_a_read_call() {
        // Linux 4.18: a server that mapped its model
        ProcessIo mapped = ProcessIo.parse(
                        "rchar: 3901\nwchar: 12\nsyscr: 9\nsyscw: 1\nread_bytes: 21474836480\nwrite_bytes: 4096\ncancelled_write_bytes: 0\n")
                .orThrow();
        assertEquals(Bytes.ofGiB(20), mapped.readFromStorage());
        assertEquals(new Bytes(3901), mapped.readByCall());
    }

    @Test
    void a_kernel_without_io_accounting_is_no_process_that_reads_nothing() {
        // CONFIG_TASK_IO_ACCOUNTING=n gives the first four lines only
        assertEquals(AbsentCause.MALFORMED, causeOf(ProcessIo.parse("rchar: 9\nwchar: 9\nsyscr: 1\nsyscw: 1\n")));
        for (String text : List.of("", "read_bytes", "read_bytes: lots"))
            assertEquals(AbsentCause.MALFORMED, causeOf(ProcessIo.parse(text)), text);
    }
}
