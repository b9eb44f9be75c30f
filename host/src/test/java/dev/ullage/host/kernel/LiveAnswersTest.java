// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ullage.host.Call;
import dev.ullage.host.Host;
import dev.ullage.host.KeyValues;
import dev.ullage.host.storage.BlockDevices;
import dev.ullage.host.storage.DiskStats;
import dev.ullage.host.storage.ModelFormat;
import dev.ullage.host.storage.Mounts;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What the kernel that runs the tests answers, on every host they run on.
@Timeout(30)
class LiveAnswersTest {
    private final LiveHost host = new LiveHost();

    @TempDir
    private Path folder;

    private static AbsentCause causeOf(Reading<?> reading) {
        return assertInstanceOf(Absent.class, reading).cause();
    }

    private Bytes resident(Path file) {
        return host.ask(Call.PAGE_CACHE, file.toString())
                .flatMap(PageCache::parse)
                .orThrow()
                .resident();
    }

    @Test
    void the_answers_of_statfs_are_those_of_java() throws IOException {
        KeyValues statfs =
                KeyValues.parsePairs(host.ask(Call.STATFS, folder.toString()).orThrow());
        assertEquals(Files.getFileStore(folder).getTotalSpace(), statfs.orZero("blocks") * statfs.orZero("bsize"));
    }

    @Test
    void a_hole_is_not_in_memory_and_what_was_read_of_it_is() throws IOException {
        Path file = folder.resolve("sparse");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 33);
            assertEquals(Bytes.NONE, resident(file));
            sparse.write(new byte[4 << 20]);
            assertEquals(Bytes.ofMiB(4), resident(file));
        }
    }

    @Test
    void devices_of_files_are_those_of_their_mounts() {
        Mounts mounts = Mounts.FACT.read(host, Host.THE_HOST).orThrow();
        Mount proc = mounts.of("/proc/version").orElseThrow();
        assumeTrue(proc.type().equals("proc"), "another file system lies over /proc");
        String stat = host.ask(Call.STAT, "/proc/version").orThrow();
        assertTrue(stat.startsWith("dev=" + proc.device() + " ino="), stat);
    }

    @Test
    void a_folder_is_no_file_and_a_missing_one_says_so() {
        assertTrue(host.ask(Call.STAT, folder.toString()).orThrow().endsWith("kind=other"));
        Path missing = folder.resolve("missing");
        for (Call call : List.of(Call.STAT, Call.FILE_HEAD, Call.PAGE_CACHE, Call.STATFS))
            assertEquals(AbsentCause.NOT_PRESENT, causeOf(host.ask(call, missing.toString())), call.word());
        assertEquals(AbsentCause.NOT_PRESENT, causeOf(host.names(missing.toString())));
        assertEquals(AbsentCause.NOT_PRESENT, causeOf(host.link(missing.toString())));
    }

    @Test
    void the_head_of_a_long_file_is_as_long_as_a_format_needs_and_of_an_empty_one_none() throws IOException {
        Path large = Files.write(folder.resolve("large"), new byte[100_000]);
        Path empty = Files.createFile(folder.resolve("empty"));
        assertEquals(
                "00".repeat(ModelFormat.HEAD),
                host.ask(Call.FILE_HEAD, large.toString()).orThrow());
        assertEquals("", host.ask(Call.FILE_HEAD, empty.toString()).orThrow());
        assertEquals(Bytes.NONE, resident(empty));
    }

    @Test
    void a_name_with_spaces_and_letters_of_any_alphabet_is_a_name() throws IOException {
        assumeTrue(!System.getProperty("sun.jnu.encoding").startsWith("ANSI"), "the locale has no such letters");
        Path file = Files.writeString(folder.resolve("größe 模型.gguf"), "GGUF");
        assertEquals("47475546", host.ask(Call.FILE_HEAD, file.toString()).orThrow());
        assertTrue(host.ask(Call.STAT, file.toString()).isPresent());
        assertEquals(List.of("größe 模型.gguf"), host.names(folder.toString()).orThrow());
    }

    @Test
    void a_file_without_rights_says_so() throws IOException {
        assumeTrue(
                !Files.isReadable(Path.of("/proc/1/maps"))
                        || !System.getProperty("user.name").equals("root"),
                "root may read everything");
        assertEquals(AbsentCause.NO_PERMISSION, causeOf(host.text("/proc/1/maps")));
    }

    @Test
    void the_kernel_log_is_no_longer_than_it_may_be() {
        Reading<String> log = KernelCalls.kernelLog(1 << 20);
        assumeTrue(log.isPresent() && log.orThrow().length() > 3000, "the kernel log is empty or not for us");
        int longest = log.orThrow().length() * 2 / 3;
        assertTrue(KernelCalls.kernelLog(longest).orThrow().length() <= longest);
    }

    @Test
    void a_process_that_is_watched_has_thread_states() throws InterruptedException {
        int self = (int) ProcessHandle.current().pid();
        host.watch(List.of(self));
        Thread.sleep(400);
        KeyValues states =
                KeyValues.parsePairs(host.ask(Call.THREAD_STATES, "" + self).orThrow());
        assertTrue(states.orZero("polls") >= 2);
        assertEquals(
                states.orZero("polls"),
                states.orZero("waiting") + states.orZero("running") + states.orZero("sleeping"));
    }

    @Test
    void disks_and_what_they_stand_on_are_read_as_they_are() {
        assertTrue(DiskStats.FACT.read(host, Host.THE_HOST).isPresent());
        assumeTrue(Files.isDirectory(Path.of("/sys/block")), "sysfs is not mounted");
        BlockDevices devices = BlockDevices.FACT.read(host, Host.THE_HOST).orThrow();
        devices.byNumber().forEach((number, device) -> assertEquals(number, device.number()));
    }

    @Test
    void a_process_that_bound_itself_to_a_node_says_so_and_one_that_did_not_has_the_default() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/numa_maps")), "a kernel without NUMA");
        String own = host.ask(
                        Call.NUMA_POLICY, String.valueOf(ProcessHandle.current().pid()))
                .orThrow();
        // set_mempolicy(MPOL_BIND, {0}, 8), which has no command on every host.
        String bind = "import ctypes, platform, sys\n"
                + "number = 237 if platform.machine() == 'aarch64' else 238\n"
                + "nodes = ctypes.c_ulong(1)\n"
                + "print(ctypes.CDLL(None).syscall(number, 2, ctypes.byref(nodes), ctypes.c_ulong(8)), flush=True)\n"
                + "sys.stdin.read()\n";
        Process bound = new ProcessBuilder("python3", "-c", bind).start();
        try {
            String result = bound.inputReader().readLine();
            assumeTrue("0".equals(result), "the kernel refuses set_mempolicy here");
            assertEquals(
                    "bind:0",
                    host.ask(Call.NUMA_POLICY, String.valueOf(bound.pid())).orThrow());
        } finally {
            bound.destroyForcibly();
        }
        assertTrue(own.equals("default") || own.contains(":") || own.equals("local"), own);
    }

    @Test
    void the_numa_policy_of_a_process_that_is_not_there_is_absent() {
        assertEquals(AbsentCause.VANISHED, causeOf(host.ask(Call.NUMA_POLICY, "4194301")));
    }
}
