// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Host;
import dev.ullage.host.HostRoot;
import dev.ullage.host.Recorded;
import dev.ullage.host.cgroup.CgroupId.Version;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Seconds;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CgroupFactsTest {
    private static final CgroupId V1 = new CgroupId(Version.V1, "/sys/fs/cgroup/memory", "/docker/3f1c");
    private static final CgroupId V2 = new CgroupId(Version.V2, "/sys/fs/cgroup", "/system.slice/ollama.service");

    private static CgroupMounts mounts(String mountinfo) {
        return CgroupMounts.FACT
                .read(Recorded.host("proc/self/mountinfo", mountinfo), Host.THE_HOST)
                .orThrow();
    }

    private static CgroupMembership membership(String text) {
        return CgroupMembership.parse(text).orThrow();
    }

    @Test
    void v1_memory_counts_its_children_and_knows_its_odd_no_limit() {
        HostRoot host = Recorded.host(
                "sys/fs/cgroup/memory/docker/3f1c/memory.stat",
                "rss 0\ntotal_rss 4096000\ntotal_inactive_file 1000\ntotal_active_file 2000\ntotal_shmem 10\n"
                        + "total_workingset_refault_file 77\ntotal_swap 5\n",
                "sys/fs/cgroup/memory/docker/3f1c/memory.usage_in_bytes",
                "5000000\n",
                "sys/fs/cgroup/memory/docker/3f1c/memory.limit_in_bytes",
                "9223372036854771712\n",
                "sys/fs/cgroup/memory/docker/3f1c/memory.memsw.limit_in_bytes",
                "9223372036854771712\n",
                "sys/fs/cgroup/memory/docker/3f1c/memory.failcnt",
                "12\n",
                "sys/fs/cgroup/memory/docker/3f1c/memory.oom_control",
                "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
        MemoryCgroup cgroup = MemoryCgroup.FACT.read(host, V1).orThrow();
        assertEquals(Optional.empty(), cgroup.limit());
        assertEquals(Optional.empty(), cgroup.swapLimit());
        assertEquals(new Bytes(4096000), cgroup.anonymous());
        assertEquals(new Bytes(5000000 - 3000), cgroup.unreclaimable());
        assertEquals(77, cgroup.refaultedFilePages());
        assertEquals(12, cgroup.limitHits());
        assertEquals(3, cgroup.oomKills());
    }

    @Test
    void v1_memsw_less_the_limit_is_the_swap_it_may_use() {
        HostRoot host = Recorded.host(
                "sys/fs/cgroup/memory/docker/3f1c/memory.stat", "total_rss 1\n",
                "sys/fs/cgroup/memory/docker/3f1c/memory.usage_in_bytes", "1\n",
                "sys/fs/cgroup/memory/docker/3f1c/memory.limit_in_bytes", "1000000\n",
                "sys/fs/cgroup/memory/docker/3f1c/memory.memsw.limit_in_bytes", "1500000\n");
        assertEquals(
                Optional.of(new Bytes(500000)),
                MemoryCgroup.FACT.read(host, V1).orThrow().swapLimit());
    }

    @Test
    void v2_memory_high_binds_when_it_is_below_max() {
        HostRoot host = Recorded.host(
                "sys/fs/cgroup/system.slice/ollama.service/memory.stat",
                "anon 700\nfile 300\ninactive_file 100\nactive_file 150\nslab_reclaimable 20\nworkingset_refault_anon 9\n",
                "sys/fs/cgroup/system.slice/ollama.service/memory.current",
                "1000\n",
                "sys/fs/cgroup/system.slice/ollama.service/memory.max",
                "max\n",
                "sys/fs/cgroup/system.slice/ollama.service/memory.high",
                "900\n",
                "sys/fs/cgroup/system.slice/ollama.service/memory.events",
                "low 0\nhigh 40\nmax 2\noom 0\noom_kill 1\n");
        MemoryCgroup cgroup = MemoryCgroup.FACT.read(host, V2).orThrow();
        assertEquals(Optional.of(new Bytes(900)), cgroup.bindingLimit());
        assertEquals(42, cgroup.limitHits());
        assertEquals(new Bytes(1000 - 250 - 20), cgroup.unreclaimable());
        assertEquals(9, cgroup.refaultedAnonPages());
    }

    @Test
    void the_root_of_v2_has_no_current_and_no_limit() {
        CgroupId root = new CgroupId(Version.V2, "/sys/fs/cgroup", "/");
        MemoryCgroup cgroup = MemoryCgroup.FACT
                .read(Recorded.host("sys/fs/cgroup/memory.stat", "anon 10\nfile 20\nkernel 5\n"), root)
                .orThrow();
        assertEquals(new Bytes(35), cgroup.usage());
        assertEquals(Optional.empty(), cgroup.bindingLimit());
    }

    @Test
    void a_process_is_found_in_v1_v2_and_hybrid_hierarchies() {
        CgroupMounts hybrid = mounts("""
                35 31 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
                32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
                41 31 0:37 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
                """);
        CgroupMembership member = membership("4:memory:/docker/3f1c\n2:cpu,cpuacct:/a:b\n0::/init.scope\n");
        assertEquals(
                "/sys/fs/cgroup/memory/docker/3f1c/x",
                hybrid.locate(member, "memory").orElseThrow().file("x"));
        assertEquals("/a:b", hybrid.locate(member, "cpu").orElseThrow().path());
        assertEquals("/init.scope", hybrid.locateUnified(member).orElseThrow().path());
        CgroupMounts v2 = mounts("27 25 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        assertEquals(
                "/system.slice/ollama.service",
                v2.locate(membership("0::/system.slice/ollama.service\n"), "memory")
                        .orElseThrow()
                        .path());
    }

    @Test
    void in_a_container_the_mounted_part_is_cut_off_the_path() {
        CgroupMounts docker = mounts("35 31 0:31 /docker/3f1c /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
        assertEquals(
                "/",
                docker.locate(membership("4:memory:/docker/3f1c\n"), "memory")
                        .orElseThrow()
                        .path());
        assertEquals(
                "/sub",
                docker.locate(membership("4:memory:/docker/3f1c/sub\n"), "memory")
                        .orElseThrow()
                        .path());
        assertEquals(Optional.empty(), docker.locate(membership("4:memory:/docker/other\n"), "memory"));
    }

    @Test
    void what_lies_outside_of_a_cgroup_namespace_is_not_located() {
        CgroupMounts v2 = mounts("27 25 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        assertEquals(Optional.empty(), v2.locate(membership("0::/../other.service\n"), "memory"));
    }

    @Test
    void a_deleted_cgroup_is_named_without_the_remark() {
        assertEquals(Optional.of("/a"), membership("0::/a (deleted)\n").v2Path());
        assertEquals(AbsentCause.MALFORMED, ((Reading.Absent<?>) CgroupMembership.parse("nonsense")).cause());
    }

    @Test
    void a_chain_goes_up_to_the_root() {
        assertEquals(
                List.of("/system.slice/ollama.service", "/system.slice", "/"),
                CgroupMounts.chain(V2).stream().map(CgroupId::path).toList());
    }

    @Test
    void io_limits_are_read_from_both_interfaces() {
        IoCgroup v1 = IoCgroup.FACT
                .read(
                        Recorded.host(
                                "x/blkio.throttle.io_service_bytes",
                                        "254:0 Read 4096\n254:0 Write 10\n254:0 Total 4106\nTotal 4106\n",
                                "x/blkio.throttle.io_serviced", "254:0 Read 3\n254:0 Write 1\nTotal 4\n",
                                "x/blkio.throttle.read_bps_device", "254:0 10485760\n",
                                "x/blkio.throttle.read_iops_device", "254:0 40\n"),
                        new CgroupId(Version.V1, "/x", "/"))
                .orThrow();
        assertEquals(new IoCgroup.Limit(10485760, Long.MAX_VALUE, 40, Long.MAX_VALUE), v1.limitOn("254:0"));
        assertEquals(new IoCgroup.Moved(4096, 10, 3, 1), v1.movedOn("254:0"));
        IoCgroup v2 = IoCgroup.FACT
                .read(
                        Recorded.host(
                                "x/io.max", "259:0 rbps=1048576 wbps=max riops=max wiops=500\n",
                                "x/io.stat", "259:0 rbytes=7 wbytes=8 rios=1 wios=2 dbytes=0 dios=0\n"),
                        new CgroupId(Version.V2, "/x", "/"))
                .orThrow();
        assertEquals(new IoCgroup.Limit(1048576, Long.MAX_VALUE, Long.MAX_VALUE, 500), v2.limitOn("259:0"));
        assertEquals(new IoCgroup.Moved(7, 8, 1, 2), v2.movedOn("259:0"));
        assertEquals(Long.MAX_VALUE, v2.limitOn("8:0").readBytes());
    }

    @Test
    void cpu_quotas_are_read_from_both_interfaces() {
        CpuCgroup v1 = CpuCgroup.FACT
                .read(
                        Recorded.host(
                                "x/cpu.stat",
                                "nr_periods 30\nnr_throttled 28\nthrottled_time 2800000000\n",
                                "x/cpu.cfs_quota_us",
                                "50000\n",
                                "x/cpu.cfs_period_us",
                                "100000\n"),
                        new CgroupId(Version.V1, "/x", "/"))
                .orThrow();
        assertEquals(Optional.of(0.5), v1.cores());
        assertEquals(new Seconds(2.8), v1.throttled());
        CpuCgroup v2 = CpuCgroup.FACT
                .read(
                        Recorded.host(
                                "x/cpu.stat", "usage_usec 5\nnr_periods 1\nnr_throttled 1\nthrottled_usec 1500000\n",
                                "x/cpu.max", "max 100000\n"),
                        new CgroupId(Version.V2, "/x", "/"))
                .orThrow();
        assertEquals(Optional.empty(), v2.cores());
        assertEquals(new Seconds(1.5), v2.throttled());
    }

    @Test
    void members_are_pids() {
        assertEquals(List.of(1, 812), CgroupMembers.parse("1\n812\nx\n").pids());
    }
}
