// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Host;
import dev.ullage.host.Recorded;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Where the files of a process's cgroup lie, on hosts and in containers as their runtimes make them.
class CgroupPlacesTest {
    private static String folder(String mountinfo, String membership, String controller) {
        CgroupMounts mounts = CgroupMounts.FACT
                .read(Recorded.host("proc/self/mountinfo", mountinfo), Host.THE_HOST)
                .orThrow();
        return mounts.locate(CgroupMembership.parse(membership).orThrow(), controller)
                .map(id -> id.file("x").replaceFirst("/x$", ""))
                .orElse("nowhere");
    }

    /// CentOS 7, Linux 3.10.
    private static final String V1 = """
            17 61 0:17 / /sys rw,nosuid,nodev,noexec,relatime shared:6 - sysfs sysfs rw
            23 17 0:20 / /sys/fs/cgroup ro,nosuid,nodev,noexec shared:8 - tmpfs tmpfs ro,mode=755
            24 23 0:21 / /sys/fs/cgroup/systemd rw,nosuid,nodev,noexec,relatime shared:9 - cgroup cgroup rw,xattr,release_agent=/usr/lib/systemd/systemd-cgroups-agent,name=systemd
            27 23 0:24 / /sys/fs/cgroup/memory rw,nosuid,nodev,noexec,relatime shared:11 - cgroup cgroup rw,memory
            28 23 0:25 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid,nodev,noexec,relatime shared:12 - cgroup cgroup rw,cpuacct,cpu
            30 23 0:27 / /sys/fs/cgroup/blkio rw,nosuid,nodev,noexec,relatime shared:14 - cgroup cgroup rw,blkio
            """;

    /// Ubuntu 22.04, Linux 5.15.
    private static final String V2 = """
            24 31 0:22 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw
            34 24 0:29 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot
            """;

    /// Ubuntu 20.04, Linux 5.4.
    private static final String HYBRID = V1
            + "25 23 0:22 / /sys/fs/cgroup/unified rw,nosuid,nodev,noexec,relatime shared:10 - cgroup2 cgroup2 rw,nsdelegate\n";

    @Test
    void each_controller_of_v1_has_its_own_folder() {
        String kubernetes =
                "11:memory:/kubepods/burstable/pod1/c1\n4:cpuacct,cpu:/kubepods/burstable\n1:name=systemd:/x\n";
        assertEquals("/sys/fs/cgroup/memory/kubepods/burstable/pod1/c1", folder(V1, kubernetes, "memory"));
        assertEquals("/sys/fs/cgroup/cpu,cpuacct/kubepods/burstable", folder(V1, kubernetes, "cpu"));
        assertEquals("nowhere", folder(V1, kubernetes, "blkio"), "it is a member of none");
        assertEquals("nowhere", folder(V1, kubernetes, "io"));
    }

    @Test
    void v2_has_one_folder_for_all() {
        for (String controller : new String[] {"memory", "cpu", "io"})
            assertEquals(
                    "/sys/fs/cgroup/kubepods.slice/kubepods-pod1.slice/cri-containerd-c1.scope",
                    folder(V2, "0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-c1.scope\n", controller));
    }

    @Test
    void on_a_hybrid_host_v1_has_the_controllers_and_v2_the_pressure() {
        String member = "11:memory:/docker/3f1c\n0::/docker/3f1c\n";
        assertEquals("/sys/fs/cgroup/memory/docker/3f1c", folder(HYBRID, member, "memory"));
        CgroupMounts mounts = CgroupMounts.FACT
                .read(Recorded.host("proc/self/mountinfo", HYBRID), Host.THE_HOST)
                .orThrow();
        assertEquals(
                "/sys/fs/cgroup/unified/docker/3f1c/memory.pressure",
                mounts.locateUnified(CgroupMembership.parse(member).orThrow())
                        .orElseThrow()
                        .file("memory.pressure"));
        assertEquals(CgroupId.Version.V1, mounts.of("memory").orElseThrow().version());
        assertEquals(CgroupId.Version.V2, mounts.of("io").orElseThrow().version());
    }

    @Test
    void a_mount_made_before_the_namespace_shows_a_root_above_ours_and_is_not_guessed_at() {
        String odd = "700 699 0:29 /../../.. /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw\n";
        assertEquals("nowhere", folder(odd, "0::/\n", "memory"));
    }

    @Test
    void a_second_mount_of_a_hierarchy_elsewhere_does_not_move_it() {
        String withLxc = V1 + "90 61 0:24 /lxc/a /var/lib/lxc/a/sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        assertEquals("/sys/fs/cgroup/memory/lxc/a", folder(withLxc, "11:memory:/lxc/a\n", "memory"));
    }

    @Test
    void a_chain_ends_at_the_root_whatever_the_path_looks_like() {
        for (String path : new String[] {"/", "", "a", "//", "/a//b", "/a/"}) {
            CgroupId id = new CgroupId(CgroupId.Version.V2, "/sys/fs/cgroup", path);
            assertEquals("/", CgroupMounts.chain(id).getLast().path(), path);
        }
        assertEquals(Optional.empty(), new CgroupId(CgroupId.Version.V2, "/c", "/").parent());
    }
}
