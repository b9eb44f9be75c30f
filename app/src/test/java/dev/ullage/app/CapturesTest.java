// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Captures as a user of the command line meets them.
@Timeout(60)
class CapturesTest {
    @TempDir
    private Path folder;

    private record Said(int status, String out, String err) {}

    private static Said run(String... arguments) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
        try {
            int status = Main.run(arguments);
            return new Said(status, said.toString(StandardCharsets.UTF_8), complained.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private static String formatOne() {
        try {
            return Path.of(CapturesTest.class
                            .getResource("/captures/format-1.tar.zst")
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void the_first_archive_there_was_is_still_read() {
        Said said = run("diagnose", "--host", formatOne(), "--json");
        assertTrue(said.status <= 2, said.err);
        for (String part : new String[] {
            "\"kind\" : \"capture\"", "\"name\" : \"gpu7\"", "\"engine\" : \"llama.cpp\"", "\"pid\" : 812"
        }) assertTrue(said.out.contains(part), said.out);
    }

    @Test
    void a_capture_gives_the_report_again_to_the_byte_as_folder_and_as_archive() throws IOException {
        for (String name : new String[] {"a", "b.tar.zst", "c.tar.gz"})
            for (String form : new String[] {"--json", "-v"}) {
                String path = folder.resolve(name).toString();
                Said taken = run("capture", path, "--for", "300ms", "--force", form);
                assertTrue(taken.status <= 2, taken.err);
                Said read = run("diagnose", "--host", path, form);
                assertEquals(taken.out, read.out);
                assertEquals(taken.status, read.status);
            }
        assertFalse(Files.readString(folder.resolve("a/recorded/capture")).isEmpty());
    }

    @Test
    void the_question_travels_with_the_capture() {
        String me = String.valueOf(ProcessHandle.current().pid());
        String path = folder.resolve("q").toString();
        // Ullage leaves itself out, so that it asks about its parent.
        String parent = ProcessHandle.current()
                .parent()
                .map(p -> String.valueOf(p.pid()))
                .orElse(me);
        Said taken = run("capture", path, "--once", "--pid", parent, "--since", "1m", "--json");
        assertEquals(taken.out, run("diagnose", "--host", path, "--json").out, taken.err);
        Said other = run("diagnose", "--host", path, "--pid", "4194301");
        assertEquals(Exit.NOT_THERE, other.status);
    }

    @Test
    void a_question_nobody_can_answer_leaves_no_capture() {
        Path path = folder.resolve("none");
        assertEquals(Exit.NOT_THERE, run("capture", path.toString(), "--once", "--pid", "4194301").status);
        assertFalse(Files.exists(path));
    }

    @Test
    void what_is_in_the_way_is_said_before_the_window() throws IOException {
        Path file = Files.writeString(folder.resolve("x.tar.zst"), "mine");
        Said said = run("capture", file.toString(), "--for", "30s");
        assertEquals(Exit.NOT_THERE, said.status);
        assertTrue(said.err.contains("--force"), said.err);
        assertEquals("mine", Files.readString(file));
    }

    @Test
    void a_capture_without_a_name_and_a_redacted_capture_are_wrong_usage() {
        assertEquals(Exit.WRONG_USAGE, run("capture").status);
        assertEquals(Exit.WRONG_USAGE, run("capture", "").status);
        assertEquals(Exit.WRONG_USAGE, run("diagnose", "--redact", "--host", formatOne()).status);
        assertEquals(Exit.FINE, run("capture", "--help").status);
    }

    @Test
    void what_is_no_capture_is_refused_with_status_65() throws IOException {
        Path junk = Files.writeString(folder.resolve("junk.tar.zst"), "x".repeat(2_000));
        Path empty = Files.createDirectory(folder.resolve("empty"));
        for (String path : new String[] {
            junk.toString(), empty.toString(), folder.resolve("no").toString(), "/dev/null"
        }) {
            Said said = run("diagnose", "--host", path);
            assertEquals(Exit.NOT_UNDERSTOOD, said.status, path);
            assertTrue(said.err.contains("expected") || said.err.contains("offset"), said.err);
        }
    }
}
