// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ullage.host.Call;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Facts;
import dev.ullage.host.Focus;
import dev.ullage.host.Host;
import dev.ullage.host.KeyValues;
import dev.ullage.host.Sampler;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.process.ThreadStates;
import dev.ullage.host.storage.ModelFormat;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What this kernel answers to questions that could hang, lie or be refused.
@Timeout(60)
class LiveCallsTest {
    private final LiveHost host = new LiveHost();

    @TempDir
    private Path folder;

    private Path file(String name, int bytes) throws IOException {
        Path file = folder.resolve(name);
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.write(new byte[bytes]);
            out.getFD().sync();
        }
        return file;
    }

    private Bytes resident(Path file) {
        return PageCache.parse(host.ask(Call.PAGE_CACHE, file.toString()).orThrow())
                .orThrow()
                .resident();
    }

    private static int run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return 127;
        }
    }

    @Test
    void pages_that_were_evicted_are_no_longer_resident() throws IOException, InterruptedException {
        Path file = file("model", 8 << 20);
        assertEquals(Bytes.ofMiB(8), resident(file));
        // dd asks the kernel to drop what it read: posix_fadvise(POSIX_FADV_DONTNEED).
        assumeTrue(
                run("dd", "if=" + file, "iflag=nocache", "count=0") == 0,
                "this dd cannot ask the kernel to drop pages");
        Bytes left = resident(file);
        assumeTrue(!left.equals(Bytes.ofMiB(8)), "this file system keeps its pages (tmpfs)");
        assertTrue(left.compareTo(Bytes.ofMiB(1)) < 0, left::shown);
    }

    @Test
    void asking_for_residency_brings_nothing_in() throws IOException, InterruptedException {
        Path file = file("model", 8 << 20);
        assumeTrue(
                run("dd", "if=" + file, "iflag=nocache", "count=0") == 0,
                "this dd cannot ask the kernel to drop pages");
        Bytes before = resident(file);
        host.ask(Call.FILE_HEAD, file.toString());
        for (int i = 0; i < 5; i++) resident(file);
        assertTrue(
                resident(file).minus(before).compareTo(Bytes.ofKiB(64)) <= 0,
                "a few bytes are read, without read-ahead");
    }

    @Test
    void a_pipe_a_folder_and_a_device_are_no_files_and_hang_nobody() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assumeTrue(run("mkfifo", pipe.toString()) == 0, "mkfifo is not there");
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            for (String path : List.of(pipe.toString(), folder.toString(), "/dev/null", "/dev/tty")) {
                host.ask(Call.FILE_HEAD, path);
                host.ask(Call.PAGE_CACHE, path);
                Reading<String> stat = host.ask(Call.STAT, path);
                assertTrue(stat.orElse("kind=other").endsWith("kind=other"), path);
            }
        });
    }

    @Test
    void a_deleted_file_that_is_still_open_is_reached_through_its_descriptor() throws IOException {
        Path file = file("gone", 4096);
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            Files.delete(file);
            assertEquals(4096, open.length());
            String link = null;
            for (String fd : host.names("/proc/self/fd").orThrow())
                if (host.link("/proc/self/fd/" + fd).orElse("").equals(file + " (deleted)"))
                    link = "/proc/self/fd/" + fd;
            assertTrue(host.ask(Call.STAT, link).orThrow().contains("size=4096"));
            assertEquals(
                    ModelFormat.HEAD, host.ask(Call.FILE_HEAD, link).orThrow().length() / 2);
            assertEquals(AbsentCause.NOT_PRESENT, causeOf(host.ask(Call.STAT, file.toString())));
        }
    }

    @Test
    void both_block_sizes_of_a_file_system_are_told() {
        KeyValues answer = KeyValues.parsePairs(host.ask(Call.STATFS, "/").orThrow());
        assertTrue(answer.orZero("frsize") > 0, "blocks are counted in f_frsize");
        assertTrue(answer.orZero("bsize") > 0);
    }

    @Test
    void the_clock_goes_forward() throws InterruptedException {
        double first = Double.parseDouble(host.ask(Call.CLOCK, "-").orThrow().split(" ")[1]);
        Thread.sleep(30);
        double second = Double.parseDouble(host.ask(Call.CLOCK, "-").orThrow().split(" ")[1]);
        assertTrue(second - first >= 0.03 && second - first < 20);
    }

    @Test
    void nothing_that_is_asked_about_nothing_throws() {
        for (String about : List.of("", "/", "\0", "/no\0thing", "no/such", "x".repeat(5000), "-", "/proc/self/mem"))
            for (Call call : Call.values()) {
                if (call == Call.KERNEL_LOG) continue;
                host.ask(call, about);
            }
        for (String path : List.of("", "\0", "/no\0thing", "x".repeat(5000))) {
            assertFalse(host.text(path).isPresent());
            assertFalse(host.link(path).isPresent());
            assertFalse(host.names(path).isPresent());
        }
    }

    @Test
    void every_fact_about_this_host_is_read_or_says_why_not() {
        for (Fact<Host, ?> fact : Facts.OF_THE_HOST) {
            Reading<?> reading = fact.read(host, Host.THE_HOST);
            if (!reading.isPresent())
                assertFalse(causeOf(reading) == AbsentCause.MALFORMED, () -> fact + ": " + reading);
        }
    }

    @Test
    void every_fact_about_ourselves_is_read() {
        int pid = (int) ProcessHandle.current().pid();
        ProcessStat stat =
                ProcessStat.parse(host.text("/proc/" + pid + "/stat").orThrow()).orThrow();
        assertEquals(pid, stat.id().pid());
        ProcessId me = stat.id();
        assertTrue(CommandLine.FACT.read(host, me).orThrow().program().contains("java"));
        for (Fact<ProcessId, ?> fact : Facts.OF_A_CANDIDATE) {
            Reading<?> reading = fact.read(host, me);
            if (!reading.isPresent())
                assertFalse(causeOf(reading) == AbsentCause.MALFORMED, () -> fact + ": " + reading);
        }
    }

    @Test
    void a_process_that_computes_is_seen_running_and_one_that_sleeps_is_not() throws IOException, InterruptedException {
        Process sleeper = new ProcessBuilder("sleep", "30").start();
        Process cruncher = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
        try {
            int sleeping = (int) sleeper.pid();
            int running = (int) cruncher.pid();
            host.watch(List.of(sleeping, running));
            Thread.sleep(1_000);
            ThreadStates asleep = ThreadStates.parse(host.ask(Call.THREAD_STATES, String.valueOf(sleeping))
                            .orThrow())
                    .orThrow();
            ThreadStates awake = ThreadStates.parse(host.ask(Call.THREAD_STATES, String.valueOf(running))
                            .orThrow())
                    .orThrow();
            assertTrue(asleep.runningShare().ratio() < 0.2, asleep::toString);
            assertTrue(awake.runningShare().ratio() > 0.8, awake::toString);
        } finally {
            sleeper.destroyForcibly();
            cruncher.destroyForcibly();
        }
    }

    @Test
    void a_window_over_this_host_finds_rates() throws InterruptedException {
        Sampler sampler = new Sampler(Focus.EVERYTHING);
        sampler.take(host, true, false);
        Thread.sleep(300);
        sampler.take(host, false, true);
        Evidence evidence = sampler.evidence();
        assertTrue(evidence.hasWindow());
        assertTrue(evidence.window().seconds() >= 0.3);
        assertTrue(evidence.change(dev.ullage.host.memory.VmStat.FACT).isPresent());
        assertTrue(evidence.subjects(ProcessStat.FACT).size() > 2);
    }
}
