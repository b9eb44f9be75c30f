// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileInputTest {
    /// The same byte for ever, up to a length.
    private static InputStream endless(int b, long length) {
        return new InputStream() {
            private long left = length;

            @Override
            public int read() {
                return left-- > 0 ? b : -1;
            }

            @Override
            public int read(byte[] bytes, int from, int wanted) {
                if (left <= 0) return -1;
                int read = (int) Math.min(wanted, left);
                Arrays.fill(bytes, from, from + read, (byte) b);
                left -= read;
                return read;
            }
        };
    }

    @Test
    void a_line_without_end_is_read_in_pieces() {
        long length = 200L << 20;
        long[] seen = {0, 0};
        ReadSummary summary;
        try (LogInput input = LogInput.open(LogSource.stream("-", endless('x', length)), Reading.OPTIONS)) {
            input.everyLine(line -> {
                seen[0] += line.text().length();
                seen[1] = Math.max(seen[1], line.text().length());
                assertEquals(1, line.number());
            });
            summary = input.summary();
        } catch (Refused e) {
            throw new AssertionError(e);
        }
        assertEquals(length, seen[0], "every byte of it");
        assertEquals(LogLine.LONGEST, seen[1]);
        assertEquals(1, summary.lines());
        assertTrue(summary.notes().getFirst().endsWith("what lies across a cut is not seen"));
    }

    @Test
    void zeros_that_a_crash_left_are_no_text_and_no_trouble() {
        String log = "\0".repeat(3 << 20) + "Killed\0\0\n" + "x".repeat(10) + "\n";
        Reading it = Reading.of(log);
        assertEquals("Killed", it.texts().get(it.texts().size() - 2));
        assertEquals(2, it.summary.lines());
    }

    @Test
    void a_reading_that_takes_too_long_can_be_ended_and_says_so() throws Refused {
        ReadOptions options = new ReadOptions(
                Reading.OPTIONS.unpackers(), Reading.OPTIONS.zone(), Reading.NOW, (_, bytes) -> bytes < 8 << 20);
        try (LogInput input = LogInput.open(LogSource.stream("-", endless('\n', Long.MAX_VALUE)), options)) {
            input.everyLine(_ -> {});
            assertFalse(input.summary().isWhole());
            assertEquals(
                    List.of("was read up to byte 8388608 only"), input.summary().notes());
        }
    }

    @Test
    void half_of_a_gzip_is_read_and_the_rest_is_said_to_be_lost() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Random random = new Random(1);
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            for (int i = 0; i < 9_000; i++)
                gzip.write(("line " + random.nextLong() + "\n").getBytes(StandardCharsets.UTF_8));
        }
        Reading it = Reading.of(Arrays.copyOf(out.toByteArray(), out.size() / 2));
        assertTrue(it.lines.size() > 3_000);
        assertFalse(it.summary.isWhole());
        assertTrue(it.summary.notes().stream()
                .anyMatch(note -> note.matches("what comes after byte \\d+ of the text \\(byte " + out.size() / 2
                        + " of the file\\) is lost: it ends in the middle.*")));
    }

    @Test
    void utf_16_from_windows_is_text_with_and_without_its_mark_and_broken_utf_8_too() {
        String text = "WARNUNG: Auslagerungsdatei zu klein ä €\r\n\uD83D\uDE00 os error 1455\r\n";
        List<String> lines = List.of("WARNUNG: Auslagerungsdatei zu klein ä €", "\uD83D\uDE00 os error 1455");
        assertEquals(
                lines,
                Reading.of(("\uFEFF" + text).getBytes(StandardCharsets.UTF_16LE))
                        .texts());
        assertEquals(
                lines,
                Reading.of(("\uFEFF" + text).getBytes(StandardCharsets.UTF_16BE))
                        .texts());
        assertEquals(lines, Reading.of(text.getBytes(StandardCharsets.UTF_16LE)).texts());
        assertEquals(lines, Reading.of(text.getBytes(StandardCharsets.UTF_16BE)).texts());
        assertEquals(lines, Reading.of("\uFEFF" + text).texts());
        assertEquals(
                List.of("caf\uFFFD \uFFFDx"),
                Reading.of("caf\u00e9 \u00ffx".getBytes(StandardCharsets.ISO_8859_1))
                        .texts());
    }

    @Test
    void what_is_no_text_is_refused_and_named() {
        byte[] random = new byte[100_000];
        new Random(3).nextBytes(random);
        random[0] = 'x';
        assertTrue(Reading.refusal(random).startsWith("is binary: of its first "));
        assertTrue(Reading.refusal("GGUF\3\0\0\0".getBytes(StandardCharsets.ISO_8859_1))
                .startsWith("is a GGUF model"));
        assertTrue(Reading.refusal("\177ELF\2\1\1".getBytes(StandardCharsets.ISO_8859_1))
                .startsWith("is a program"));
        assertTrue(Reading.refusal("LPKSHHRH\0\0".getBytes(StandardCharsets.ISO_8859_1))
                .contains("-o export"));
    }

    @Test
    void any_bytes_behind_any_beginning_are_read_without_a_failure() {
        Random random = new Random(11);
        List<String> beginnings = List.of(
                "",
                "{\"log\":\"",
                "{\"MESSAGE\":[",
                "__CURSOR=x\nMESSAGE\n",
                "2026-11-30T22:01:02Z stderr P ",
                "```\n",
                "\u001b]8;",
                "\u001b[",
                "<4>",
                "(a pid=1) ",
                "[rank0]:",
                "May 16 17:44:49 a b: ",
                "{\"__REALTIME_TIMESTAMP\":\"1\",");
        for (int i = 0; i < 3_000; i++) {
            byte[] bytes = new byte[random.nextInt(300)];
            for (int k = 0; k < bytes.length; k++)
                bytes[k] = random.nextInt(9) == 0
                        ? (byte) random.nextInt()
                        : (byte) " \n\r{}[]():\"\\0123456789abm;".charAt(random.nextInt(26));
            byte[] begin = beginnings.get(i % beginnings.size()).getBytes(StandardCharsets.UTF_8);
            byte[] all = Arrays.copyOf(begin, begin.length + bytes.length);
            System.arraycopy(bytes, 0, all, begin.length, bytes.length);
            try (LogInput input = LogInput.open(LogSource.bytes("x", all), Reading.OPTIONS)) {
                input.everyLine(
                        line -> assertTrue(line.text().chars().noneMatch(c -> c < ' ' && c != '\t'), line.text()));
            } catch (Refused e) {
                assertTrue(e.getMessage().startsWith("is "), e.getMessage());
            }
        }
    }

    @Test
    void a_folder_gives_its_files_by_name_once_each_and_no_pipes_or_circles(@TempDir Path folder) throws Exception {
        Files.createDirectories(folder.resolve("pods/a"));
        Files.writeString(folder.resolve("pods/a/0.log"), "x");
        Files.writeString(folder.resolve("b.log"), "x");
        Files.createSymbolicLink(folder.resolve("pods/circle"), folder);
        Files.createSymbolicLink(folder.resolve("a-link.log"), folder.resolve("b.log"));
        Files.createSymbolicLink(folder.resolve("nowhere"), folder.resolve("nothing"));
        assertEquals(
                0,
                new ProcessBuilder("mkfifo", folder.resolve("pipe").toString())
                        .start()
                        .waitFor());
        LogFiles files = LogFiles.of(folder);
        assertEquals(2, files.sources().size());
        assertTrue(files.sources().getLast().name().endsWith("pods/a/0.log"));
        assertEquals(
                List.of(
                        "2 links to folders, pipes, devices or deeper folders are left out",
                        "1 entries may not be read by this user"),
                files.notes());
        assertTrue(assertThrows(Refused.class, () -> LogFiles.of(folder.resolve("pipe")))
                .getMessage()
                .startsWith("is a pipe"));
        assertTrue(assertThrows(Refused.class, () -> LogFiles.of(Path.of("/dev/zero")))
                .getMessage()
                .startsWith("is a pipe"));
        assertEquals(
                "is not there",
                assertThrows(Refused.class, () -> LogFiles.of(folder.resolve("no")))
                        .getMessage());
    }

    @Test
    void of_very_many_files_the_newest_are_read(@TempDir Path folder) throws Exception {
        for (int i = 0; i < LogFiles.MOST + 20; i++) Files.createFile(folder.resolve("f" + i));
        LogFiles files = LogFiles.of(folder);
        assertEquals(LogFiles.MOST, files.sources().size());
        assertEquals(List.of("has 1020 files: the 1000 that were written last are read"), files.notes());
    }
}
