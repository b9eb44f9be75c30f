// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.HostRoot;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Seconds;
import java.util.List;
import org.junit.jupiter.api.Test;

/// [CgroupPressure] and [CgroupMembers], and [CpuCgroup] where its controller is off.
class SmallCgroupFilesTest {
    private static final CgroupId V1 = new CgroupId(CgroupId.Version.V1, "/c", "/box");
    private static final CgroupId V2 = new CgroupId(CgroupId.Version.V2, "/c", "/box");

    @Test
    void pressure_of_a_cgroup_is_read_from_its_own_folder() {
        HostRoot host = Recorded.host(
                "c/box/memory.pressure",
                "some avg10=51.24 avg60=24.31 avg300=7.77 total=31875120\n"
                        + "full avg10=44.07 avg60=21.00 avg300=6.50 total=27312448\n",
                "c/box/io.pressure",
                "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n");
        assertEquals(
                new Seconds(27.312448),
                CgroupPressure.MEMORY.read(host, V2).orThrow().full());
        assertEquals(
                new Seconds(0.000005),
                CgroupPressure.IO.read(host, V2).orThrow().some());
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(CgroupPressure.CPU.read(host, V2)));
    }

    @Test
    void pressure_that_is_off_for_one_cgroup_says_so() {
        // Linux 6.1: cgroup.pressure = 0
        HostRoot off = Recorded.host(
                "recorded/absent", "/c/box/memory.pressure\tnot-configured\topening it said EOPNOTSUPP\n");
        assertEquals(AbsentCause.NOT_CONFIGURED, causeOf(CgroupPressure.MEMORY.read(off, V2)));
        assertEquals(
                AbsentCause.NOT_CONFIGURED,
                causeOf(CgroupPressure.MEMORY.read(Recorded.host("c/box/memory.pressure", ""), V2)));
    }

    private static CpuCgroup cpu(CgroupId id, String... files) {
        return CpuCgroup.FACT.read(Recorded.host(files), id).orThrow();
    }

    @Test
    void a_v2_cgroup_without_the_controller_still_counts_time_and_never_throttles() {
        CpuCgroup cpu = cpu(V2, "c/box/cpu.stat", "usage_usec 5\nuser_usec 3\nsystem_usec 2\n");
        assertEquals(0, cpu.throttledPeriods());
        assertEquals(Seconds.NONE, cpu.throttled());
    }

    @Test
    void members_are_numbers_and_nothing_else() {
        assertEquals(List.of(812, 813), CgroupMembers.parse("812\n813\n").pids());
        assertEquals(List.of(), CgroupMembers.parse("").pids(), "an empty cgroup was looked at");
        // 0 stands for a process of an outer pid namespace.
        assertEquals(List.of(0, 7), CgroupMembers.parse("0\nx\n\n 7 \n").pids());
        assertEquals(
                List.of(),
                CgroupMembers.parse("99999999999999999999\n4294967297\n-1\n").pids());
    }
}
