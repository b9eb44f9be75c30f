// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HostProgramsTest {
    private static boolean weAreRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private static Path open(Path path, String permissions) throws IOException {
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void a_program_of_the_system_is_found_and_its_output_comes_back() {
        assertTrue(HostPrograms.find("sh").isPresent());
        assertEquals(Optional.of("hello\n"), HostPrograms.output(List.of("sh", "-c", "echo hello; echo no >&2"), 10));
        assertEquals(Optional.empty(), HostPrograms.find("no-such-program-anywhere"));
        assertEquals(Optional.empty(), HostPrograms.output(List.of("no-such-program-anywhere"), 10));
    }

    @Test
    void nothing_of_our_environment_is_handed_on() {
        String environment = HostPrograms.output(List.of("env"), 10).orElseThrow();
        // PWD, SHLVL and _ are what a shell or the C library would add; env adds nothing.
        assertEquals("LC_ALL=C PATH=/usr/bin:/bin", environment.lines().sorted().collect(Collectors.joining(" ")));
        assertEquals(Optional.of("/\n"), HostPrograms.output(List.of("pwd"), 10));
        assertEquals(Optional.of(""), HostPrograms.output(List.of("cat"), 10), "standard input is empty");
    }

    @Test
    void one_that_fails_has_no_answer() {
        assertEquals(Optional.empty(), HostPrograms.output(List.of("sh", "-c", "echo half; exit 3"), 10));
    }

    @Test
    void one_that_takes_too_long_is_ended_with_its_children() throws InterruptedException {
        String mark = "30." + System.nanoTime();
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            assertEquals(Optional.empty(), HostPrograms.output(List.of("sleep", mark), 1));
            assertEquals(Optional.empty(), HostPrograms.output(List.of("sh", "-c", "sleep " + mark + "; echo x"), 1));
        });
        Thread.sleep(300);
        assertFalse(ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().orElse("").contains(mark)));
    }

    @Test
    void a_child_that_holds_the_pipe_open_hangs_nobody() {
        long start = System.nanoTime();
        assertTimeoutPreemptively(
                Duration.ofSeconds(10), () -> HostPrograms.output(List.of("sh", "-c", "sleep 7 & echo started"), 1));
        assertTrue(System.nanoTime() - start < 5_000_000_000L);
    }

    @Test
    void one_that_never_stops_talking_is_cut_off_at_once() {
        assertTimeoutPreemptively(
                Duration.ofSeconds(8), () -> assertEquals(Optional.empty(), HostPrograms.output(List.of("yes"), 20)));
        assertEquals(
                1_000_000,
                HostPrograms.output(List.of("head", "-c", "1000000", "/dev/zero"), 10)
                        .orElseThrow()
                        .length());
    }

    @Test
    void what_others_may_write_to_is_not_roots_alone(@TempDir Path folder) throws IOException {
        assumeTrue(weAreRoot(), "only root can make a file of root");
        // Below / itself: /tmp, in which the folder of this test lies, is open to everybody.
        assertFalse(HostPrograms.isRootsAlone(open(folder, "rwxr-xr-x")), "everybody may rename what lies in /tmp");
        Path safe = Files.createTempDirectory(Path.of("/root"), "ullage-test");
        try {
            Path bin = Files.createDirectory(safe.resolve("bin"));
            Path program = Files.createFile(bin.resolve("program"));
            open(safe, "rwxr-xr-x");
            open(bin, "rwxr-xr-x");
            open(program, "rwxr-xr-x");
            assertTrue(HostPrograms.isRootsAlone(program));
            for (String others : new String[] {"rwxrwxr-x", "rwxr-xrwx"}) {
                open(program, others);
                assertFalse(HostPrograms.isRootsAlone(program), others);
                open(program, "rwxr-xr-x");
                open(bin, others);
                assertFalse(HostPrograms.isRootsAlone(program), "its folder " + others);
                open(bin, "rwxr-xr-x");
                open(safe, others);
                assertFalse(HostPrograms.isRootsAlone(program), "the folder above " + others);
                open(safe, "rwxr-xr-x");
            }
            Path link = Files.createSymbolicLink(bin.resolve("link"), Files.createFile(folder.resolve("elsewhere")));
            assertFalse(HostPrograms.isRootsAlone(link), "where a link leads counts");
            Files.setAttribute(program, "unix:uid", 65534);
            assertFalse(HostPrograms.isRootsAlone(program), "it is nobody's");
            assertFalse(HostPrograms.isRootsAlone(bin.resolve("nothing")));
            Files.delete(link);
            Files.delete(program);
            Files.delete(bin);
        } finally {
            Files.delete(safe);
        }
    }
}
