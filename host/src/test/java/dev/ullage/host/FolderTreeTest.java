// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class FolderTreeTest {
    @TempDir
    private Path top;

    private FolderTree tree() throws IOException {
        Files.createDirectories(top.resolve("root/proc"));
        Files.writeString(top.resolve("root/proc/meminfo"), "MemTotal: 1 kB\n");
        Files.writeString(top.resolve("secret"), "password");
        return new FolderTree(top.resolve("root"));
    }

    @Test
    void dots_and_slashes_do_not_lead_out() throws IOException {
        FolderTree tree = tree();
        for (String path : List.of("../secret", "proc/../../secret", "/../secret", "proc/..//../secret", ".."))
            assertEquals(Optional.empty(), tree.text(path), path);
        assertEquals(List.of(), tree.names(".."));
        assertEquals(List.of(), tree.names("proc/../.."));
        assertEquals(Optional.of("MemTotal: 1 kB\n"), tree.text("/proc//./meminfo"));
        assertEquals(List.of("proc"), tree.names(""));
    }

    @Test
    void links_are_not_followed_wherever_they_stand() throws IOException {
        FolderTree tree = tree();
        Files.createSymbolicLink(top.resolve("root/file"), top.resolve("secret"));
        Files.createSymbolicLink(top.resolve("root/up"), Path.of(".."));
        Files.createSymbolicLink(top.resolve("root/proc/self"), Path.of("/proc/self"));
        for (String path : List.of("file", "up/secret", "proc/self/environ", "proc/self/cwd/x"))
            assertEquals(Optional.empty(), tree.text(path), path);
        for (String path : List.of("up", "up/root", "proc/self", "proc/self/fd"))
            assertEquals(List.of(), tree.names(path), path);
    }

    @Test
    void a_capture_may_itself_be_reached_through_a_link() throws IOException {
        tree();
        Path link = Files.createSymbolicLink(top.resolve("link"), top.resolve("root"));
        assertEquals(Optional.of("MemTotal: 1 kB\n"), new FolderTree(link).text("proc/meminfo"));
    }

    @Test
    void a_pipe_and_a_folder_are_no_files() throws IOException, InterruptedException {
        FolderTree tree = tree();
        Path pipe = top.resolve("root/pipe");
        assertEquals(Optional.empty(), tree.text("proc"));
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "mkfifo is not there");
        assertEquals(Optional.empty(), tree.text("pipe"));
    }

    @Test
    void a_sparse_file_of_10_gigabytes_is_read_to_its_limit_only() throws IOException {
        FolderTree tree = tree();
        try (RandomAccessFile file =
                new RandomAccessFile(top.resolve("root/maps").toFile(), "rw")) {
            file.setLength(10_000_000_000L);
        }
        assertEquals(FolderTree.LONGEST, tree.text("maps").orElseThrow().length());
    }

    @Test
    void bytes_that_are_no_text_are_text_all_the_same() throws IOException {
        FolderTree tree = tree();
        Files.write(top.resolve("root/odd"), new byte[] {(byte) 0xff, 0, 'a'});
        assertTrue(tree.text("odd").orElseThrow().endsWith("\0a"));
    }

    @Test
    void a_path_that_no_file_can_have_is_not_there() throws IOException {
        // It can come out of the capture itself: the target of a cwd, a folder on a command line.
        FolderTree tree = tree();
        assertEquals(Optional.empty(), tree.text("x".repeat(5000)));
        assertEquals(Optional.empty(), tree.text("proc/a\0b"));
        assertEquals(List.of(), tree.names("proc/a\0b"));
    }
}
