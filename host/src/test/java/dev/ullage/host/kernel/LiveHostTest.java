// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ullage.host.Call;
import dev.ullage.host.Host;
import dev.ullage.host.KeyValues;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// On the kernel the tests run on: what is asked by calls must come back as the text that a recorded root holds.
@Timeout(20)
class LiveHostTest {
    private final LiveHost host = new LiveHost();

    private static AbsentCause causeOf(Reading<?> reading) {
        return ((Absent<?>) reading).cause();
    }

    @Test
    void files_of_the_kernel_are_read() {
        assertTrue(MemInfo.FACT.read(host, Host.THE_HOST).orThrow().total().isMoreThan(Bytes.ofMiB(100)));
    }

    @Test
    void the_root_file_system_has_a_size() {
        FileSystemSpace space =
                FileSystemSpace.parse(host.ask(Call.STATFS, "/").orThrow()).orThrow();
        assertTrue(space.size().isMoreThan(space.available()));
    }

    @Test
    void a_file_that_was_just_written_is_in_the_page_cache(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("model"), new byte[8 << 20]);
        Reading<String> answer = host.ask(Call.PAGE_CACHE, file.toString());
        assertEquals(Bytes.ofMiB(8), PageCache.parse(answer.orThrow()).orThrow().resident());
    }

    @Test
    void an_older_kernel_without_cachestat_counts_the_same_pages_by_mincore(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("model"), new byte[(8 << 20) + 5]);
        try (Arena arena = Arena.ofConfined()) {
            long fd = Syscalls.open(arena, file.toString(), Syscalls.O_RDONLY);
            Reading<String> answer = KernelCalls.mincore(arena, file.toString(), fd, (8 << 20) + 5);
            Syscalls.close(arena, fd);
            assertEquals(
                    Bytes.ofPages(2049),
                    PageCache.parse(answer.orThrow()).orThrow().resident());
        }
    }

    @Test
    void a_file_is_known_by_device_and_inode(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "hello");
        Path link = Files.createLink(folder.resolve("b"), file);
        assertEquals(
                host.ask(Call.STAT, file.toString()).orThrow(),
                host.ask(Call.STAT, link.toString()).orThrow());
        assertEquals(
                5,
                KeyValues.parsePairs(host.ask(Call.STAT, file.toString()).orThrow())
                        .orZero("size"));
    }

    @Test
    void the_head_of_a_file_is_its_first_bytes(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a"), "GGUF");
        assertEquals("47475546", host.ask(Call.FILE_HEAD, file.toString()).orThrow());
    }

    @Test
    void a_pipe_that_nobody_writes_to_does_not_hang_us(@TempDir Path folder) throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "mkfifo is not there");
        host.ask(Call.FILE_HEAD, pipe.toString());
    }

    @Test
    void the_kernel_log_comes_back_at_once_or_says_why_not() {
        Reading<String> log = host.ask(Call.KERNEL_LOG, "-");
        assertTrue(
                log.isPresent() || causeOf(log) == AbsentCause.NO_PERMISSION || causeOf(log) == AbsentCause.NOT_PRESENT,
                log::toString);
    }

    @Test
    void what_is_not_there_says_whether_the_kernel_or_the_process_lacks_it() {
        assertEquals(AbsentCause.NOT_ON_THIS_KERNEL, causeOf(host.text("/proc/no-such-file")));
        assertEquals(AbsentCause.VANISHED, causeOf(host.text("/proc/4194301/stat")));
        assertEquals(AbsentCause.NOT_PRESENT, causeOf(host.text("/no/such/file")));
        assertEquals(AbsentCause.NOT_PRESENT, causeOf(host.ask(Call.STATFS, "/no/such/mount")));
    }

    @Test
    void a_process_that_is_not_watched_has_no_thread_states() {
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(host.ask(Call.THREAD_STATES, "1")));
    }
}
