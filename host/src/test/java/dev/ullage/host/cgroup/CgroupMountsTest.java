// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Host;
import dev.ullage.host.Recorded;
import dev.ullage.host.cgroup.CgroupId.Version;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CgroupMountsTest {
    /// Ubuntu 20.04: v1 for the controllers, v2 for systemd.
    private static final String HYBRID = """
            25 30 0:22 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw
            31 25 0:27 / /sys/fs/cgroup ro,nosuid,nodev,noexec shared:9 - tmpfs tmpfs ro,mode=755
            32 31 0:28 / /sys/fs/cgroup/unified rw,nosuid shared:10 - cgroup2 cgroup2 rw,nsdelegate
            33 31 0:29 / /sys/fs/cgroup/systemd rw,nosuid shared:11 - cgroup cgroup rw,xattr,name=systemd
            37 31 0:33 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:16 - cgroup cgroup rw,cpu,cpuacct
            41 31 0:37 / /sys/fs/cgroup/memory rw,nosuid shared:20 - cgroup cgroup rw,memory
            43 31 0:39 / /sys/fs/cgroup/blkio rw,nosuid shared:22 - cgroup cgroup rw,blkio
            """;

    private static Reading<CgroupMounts> reading(String mountinfo) {
        return CgroupMounts.FACT.read(Recorded.host("proc/self/mountinfo", mountinfo), Host.THE_HOST);
    }

    private static Optional<String> file(String mountinfo, String membership, String controller) {
        return reading(mountinfo)
                .orThrow()
                .locate(CgroupMembership.parse(membership).orThrow(), controller)
                .map(id -> id.file("f"));
    }

    @Test
    void a_hybrid_host_has_its_controllers_in_v1_and_the_rest_in_v2() {
        String member = """
                9:blkio:/docker/3f1c
                4:cpu,cpuacct:/docker/3f1c
                3:memory:/docker/3f1c
                1:name=systemd:/docker/3f1c
                0::/system.slice/containerd.service
                """;
        assertEquals(Optional.of("/sys/fs/cgroup/memory/docker/3f1c/f"), file(HYBRID, member, "memory"));
        assertEquals(Optional.of("/sys/fs/cgroup/cpu,cpuacct/docker/3f1c/f"), file(HYBRID, member, "cpuacct"));
        assertEquals(Optional.of("/sys/fs/cgroup/blkio/docker/3f1c/f"), file(HYBRID, member, "blkio"));
        assertEquals(
                Optional.of("/sys/fs/cgroup/unified/system.slice/containerd.service/f"), file(HYBRID, member, "io"));
        CgroupMounts mounts = reading(HYBRID).orThrow();
        assertEquals(Version.V1, mounts.of("memory").orElseThrow().version());
        assertEquals(Version.V2, mounts.of("io").orElseThrow().version());
    }

    @Test
    void a_controller_a_member_is_not_in_is_located_nowhere() {
        assertEquals(Optional.empty(), file(HYBRID, "4:cpu,cpuacct:/a\n", "memory"));
        String v1Only = "41 31 0:37 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        assertEquals(Optional.empty(), file(v1Only, "3:memory:/a\n0::/a\n", "cpu"));
        assertEquals(Optional.empty(), reading(v1Only).orThrow().of("cpu"));
    }

    @Test
    void in_a_container_without_a_cgroup_namespace_the_mounted_root_is_cut_off() {
        String v2 = "700 690 0:28 /system.slice/docker-3f1c.scope /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        assertEquals(Optional.of("/sys/fs/cgroup/f"), file(v2, "0::/system.slice/docker-3f1c.scope\n", "memory"));
        assertEquals(Optional.of("/sys/fs/cgroup/a/f"), file(v2, "0::/system.slice/docker-3f1c.scope/a\n", "memory"));
        assertEquals(Optional.empty(), file(v2, "0::/system.slice/docker-3f1c.scope2\n", "memory"));
        assertEquals(Optional.empty(), file(v2, "0::/system.slice\n", "memory"));
    }

    @Test
    void in_a_container_with_a_cgroup_namespace_its_root_is_the_root() {
        String v2 = "700 690 0:28 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate\n";
        assertEquals(Optional.of("/sys/fs/cgroup/f"), file(v2, "0::/\n", "memory"));
        assertEquals(Optional.empty(), file(v2, "0::/..\n", "memory"));
        assertEquals(Optional.empty(), file(v2, "0::/../..\n", "memory"));
        assertEquals(Optional.empty(), file(v2, "0::/../../user.slice\n", "memory"));
    }

    @Test
    void a_host_without_cgroups_says_so() {
        assertEquals(AbsentCause.NOT_PRESENT, ((Absent<?>) reading("27 1 254:0 / / rw - ext4 /dev/vda rw\n")).cause());
    }

    @Test
    void a_path_keeps_its_colons_and_loses_the_remark_that_it_is_deleted() {
        String v2 = "27 25 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
        assertEquals(
                Optional.of("/sys/fs/cgroup/kubepods/cri-containerd:3f1c:x/f"),
                file(v2, "0::/kubepods/cri-containerd:3f1c:x\n", "memory"));
        assertEquals(Optional.of("/sys/fs/cgroup/a b/f"), file(v2, "0::/a b (deleted)\n", "memory"));
    }

    @Test
    void lines_of_no_sense_between_good_ones_are_passed_over() {
        CgroupMembership member = CgroupMembership.parse("\n\u0000\n12\n3:memory\n3:memory:/a\n0::/b")
                .orThrow();
        assertEquals(Optional.of("/a"), member.v1Path("memory"));
        assertEquals(Optional.of("/b"), member.v2Path());
        assertEquals(Optional.empty(), member.v1Path("cpu"));
        assertFalse(CgroupMembership.parse("").isPresent());
    }

    @Test
    void a_cgroup_is_within_itself_and_what_lies_above_but_not_within_a_namesake() {
        CgroupId pod = new CgroupId(Version.V2, "/c", "/kubepods/pod1");
        assertTrue(pod.isWithin(pod));
        assertTrue(pod.isWithin(new CgroupId(Version.V2, "/c", "/kubepods")));
        assertTrue(pod.isWithin(new CgroupId(Version.V2, "/c", "/")));
        assertFalse(pod.isWithin(new CgroupId(Version.V2, "/c", "/kubepods/pod")));
        assertFalse(pod.isWithin(new CgroupId(Version.V1, "/c/memory", "/kubepods")));
        assertEquals(
                List.of(pod.parent().orElseThrow().parent().orElseThrow()),
                List.of(CgroupMounts.chain(pod).getLast()));
    }
}
