// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Host;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Seconds;
import org.junit.jupiter.api.Test;

class PressureStallTest {
    @Test
    void both_lines_are_read_in_whichever_order_they_stand() {
        // Linux 5.15, Ubuntu 22.04
        String text = """
                full avg10=44.07 avg60=21.00 avg300=6.50 total=27312448
                some avg10=51.24 avg60=24.31 avg300=7.77 total=31875120
                """;
        PressureStall io = PressureStall.parse("/proc/pressure/io", text).orThrow();
        assertEquals(new Seconds(31.875120), io.some());
        assertEquals(new Seconds(27.312448), io.full());
    }

    @Test
    void the_cpu_has_no_full_line_before_5_13_and_zeros_after() {
        // Linux 4.20, then 6.18
        assertEquals(
                PressureStall.parse("c", "some avg10=0.00 avg60=0.00 avg300=0.00 total=805408020\n"),
                PressureStall.parse(
                        "c",
                        "some avg10=4.47 avg60=3.67 avg300=7.20 total=805408020\n"
                                + "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"));
    }

    @Test
    void each_resource_is_read_from_its_own_file() {
        var host = Recorded.host(
                "proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n",
                "proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=2000000\n",
                "proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=3000000\n");
        assertEquals(
                1,
                PressureStall.MEMORY.read(host, Host.THE_HOST).orThrow().some().seconds());
        assertEquals(
                2, PressureStall.IO.read(host, Host.THE_HOST).orThrow().some().seconds());
        assertEquals(
                3, PressureStall.CPU.read(host, Host.THE_HOST).orThrow().some().seconds());
    }

    @Test
    void half_a_file_is_malformed_when_it_lacks_what_everything_hangs_on() {
        assertEquals(AbsentCause.MALFORMED, causeOf(PressureStall.parse("m", "some avg10=0.27 avg60=1.04 avg3")));
        assertEquals(AbsentCause.MALFORMED, causeOf(PressureStall.parse("m", "full avg10=0 avg60=0 avg300=0 total=7")));
        assertEquals(AbsentCause.MALFORMED, causeOf(PressureStall.parse("m", "some total=many\n")));
    }

    @Test
    void a_kernel_without_it_is_told_from_one_where_it_is_off() {
        assertEquals(AbsentCause.NOT_CONFIGURED, causeOf(PressureStall.parse("m", "\n")));
        var old = Recorded.host("recorded/absent", "/proc/pressure\tnot-on-this-kernel\tno such file\n");
        assertEquals(AbsentCause.NOT_ON_THIS_KERNEL, causeOf(PressureStall.MEMORY.read(old, Host.THE_HOST)));
    }
}
