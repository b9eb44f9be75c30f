// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ullage.host.Recorded;
import dev.ullage.host.cgroup.CgroupId.Version;
import dev.ullage.measure.Seconds;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CpuCgroupTest {
    private static final CgroupId V1 = new CgroupId(Version.V1, "/c", "/box");
    private static final CgroupId V2 = new CgroupId(Version.V2, "/c", "/box");

    private static Optional<Double> coresV2(String max) {
        return CpuCgroup.FACT
                .read(Recorded.host("c/box/cpu.stat", "usage_usec 1\n", "c/box/cpu.max", max), V2)
                .orThrow()
                .cores();
    }

    private static Optional<Double> coresV1(String quota, String period) {
        return CpuCgroup.FACT
                .read(
                        Recorded.host(
                                "c/box/cpu.stat", "nr_periods 0\n",
                                "c/box/cpu.cfs_quota_us", quota,
                                "c/box/cpu.cfs_period_us", period),
                        V1)
                .orThrow()
                .cores();
    }

    @Test
    void a_quota_is_so_many_cores() {
        assertEquals(Optional.of(0.5), coresV2("50000 100000\n"));
        assertEquals(Optional.of(3.0), coresV2("150000 50000\n"));
        assertEquals(Optional.of(3.0), coresV1("150000\n", "50000\n"));
    }

    @Test
    void no_quota_and_a_quota_of_no_sense_are_none() {
        assertEquals(Optional.empty(), coresV2("max 100000\n"));
        assertEquals(Optional.empty(), coresV2("50000 0\n"));
        assertEquals(Optional.empty(), coresV2("\n"));
        assertEquals(Optional.empty(), coresV1("-1\n", "100000\n"));
        assertEquals(Optional.empty(), coresV1("50000\n", "0\n"));
    }

    @Test
    void the_root_of_v2_has_no_cpu_max_and_no_periods() {
        CpuCgroup root = CpuCgroup.FACT
                .read(
                        Recorded.host("c/cpu.stat", "usage_usec 5\nuser_usec 4\nsystem_usec 1\n"),
                        new CgroupId(Version.V2, "/c", "/"))
                .orThrow();
        assertEquals(Optional.empty(), root.cores());
        assertEquals(0, root.periods());
        assertEquals(Seconds.NONE, root.throttled());
    }

    @Test
    void throttled_time_is_nanoseconds_in_v1_and_microseconds_in_v2() {
        CpuCgroup v1 = CpuCgroup.FACT
                .read(
                        Recorded.host(
                                "c/box/cpu.stat",
                                "nr_periods 10\nnr_throttled 4\nthrottled_time 250000000\nnr_bursts 0\nburst_time 0\n"),
                        V1)
                .orThrow();
        assertEquals(new Seconds(0.25), v1.throttled());
        assertEquals(10, v1.periods());
        assertEquals(4, v1.throttledPeriods());
        CpuCgroup v2 = CpuCgroup.FACT
                .read(Recorded.host("c/box/cpu.stat", "nr_periods 10\nnr_throttled 4\nthrottled_usec 250000\n"), V2)
                .orThrow();
        assertEquals(new Seconds(0.25), v2.throttled());
    }

    @Test
    void without_its_counters_there_is_no_quota_to_speak_of() {
        assertFalse(CpuCgroup.FACT
                .read(Recorded.host("c/box/cpu.max", "50000 100000\n"), V2)
                .isPresent());
    }
}
