// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ullage.host.Focus;
import dev.ullage.host.FolderTree;
import dev.ullage.host.HostileText;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.SmallHost;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Seconds;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class CaptureFolderTest {
    @TempDir
    private Path top;

    private Path capture;

    @BeforeEach
    void aCapture() throws IOException {
        capture = top.resolve("gpu7");
        CaptureFolder.write(capture, tree(), false);
    }

    private static TreeMap<String, String> tree() {
        TreeMap<String, String> tree = new TreeMap<>(SmallHost.files());
        tree.put(CaptureNote.FILE, new CaptureNote("0.1.0", Focus.EVERYTHING, "gpu7").text());
        return tree;
    }

    private void refused(String expected) {
        String message = assertThrows(BadCapture.class, () -> CaptureFolder.read(capture))
                .getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void what_was_written_is_read_again_and_nobody_else_may_look() throws IOException {
        assertEquals(tree(), CaptureFolder.read(capture).texts());
        assertTrue(CaptureFolder.isOne(capture));
        assertEquals("rwx------", mode("at-0.000/proc"));
        assertEquals("rw-------", mode("at-0.000/proc/vmstat"));
        try (var files = Files.list(top)) {
            assertEquals(1, files.count(), "nothing is left beside it");
        }
    }

    private String mode(String path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(capture.resolve(path)));
    }

    @Test
    void a_capture_is_replaced_by_force_only_and_other_folders_never() throws IOException {
        String message = assertThrows(BadCapture.class, () -> CaptureFolder.write(capture, tree(), false))
                .getMessage();
        assertTrue(message.contains("--force"), message);
        CaptureFolder.write(capture, new TreeMap<>(Map.of(CaptureNote.FILE, "format 1\n")), true);
        assertEquals(1, CaptureFolder.read(capture).texts().size());
        Path home = Files.createDirectory(top.resolve("home"));
        CaptureFolder.write(home, tree(), false);
        Path thesis = Files.createDirectories(top.resolve("work")).resolve("thesis");
        Files.writeString(thesis, "years");
        for (Path path : new Path[] {thesis.getParent(), thesis})
            assertThrows(BadCapture.class, () -> CaptureFolder.write(path, tree(), true));
        assertEquals("years", Files.readString(thesis));
        assertThrows(BadCapture.class, () -> CaptureFolder.write(top.resolve("no/such/x"), tree(), false));
    }

    @Test
    void links_in_out_and_absolute_are_left_out_and_said() throws IOException {
        Files.delete(capture.resolve("at-0.000/proc/meminfo"));
        Files.delete(capture.resolve("at-3.000/proc/meminfo"));
        Path secret = Files.writeString(top.resolve("secret"), "MemTotal: 7 kB");
        Files.createSymbolicLink(capture.resolve("at-0.000/proc/meminfo"), secret);
        Files.createSymbolicLink(capture.resolve("at-0.000/proc/up"), Path.of("../../.."));
        Files.createSymbolicLink(capture.resolve("at-0.000/proc/loop"), Path.of("."));
        Files.createSymbolicLink(capture.resolve("at-0.000/proc/etc"), Path.of("/etc"));
        RecordedHost host = new RecordedHost(CaptureFolder.read(capture));
        assertEquals(
                "a symbolic link in the capture, which is not followed",
                ((Absent<?>) host.at(1).text("/proc/meminfo")).detail());
        assertFalse(host.at(0).text("/proc/etc/passwd").isPresent());
    }

    @Test
    void a_pipe_is_refused_and_nobody_waits_for_it() throws Exception {
        Path pipe = capture.resolve("at-0.000/proc/pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "mkfifo is not there");
        refused("at-0.000/proc/pipe: a device, pipe or socket");
    }

    @Test
    void a_device_is_refused() throws Exception {
        Path device = capture.resolve("at-0.000/proc/null");
        assumeTrue(
                new ProcessBuilder("mknod", device.toString(), "c", "1", "3")
                                .start()
                                .waitFor()
                        == 0,
                "mknod needs root");
        refused("at-0.000/proc/null: a device, pipe or socket");
    }

    @Test
    void a_file_of_10_gigabytes_is_refused_before_it_is_read() throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(capture.resolve("at-0.000/proc/vmstat").toFile(), "rw")) {
            file.setLength(10_000_000_000L);
        }
        refused("at-0.000/proc/vmstat: 10000000000 bytes; a file of a capture has at most 8388608");
    }

    @Test
    void too_much_text_in_all_is_refused() throws IOException {
        for (int i = 0; i < 4; i++) {
            try (RandomAccessFile file =
                    new RandomAccessFile(capture.resolve("at-0.000/proc/x" + i).toFile(), "rw")) {
                file.setLength(8 << 20);
            }
        }
        refused("more than 25165824 bytes");
    }

    @Test
    void thousands_of_instants_and_lines_without_end_are_refused() throws IOException {
        Files.writeString(capture.resolve("recorded/stat"), "/a\tb\n".repeat(300_000));
        refused("recorded/stat: with it there are more than 200000 lines");
        Files.delete(capture.resolve("recorded/stat"));
        for (int i = 0; i < 3_000; i++)
            Files.writeString(
                    Files.createDirectory(capture.resolve("at-" + (i + 10))).resolve("x"), "");
        refused("3002 instants; a capture has at most 64");
    }

    @Test
    void folders_without_end_are_refused() throws IOException {
        Files.createDirectories(capture.resolve("at-0.000/" + "d/".repeat(60)));
        refused("folders deep; a capture has at most 40");
    }

    @Test
    void a_name_with_a_newline_is_refused_and_shown_escaped() throws IOException {
        Files.writeString(capture.resolve("at-0.000/a\n\u001b[31mb"), "");
        refused("at-0.000/a\\x0a\\x1b[31mb: a name with a control character");
    }

    @Test
    void a_folder_of_a_hundred_thousand_names_is_no_copy_of_proc() throws IOException {
        Path proc = Files.createDirectories(top.resolve("many/proc"));
        for (int i = 0; i <= 50_000; i++) Files.createFile(proc.resolve("x" + i));
        String message = assertThrows(BadCapture.class, () -> new FolderTree(top.resolve("many")).names("proc"))
                .getMessage();
        assertEquals("/proc: more than 50000 names in one folder", message);
    }

    @Test
    void junk_in_every_file_is_no_mistake_of_ours() throws IOException {
        for (String junk : HostileText.ALL.subList(0, 30)) {
            TreeMap<String, String> tree = tree();
            tree.replaceAll((path, text) -> path.equals(CaptureNote.FILE) ? text : junk);
            CaptureFolder.write(capture, tree, true);
            assertFalse(Sampler.replay(new RecordedHost(CaptureFolder.read(capture)), Focus.EVERYTHING)
                            .hasWindow()
                    && junk.isEmpty());
        }
    }

    @Test
    void a_later_format_is_refused_by_name_and_a_note_without_one_is_none() throws IOException {
        Files.writeString(capture.resolve(CaptureNote.FILE), "format 2\nullage 3.1.0\n");
        refused("recorded/capture: format 2, taken by ullage 3.1.0; this ullage reads formats up to 1");
        Files.writeString(capture.resolve(CaptureNote.FILE), "\0\0");
        refused("no line \"format <number>\"");
    }

    @Test
    void a_note_keeps_the_question() {
        Focus focus = new Focus(Optional.of(812), Optional.of("/a b\nc"), Optional.of("/m"), new Seconds(60));
        CaptureNote note = new CaptureNote("0.1.0", focus, "gpu7");
        assertEquals(note, CaptureNote.parse(note.text()));
    }
}
