// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static dev.ullage.host.Absence.causeOf;
import static dev.ullage.host.Absence.detailOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ullage.host.Call;
import dev.ullage.host.storage.ModelBytes;
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

/// The header of a model file, read from this kernel's page cache and from nowhere else.
@Timeout(60)
class LiveExtentTest {
    private final LiveHost host = new LiveHost();

    @TempDir
    private Path folder;

    /// A header of some 2 MiB before 4 MiB of tensors.
    private static byte[] model() {
        return ModelBytes.gguf(1, 1)
                .words("tokenizer.ggml.tokens", 120_000)
                .tensor("a", 0, 0, 1 << 20)
                .padTo(32)
                .zeros(4 << 20)
                .bytes();
    }

    private Path file(byte[] bytes) throws IOException {
        Path file = folder.resolve("model.gguf");
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.write(bytes);
            out.getFD().sync();
        }
        return file;
    }

    private Bytes resident(Path file) {
        return PageCache.parse(host.ask(Call.PAGE_CACHE, file.toString()).orThrow())
                .orThrow()
                .resident();
    }

    private Reading<String> extent(Path file) {
        return host.ask(Call.EXTENT, file.toString());
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

    /// dd asks the kernel to drop what is cached: posix_fadvise(POSIX_FADV_DONTNEED).
    private void drop(Path file) throws IOException, InterruptedException {
        assumeTrue(
                run("dd", "if=" + file, "iflag=nocache", "count=0") == 0,
                "this dd cannot ask the kernel to drop pages");
    }

    @Test
    void the_header_of_a_file_in_memory_is_read() throws IOException {
        byte[] bytes = model();
        assertEquals("needs=" + bytes.length, extent(file(bytes)).orThrow());
    }

    @Test
    void a_cold_file_is_not_fetched_and_the_answer_says_so() throws IOException, InterruptedException {
        Path file = file(model());
        drop(file);
        Bytes before = resident(file);
        assumeTrue(before.equals(Bytes.NONE), "this file system keeps its pages");
        Reading<String> extent = extent(file);
        assertEquals(AbsentCause.NOT_PRESENT, causeOf(extent));
        assertTrue(detailOf(extent).contains("not in memory beyond byte 0"), detailOf(extent));
        Thread.sleep(200);
        assertEquals(Bytes.NONE, resident(file), "read-ahead was not started either");
    }

    @Test
    void a_header_of_which_only_the_beginning_is_in_memory_is_not_fetched_either()
            throws IOException, InterruptedException {
        Path file = file(model());
        drop(file);
        assumeTrue(resident(file).equals(Bytes.NONE), "this file system keeps its pages");
        host.ask(Call.FILE_HEAD, file.toString()).orThrow();
        Bytes before = resident(file);
        assertTrue(before.bytes() > 0, "its first page came in");
        Reading<String> extent = extent(file);
        assertTrue(detailOf(extent).contains("not in memory beyond byte"), detailOf(extent));
        Thread.sleep(200);
        assertEquals(before, resident(file));
    }

    @Test
    void a_file_that_was_cut_off_is_shorter_than_it_needs() throws IOException {
        byte[] bytes = model();
        Path file = file(java.util.Arrays.copyOf(bytes, bytes.length - (3 << 20)));
        assertEquals("needs=" + bytes.length, extent(file).orThrow());
    }

    @Test
    void a_model_in_shared_memory_is_read_as_well() throws IOException {
        Path shm = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(shm), "there is no /dev/shm");
        byte[] bytes = model();
        Path file = Files.createTempFile(shm, "ullage-test", ".gguf");
        try {
            Files.write(file, bytes);
            assertEquals("needs=" + bytes.length, extent(file).orThrow());
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void where_the_kernel_knows_no_cachestat_mincore_tells_the_same() throws IOException, InterruptedException {
        byte[] bytes = model();
        Path file = file(bytes);
        assertEquals(
                "needs=" + bytes.length,
                KernelCalls.extentByMincore(file.toString(), bytes.length).orThrow());
        drop(file);
        assumeTrue(resident(file).equals(Bytes.NONE), "this file system keeps its pages");
        assertEquals(AbsentCause.NOT_PRESENT, causeOf(KernelCalls.extentByMincore(file.toString(), bytes.length)));
        assertEquals(Bytes.NONE, resident(file));
    }

    @Test
    void a_pipe_a_folder_and_a_device_are_no_files_and_hang_nobody() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assumeTrue(run("mkfifo", pipe.toString()) == 0, "mkfifo is not there");
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            for (Path path : List.of(pipe, folder, Path.of("/dev/null"), Path.of("/dev/tty")))
                assertEquals(AbsentCause.NOT_PRESENT, causeOf(extent(path)), path.toString());
        });
        assertEquals(AbsentCause.NOT_PRESENT, causeOf(extent(folder.resolve("nothing"))));
    }

    @Test
    void a_file_of_another_format_is_malformed_and_says_how() throws IOException {
        Path file = file(
                "PK\3\4 some zip that is no model, and long enough".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertEquals(AbsentCause.MALFORMED, causeOf(extent(file)));
        assertTrue(detailOf(extent(file)).contains("header of"), detailOf(extent(file)));
    }
}
