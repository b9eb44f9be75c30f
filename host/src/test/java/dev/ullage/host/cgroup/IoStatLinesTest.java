// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Recorded;
import dev.ullage.host.cgroup.IoCgroup.Moved;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IoStatLinesTest {
    private static IoCgroup read(CgroupId.Version version, String... namesAndTexts) {
        List<String> files = new ArrayList<>();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            files.add("c/box/" + namesAndTexts[i]);
            files.add(namesAndTexts[i + 1]);
        }
        return IoCgroup.FACT
                .read(Recorded.host(files.toArray(String[]::new)), new CgroupId(version, "/c", "/box"))
                .orThrow();
    }

    private static IoCgroup v1(String... namesAndTexts) {
        return read(CgroupId.Version.V1, namesAndTexts);
    }

    private static IoCgroup v2(String... namesAndTexts) {
        return read(CgroupId.Version.V2, namesAndTexts);
    }

    @Test
    void each_device_has_its_own_numbers() {
        // Linux 6.18, with the columns of iocost after those every kernel has
        IoCgroup io = v2("io.stat", """
                254:0 rbytes=98304 wbytes=4096 rios=24 wios=1 dbytes=0 dios=0 cost.vrate=100.00 cost.usage=12
                7:0 rbytes=17 wbytes=0 rios=1 wios=0 dbytes=0 dios=0
                """);
        assertEquals(new Moved(98_304, 4096, 24, 1), io.movedOn("254:0"));
        assertEquals(new Moved(17, 0, 1, 0), io.movedOn("7:0"));
        assertEquals(new Moved(0, 0, 0, 0), io.movedOn("8:0"));
    }

    /// Linux 5.15 to 5.19 write the number of a device that did nothing without ending its line
    /// (block: "always terminate io.stat lines", 6.0).
    @Test
    void several_devices_on_one_line_are_the_last_ones_numbers() {
        IoCgroup io = v2("io.stat", """
                8:16 rbytes=9083418112 wbytes=72376709632 rios=388623 wios=11650553 dbytes=53315555840 dios=301674
                7:7 7:6 7:5 7:4 rbytes=28672 wbytes=0 rios=22 wios=0 dbytes=0 dios=0
                7:3 rbytes=518539264 wbytes=0 rios=13405 wios=0 dbytes=0 dios=0
                """);
        assertEquals(new Moved(28_672, 0, 22, 0), io.movedOn("7:4"));
        assertEquals(new Moved(0, 0, 0, 0), io.movedOn("7:7"));
        assertEquals(518_539_264, io.movedOn("7:3").readBytes());
    }

    @Test
    void a_device_alone_on_its_line_did_nothing() {
        // Linux 6.0 and later
        IoCgroup io = v2("io.stat", "254:16 \n254:0 rbytes=5 wbytes=0 rios=1 wios=0 dbytes=0 dios=0\n");
        assertEquals(new Moved(0, 0, 0, 0), io.movedOn("254:16"));
        assertEquals(5, io.movedOn("254:0").readBytes());
    }

    @Test
    void sums_and_unknown_devices_of_v1_are_no_devices() {
        // Linux 4.15, with discards; "(unknown)" is a path of a multipath NVMe (Linux 6.8)
        IoCgroup io = v1(
                "blkio.throttle.io_service_bytes", """
                        8:0 Read 4096
                        8:0 Write 8192
                        8:0 Sync 4096
                        8:0 Async 8192
                        8:0 Discard 7
                        8:0 Total 12288
                        (unknown) Read 99
                        Total 12288
                        """,
                "blkio.throttle.io_serviced", "8:0 Read 1\n8:0 Write 2\n8:0 Total 3\nTotal 3\n");
        assertEquals(Map.of("8:0", new Moved(4096, 8192, 1, 2)), io.moved());
    }

    @Test
    void half_lines_and_odd_numbers_hide_no_device() {
        IoCgroup io =
                v2("io.stat", "8:0\n8:0 rby\n:: rbytes=1\n8:1 rbytes=many wbytes=3\n8:2 rbytes=99999999999999999999\n");
        assertEquals(3, io.movedOn("8:1").writtenBytes());
        assertEquals(Long.MAX_VALUE, io.movedOn("8:2").readBytes());
    }
}
