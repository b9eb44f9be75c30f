// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.ullage.host.Recorded;
import dev.ullage.host.cgroup.CgroupId.Version;
import dev.ullage.host.cgroup.IoCgroup.Limit;
import dev.ullage.host.cgroup.IoCgroup.Moved;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IoCgroupTest {
    private static final long NONE = Long.MAX_VALUE;
    private static final CgroupId V1 = new CgroupId(Version.V1, "/c", "/box");
    private static final CgroupId V2 = new CgroupId(Version.V2, "/c", "/box");

    @Test
    void v1_has_a_file_for_each_kind_of_limit_and_counts_by_direction() {
        IoCgroup io = IoCgroup.FACT
                .read(
                        Recorded.host(
                                "c/box/blkio.throttle.read_bps_device", "254:0 1048576\n8:0 2097152\n",
                                "c/box/blkio.throttle.write_bps_device", "254:0 3\n",
                                "c/box/blkio.throttle.read_iops_device", "254:0 4\n",
                                "c/box/blkio.throttle.write_iops_device", "254:0 5\n",
                                "c/box/blkio.throttle.io_service_bytes", """
                                        254:0 Read 11
                                        254:0 Write 12
                                        254:0 Sync 13
                                        254:0 Async 14
                                        254:0 Discard 15
                                        254:0 Total 23
                                        Total 23
                                        """,
                                "c/box/blkio.throttle.io_serviced", "254:0 Read 1\n254:0 Write 2\n254:0 Total 3\n"),
                        V1)
                .orThrow();
        assertEquals(new Limit(1048576, 3, 4, 5), io.limitOn("254:0"));
        assertEquals(new Limit(2097152, NONE, NONE, NONE), io.limitOn("8:0"));
        assertEquals(new Limit(NONE, NONE, NONE, NONE), io.limitOn("259:0"));
        assertEquals(new Moved(11, 12, 1, 2), io.movedOn("254:0"));
        assertEquals(new Moved(0, 0, 0, 0), io.movedOn("8:0"));
    }

    @Test
    void a_v1_cgroup_that_moved_nothing_and_has_no_limit_is_there() {
        IoCgroup io = IoCgroup.FACT
                .read(Recorded.host("c/box/blkio.throttle.io_service_bytes", "Total 0\n"), V1)
                .orThrow();
        assertEquals(Map.of(), io.limits());
        assertEquals(Map.of(), io.moved());
    }

    @Test
    void v2_has_one_line_a_device_and_max_is_no_limit() {
        IoCgroup io = IoCgroup.FACT
                .read(Recorded.host("c/box/io.max", """
                                        254:0 rbps=10485760 wbps=max riops=max wiops=200
                                        8:16 rbps=max wbps=max riops=120 wiops=max
                                        """, "c/box/io.stat", """
                                        254:0 rbytes=90430464 wbytes=299008000 rios=8950 wios=1252 dbytes=5 dios=6
                                        8:16\s
                                        7:0
                                        """), V2)
                .orThrow();
        assertEquals(new Limit(10485760, NONE, NONE, 200), io.limitOn("254:0"));
        assertEquals(new Limit(NONE, NONE, 120, NONE), io.limitOn("8:16"));
        assertEquals(new Moved(90430464, 299008000, 8950, 1252), io.movedOn("254:0"));
        assertEquals(new Moved(0, 0, 0, 0), io.movedOn("8:16"));
    }

    @Test
    void the_interfaces_are_not_mixed_up() {
        assertFalse(IoCgroup.FACT
                .read(Recorded.host("c/box/io.stat", "254:0 rbytes=1\n"), V1)
                .isPresent());
        assertFalse(IoCgroup.FACT
                .read(Recorded.host("c/box/blkio.throttle.io_service_bytes", "254:0 Read 1\n"), V2)
                .isPresent());
    }
}
