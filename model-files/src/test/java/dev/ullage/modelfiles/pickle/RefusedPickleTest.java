// SPDX-License-Identifier: Apache-2.0
package dev.ullage.modelfiles.pickle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.Reading;
import dev.ullage.modelfiles.MemoryDump;
import dev.ullage.modelfiles.OtherPickle;
import dev.ullage.modelfiles.Python;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusedPickleTest {
    private static Reading<MemoryDump> read(byte[] bytes) {
        return assertTimeout(
                Duration.ofSeconds(5), () -> MemoryDump.read("crash.pickle", new ByteArrayInputStream(bytes)));
    }

    private static Reading<MemoryDump> read(String latin1) {
        return read(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Reading.Absent<MemoryDump> refused(Reading<MemoryDump> reading) {
        return assertInstanceOf(Reading.Absent.class, reading, () -> "was read: " + reading)
                        instanceof Reading.Absent<?> a
                ? new Reading.Absent<>(a.source(), a.cause(), a.detail())
                : null;
    }

    private static void assertRefused(String latin1, String where, String found) {
        Reading.Absent<MemoryDump> absent = refused(read(latin1));
        assertEquals("crash.pickle, " + where, absent.source());
        assertTrue(absent.detail().contains(found), absent.detail());
    }

    @Test
    void a_pickle_that_would_run_a_command_is_shown_and_runs_nothing(@TempDir Path folder) {
        Path proof = folder.resolve("proof");
        String script = """
                import pickle, os, sys
                class Evil:
                    def __reduce__(self): return (os.system, ('touch %s',))
                sys.stdout.buffer.write(pickle.dumps([Evil()], %d))
                """;
        for (int protocol = 0; protocol <= 5; protocol++) {
            byte[] evil = Python.run(script.formatted(proof, protocol));
            OtherPickle other = assertInstanceOf(OtherPickle.class, read(evil).orThrow());
            String shown = String.join("\n", other.shown());
            assertTrue(shown.contains(".system('touch "), shown);
            assertTrue(shown.contains("ullage did not"), shown);
            assertFalse(Files.exists(proof));
        }
    }

    @Test
    void what_only_the_writers_program_could_make_sense_of_is_refused_with_opcode_and_offset() {
        assertRefused("\u0080\u0002X\1\0\0\0sQ.", "byte 8 (BINPERSID)", "found a persistent id");
        assertRefused("Pstorage\n.", "byte 0 (PERSID)", "found the persistent id \"storage\"");
        assertRefused("(ios\nsystem\n.", "byte 1 (INST)", "an instance of \"os\".\"system\"");
        assertRefused("\u0080\u0002\u0082\1.", "byte 2 (EXT1)", "an extension code");
        assertRefused("\u0080\5\u0097.", "byte 2 (NEXT_BUFFER)", "stored beside the pickle");
        assertRefused("\u0080\4N(o.", "byte 4 (OBJ)", "class of Python 1");
    }

    @Test
    void what_is_no_pickle_is_refused_where_it_stops_being_one() {
        assertRefused("\u0080\u0009N.", "byte 0 (PROTO)", "pickle protocol 9");
        assertRefused("\u0080\4N\u00ff.", "byte 3 (no opcode)", "found byte 0xff");
        assertRefused("\u0080\4h\7.", "byte 2 (BINGET)", "a reference to memo number 7");
        assertRefused("\u0080\4a.", "byte 2 (APPEND)", "nothing on the stack");
        assertRefused("\u0080\4NNa.", "byte 4 (APPEND)", "found None or a truth value, expected a list");
        assertRefused("\u0080\4t.", "byte 2 (TUPLE)", "no mark on the stack");
        assertRefused("\u0080\4}(Nu.", "byte 5 (SETITEMS)", "a key without a value");
        assertRefused("\u0080\4NN.", "byte 4 (STOP)", "values left over");
        assertRefused("Iseven\n.", "byte 0 (INT)", "found \"seven\", expected a whole number");
        assertRefused("", "byte 0 (no opcode)", "the end of the file");
    }

    @Test
    void lengths_that_cannot_be_are_not_believed() {
        String longest = "\u00ff".repeat(7) + "\u007f";
        assertRefused("\u0080\4\u008d" + longest + "a", "byte 2 (BINUNICODE8)", "text of 9223372036854775807 bytes");
        assertRefused("\u0080\4\u008d" + "\u00ff".repeat(8), "byte 2 (BINUNICODE8)", "18446744073709551615 bytes");
        assertRefused("\u0080\4\u008e" + longest + "a", "byte 2 (BINBYTES8)", "the end of the file");
        assertRefused("\u0080\5\u0096" + "\u00ff".repeat(8), "byte 2 (BYTEARRAY8)", "2^63 bytes");
        assertRefused("\u0080\4\u008b\u00ff\u00ff\u00ff\u007f", "byte 2 (LONG4)", "a number of 2147483647 bytes");
        assertRefused("\u0080\4Nr\u00ff\u00ff\u00ff\u00ff.", "byte 3 (LONG_BINPUT)", "memo number 4294967295");
        assertRefused("\u0080\4X\0\0\0\4abc", "byte 2 (BINUNICODE)", "text of 67108864 bytes");
        assertRefused("I" + "9".repeat(5000) + "\n.", "byte 0 (INT)", "a number of 5000 digits");
        assertRefused("c" + "9".repeat(100_000), "byte 0 (GLOBAL)", "a line of more than 65536 bytes");
    }

    @Test
    void data_that_grows_a_thousand_million_fold_is_cut_off() {
        // Each list holds the one before it a thousand times; 60 levels of it, and every leaf is reached 1000^60 ways.
        StringBuilder laughs = new StringBuilder("\u0080\4]\u00940");
        for (int level = 0; level < 60; level++)
            laughs.append("](").repeat("h" + (char) level, 1000).append("e\u00940");
        OtherPickle other = assertInstanceOf(
                OtherPickle.class, read(laughs.append("h;.").toString()).orThrow());
        assertTrue(other.shown().size() < 10);
        // One list that is put into itself and doubled by DUP: a byte an item.
        assertRefused("\u0080\4]" + "(" + "2".repeat(20_000_000), "byte 4 (DUP)", "nothing on the stack");
        assertTrue(refused(read("\u0080\4](" + "N".repeat(20_000_000))).detail().contains("128.0 MiB of memory"));
        assertTrue(refused(read("\u0080\4" + "]".repeat(3_000_000))).detail().contains("128.0 MiB of memory"));
    }

    @Test
    void nesting_and_circles_are_bounded() {
        assertRefused(
                "\u0080\4" + "]".repeat(600) + "a".repeat(599) + ".", "byte 1102 (APPEND)", "nested more than 500");
        assertRefused("\u0080\4" + "](".repeat(100_000), "byte 2051 (MARK)", "open marks");
        assertInstanceOf(OtherPickle.class, read("\u0080\4]\u0094h\0a.").orThrow());
        assertInstanceOf(
                OtherPickle.class, read("\u0080\4}\u0094\u008c\1ah\0s.").orThrow());
        StringBuilder circles = new StringBuilder("\u0080\4]\u0094");
        circles.repeat("h\0a", 1000).append('.');
        assertTrue(refused(read(circles.toString())).detail().contains("nested more than 500"));
    }

    @Test
    void a_pickle_cut_off_at_any_byte_says_so() {
        byte[] whole = Python.run("""
                import pickle, sys
                frames = [{'filename': 'a.py', 'line': 3, 'name': 'f'}]
                block = {'size': 512, 'state': 'active_allocated', 'frames': frames, 'requested_size': 500}
                segment = {'device': 0, 'total_size': 2097152, 'stream': 0, 'blocks': [block], 'segment_type': 'small'}
                event = {'action': 'alloc', 'size': 512, 'addr': 2**47, 'time_us': 2**50, 'frames': frames}
                data = {'segments': [segment] * 2 and [segment], 'device_traces': [[event, dict(event)], []]}
                sys.stdout.buffer.write(pickle.dumps(data, 4) + pickle.dumps(data, 0) + pickle.dumps(data, 2))
                """);
        int at = 0;
        for (int part = 0; part < 3; part++) {
            byte[] rest = java.util.Arrays.copyOfRange(whole, at, whole.length);
            int length = (int) Pickle.read("x", new ByteArrayInputStream(rest))
                    .orThrow()
                    .length()
                    .bytes();
            assertTrue(read(java.util.Arrays.copyOf(rest, length)).isPresent());
            for (int cut = 0; cut < length; cut++) {
                String detail =
                        refused(read(java.util.Arrays.copyOf(rest, cut))).detail();
                assertTrue(detail.contains("the end of the file"), "cut at " + cut + ": " + detail);
            }
            at += length;
        }
        assertEquals(whole.length, at);
    }

    @Test
    void a_dict_that_grows_while_it_is_used_is_read_in_linear_time() {
        ByteArrayOutputStream grown = new ByteArrayOutputStream();
        grown.writeBytes("\u0080\4]\u0094}\u0094".getBytes(StandardCharsets.ISO_8859_1));
        for (int i = 0; i < 100_000; i++)
            grown.writeBytes(("X\7\0\0\0" + (1_000_000 + i) + "Nsah\0h\1").getBytes(StandardCharsets.ISO_8859_1));
        Reading<MemoryDump> reading = read(grown.toByteArray());
        assertTrue(refused(reading).detail().contains("found"));
    }

    @Test
    void control_characters_of_a_file_do_not_reach_the_terminal() {
        OtherPickle other = assertInstanceOf(
                OtherPickle.class,
                read("cos\u001b[31m\nsystem\n(S'\\x1b]0;x'\ntR.").orThrow());
        assertFalse(
                String.join("", other.shown()).contains("\u001b"), other.shown().toString());
    }
}
