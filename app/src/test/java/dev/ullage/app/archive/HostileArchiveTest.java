// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.capture.BadCapture;
import dev.ullage.measure.Reading.Absent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Archives that nobody honest makes, and honest ones on which something happened.
@Timeout(10)
class HostileArchiveTest {
    @TempDir
    private Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("x.tar.zst"), bytes);
    }

    private String refusal(byte[] bytes) throws IOException {
        Path file = file(bytes);
        return assertThrows(BadCapture.class, () -> Archive.read(file)).getMessage();
    }

    private void says(String expected, byte[] bytes) throws IOException {
        String message = refusal(bytes);
        assertTrue(message.contains(expected), message);
    }

    private static byte[] zstd(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zstd = new ZstdOutputStreamNoFinalizer(out)) {
            zstd.write(bytes);
        }
        return out.toByteArray();
    }

    private byte[] honest() throws IOException {
        TreeMap<String, String> tree = new TreeMap<>();
        Random random = new Random(7);
        for (int i = 0; i < 50; i++)
            tree.put("proc/" + i + "/stat", i + " " + random.nextLong() + random.nextLong() + "\n".repeat(500));
        Path file = folder.resolve("honest.tar.zst");
        Archive.write(file, tree, Instant.EPOCH, true);
        return Files.readAllBytes(file);
    }

    @Test
    void what_was_written_is_read_again_and_names_of_any_length_with_it() throws IOException {
        TreeMap<String, String> tree = new TreeMap<>();
        tree.put("proc/meminfo", "MemTotal: 1 kB\n");
        tree.put("at-0.000/proc/812/cmdline", "a\0b\0ü\uFFFD");
        tree.put("sys/fs/cgroup/" + "kubepods.slice/".repeat(12) + "ü".repeat(100) + "/memory.max", "max\n");
        tree.put("empty", "");
        for (String name : new String[] {"a.tar.zst", "a.tgz", "a.tar"}) {
            Path file = folder.resolve(name);
            Archive.write(file, tree, Instant.parse("2026-03-01T10:00:00Z"), false);
            assertEquals(tree, Archive.read(file).texts(), name);
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            assertTrue(assertThrows(BadCapture.class, () -> Archive.write(file, tree, Instant.EPOCH, false))
                    .getMessage()
                    .contains("--force"));
        }
    }

    @Test
    void a_tar_of_the_tar_program_is_read() throws Exception {
        Path top = Files.createDirectories(folder.resolve("gpu7/proc/sys/kernel/" + "long-".repeat(30)));
        Files.writeString(top.resolve("x"), "1");
        Files.createDirectories(folder.resolve("gpu7/empty"));
        for (String format : new String[] {"gnu", "pax"}) {
            Path tar = folder.resolve(format + ".tar");
            int status = new ProcessBuilder(
                            "tar", "--format=" + format, "-cf", tar.toString(), "-C", folder.toString(), "gpu7")
                    .start()
                    .waitFor();
            assertEquals(0, status);
            assertEquals(
                    "1",
                    Archive.read(tar)
                            .text("proc/sys/kernel/" + "long-".repeat(30) + "/x")
                            .orElseThrow());
        }
    }

    @Test
    void names_that_lead_out_are_refused_with_their_offset() throws IOException {
        says("../../etc/passwd (offset 0): a name with ..", Tars.of("../../etc/passwd", "x"));
        says("proc/../../x (offset 1024): a name with ..", Tars.of("proc/a", "1", "proc/../../x", "x"));
        says("/etc/passwd (offset 0): an absolute name", Tars.of("/etc/passwd", "x"));
        says("control character", Tars.of("proc/a\nb", "x"));
        says("empty part", Tars.of("proc//b", "x"));
    }

    @Test
    void a_nul_in_a_name_ends_it() throws IOException {
        assertEquals(
                "x",
                Archive.read(file(Tars.of("proc/a\0/../../b", "x")))
                        .text("proc/a")
                        .orElseThrow());
    }

    @Test
    void hard_links_devices_pipes_and_sparse_files_are_refused() throws IOException {
        says("proc/x (offset 0): a hard link", Tars.ofType('1', "proc/x"));
        says("a device", Tars.ofType('3', "proc/x"));
        says("a device", Tars.ofType('4', "proc/x"));
        says("a pipe", Tars.ofType('6', "proc/x"));
        says("a sparse file", Tars.ofType('S', "proc/x"));
        says("an entry of type Z", Tars.ofType('Z', "proc/x"));
    }

    @Test
    void a_symbolic_link_is_left_out_and_said() throws IOException {
        byte[] tar = Tars.joined(
                Tars.entry('2', "at-0.000/proc/meminfo", ""), Tars.entry('0', "at-0.000/proc/vmstat", "x"), Tars.END);
        MemoryTree tree = Archive.read(file(tar));
        assertEquals(
                "a symbolic link in the capture, which is not followed",
                ((Absent<?>) new RecordedHost(tree).at(0).text("/proc/meminfo")).detail());
    }

    @Test
    void a_name_twice_and_a_file_in_a_file_are_refused() throws IOException {
        says("proc/a (offset 1024): a name that was there before", Tars.of("proc/a", "1", "proc/a", "2"));
        says("proc/a/b (offset 1024): lies in a file", Tars.of("proc/a", "1", "proc/a/b", "2"));
    }

    @Test
    void what_is_too_long_is_refused_before_it_is_read() throws IOException {
        says("8589934591 bytes", Tars.joined(Tars.header('0', "proc/maps", 0, "77777777777")));
        says("8 GiB or more", Tars.joined(Tars.header('0', "proc/maps", 0, "\u0080")));
        says("no octal number", Tars.joined(Tars.header('0', "proc/maps", 0, "9z")));
        says("a name of", Tars.joined(Tars.header('x', "pax", 1 << 20, null)));
        says("folders deep", Tars.of("a/".repeat(45) + "b", "x"));
    }

    @Test
    void a_bomb_of_zeros_is_refused_in_little_time_and_memory() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zstd = new ZstdOutputStreamNoFinalizer(out)) {
            zstd.write(Tars.of("proc/a", "1"));
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 2_000; i++) zstd.write(zeros);
        }
        assertTrue(out.size() < 1 << 20, "a bomb");
        says("more than 134217728 bytes", out.toByteArray());
    }

    @Test
    void a_million_empty_entries_are_refused_at_the_hundred_thousandth() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream zstd = new ZstdOutputStreamNoFinalizer(out)) {
            for (int i = 0; i < 1_000_000; i++) zstd.write(Tars.header('0', "proc/" + i, 0, null));
        }
        says("the 100001th entry; a capture has at most 100000", out.toByteArray());
    }

    @Test
    void thousands_of_instants_are_refused() throws IOException {
        byte[][] entries = new byte[5_001][];
        for (int i = 0; i < 5_000; i++) entries[i] = Tars.entry('0', "at-" + i + ".000/proc/vmstat", "a 1\n");
        entries[5_000] = Tars.END;
        says("5000 instants; a capture has at most 64", zstd(Tars.joined(entries)));
    }

    @Test
    void an_archive_that_was_cut_off_anywhere_says_so() throws IOException {
        byte[] whole = honest();
        for (int length = 0; length < whole.length; length += 37) {
            String message = refusal(Arrays.copyOf(whole, length));
            assertTrue(message.matches("(?s).*(byte \\d+|offset \\d+|expected an archive|holds nothing).*"), message);
        }
    }

    @Test
    void an_archive_with_a_flipped_bit_is_refused_with_the_place() throws IOException {
        byte[] whole = honest();
        Random random = new Random(2026);
        for (int i = 0; i < 300; i++) {
            byte[] broken = whole.clone();
            broken[5 + random.nextInt(broken.length - 5)] ^= (byte) (1 << random.nextInt(8));
            // The checksum at the end of the frame finds what the tar does not.
            String message = refusal(broken);
            assertTrue(message.matches("(?s).*(byte|offset) \\d+.*"), message);
        }
    }

    @Test
    void other_kinds_of_files_are_called_by_their_name() throws IOException {
        says("xz", new byte[] {(byte) 0xfd, '7', 'z', 'X', 'Z', 0, 0});
        says("zip", "PK\3\4................".getBytes(StandardCharsets.US_ASCII));
        says("it begins with 7f 45 4c 46", Arrays.copyOf(new byte[] {0x7f, 'E', 'L', 'F'}, 4096));
        says("0 bytes", new byte[0]);
        says("holds nothing", zstd(new byte[0]));
        says("no file in it", zstd(Tars.END));
        says("something follows", zstd(Tars.joined(Tars.of("proc/a", "1"), Tars.entry('0', "proc/b", "2"))));
    }

    @Test
    void a_gzip_that_is_broken_says_where() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(Tars.of("proc/a", "1".repeat(5_000)));
        }
        says("unpacking failed at byte", Arrays.copyOf(out.toByteArray(), out.size() - 12));
    }

    @Test
    void random_bytes_are_refused() throws IOException {
        Random random = new Random(11);
        for (int i = 0; i < 200; i++) {
            byte[] junk = new byte[random.nextInt(5_000)];
            random.nextBytes(junk);
            if (i % 2 == 0 && junk.length > 4)
                System.arraycopy(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd}, 0, junk, 0, 4);
            refusal(junk);
        }
    }
}
