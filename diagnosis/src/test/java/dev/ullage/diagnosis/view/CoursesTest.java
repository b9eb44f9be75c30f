// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.rules.CalmHost;
import dev.ullage.diagnosis.view.Course.Line;
import dev.ullage.host.Evidence;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.Quantity;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Seconds;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CoursesTest {
    private final Evidence evidence = LongWindow.ofSeconds(4);

    private static Line line(Course course, String name) {
        return course.lines().stream()
                .filter(l -> l.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + course.lines()));
    }

    private static void isAlways(Quantity quantity, Line line, int times) {
        assertEquals(times, line.values().size());
        line.values().forEach(v -> assertEquals(Optional.of(quantity), v));
    }

    @Test
    void amounts_are_known_at_each_instant() {
        Course memory = new Courses(evidence).memory();
        assertFalse(memory.isPerInterval());
        assertEquals(
                List.of(0.0, 1.0, 2.0, 3.0, 4.0),
                memory.at().stream().map(Seconds::seconds).toList());
        assertEquals(
                Optional.of(Bytes.ofKiB(52_428_800)), line(memory, "available").most());
        assertEquals(
                Optional.of(Bytes.ofKiB(52_428_800 - 4096)),
                line(memory, "available").last());
        assertEquals(Optional.of(Bytes.NONE), line(memory, "swap used").least());
    }

    @Test
    void rates_and_shares_are_known_between_two_instants() {
        Courses courses = new Courses(evidence);
        Course pressure = courses.pressure();
        assertTrue(pressure.isPerInterval());
        assertEquals(
                List.of(1.0, 2.0, 3.0, 4.0),
                pressure.at().stream().map(Seconds::seconds).toList());
        assertEquals(Seconds.NONE, pressure.begin());
        isAlways(new Ratio(0.25), line(pressure, "io some"), 4);
        isAlways(new Ratio(0.125), line(pressure, "io full"), 4);
        isAlways(new BytesPerSecond(64 * 4096), line(courses.swapping(), "swapped in"), 4);
    }

    @Test
    void a_disk_has_throughput_and_waits() {
        Courses courses = new Courses(evidence);
        isAlways(BytesPerSecond.ofMiB(10), line(courses.throughput("259:0", "nvme0n1"), "read"), 4);
        Course await = courses.await("259:0", "nvme0n1");
        isAlways(Seconds.ofMillis(0.5), line(await, "a read"), 4);
        assertTrue(await.lines().stream().noneMatch(l -> l.name().equals("a write")), "no write was served");
    }

    @Test
    void without_swap_no_line_says_how_much_of_it_is_used() {
        Course memory = new Courses(new CalmHost().evidence()).memory();
        assertTrue(memory.lines().stream().noneMatch(l -> l.name().equals("swap used")));
    }

    @Test
    void counters_that_start_again_make_no_negative_rate() {
        Evidence reset = new CalmHost()
                .with("at-1.000/proc/vmstat", "pgmajfault 1\npswpin 50000\npswpout 50000\n")
                .with("at-3.000/proc/vmstat", "pgmajfault 1\npswpin 10\npswpout 10\n")
                .evidence();
        for (Line line : new Courses(reset).swapping().lines())
            assertTrue(line.least().orElseThrow().value() >= 0, line::toString);
    }

    @Test
    void what_is_not_there_has_no_lines_and_what_rests_is_quiet() {
        Courses courses = new Courses(new CalmHost().without("proc/pressure/").evidence());
        assertTrue(courses.pressure().isEmpty());
        assertTrue(courses.swapping().isQuiet());
        assertFalse(courses.memory().isQuiet());
    }

    @Test
    void the_disk_of_the_models_is_looked_at_and_without_a_server_the_busiest() {
        assertEquals(
                List.of(new DisksInUse("259:0", "nvme0n1", "holds qwen3-8b-q4_k_m.gguf")), DisksInUse.of(evidence));
        Evidence noServer = new CalmHost()
                .withoutAtAnyInstant("proc/812/")
                .with("at-3.000/proc/diskstats", " 259 0 nvme0n1 100009 0 20999999 20000 5000 0 400000 2000 0 1 2\n")
                .evidence();
        assertEquals(List.of(new DisksInUse("259:0", "nvme0n1", "the busiest disk")), DisksInUse.of(noServer));
        assertEquals(
                List.of(),
                DisksInUse.of(new CalmHost().withoutAtAnyInstant("proc/812/").evidence()));
    }
}
