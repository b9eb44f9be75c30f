// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

/// Reports of kernels we could not run, written after their sources (mm/oom_kill.c, mm/memcontrol.c).
final class OlderKernelText {
    private OlderKernelText() {}

    /// RHEL 7, by syslog. The limit is on /docker/pod, and each cgroup below has its line of numbers; the chosen
    /// one's child dies for it.
    static final String LINUX_3_10 = """
            Mar 14 16:55:03 gpu1 kernel: java invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0
            Mar 14 16:55:03 gpu1 kernel: java cpuset=c1 mems_allowed=0-1
            Mar 14 16:55:03 gpu1 kernel: CPU: 1 PID: 9949 Comm: java Tainted: P           OE  ------------   3.10.0-1160.el7.x86_64 #1
            Mar 14 16:55:03 gpu1 kernel: Hardware name: Xen HVM domU, BIOS 4.2.amazon 05/12/2016
            Mar 14 16:55:03 gpu1 kernel: Call Trace:
            Mar 14 16:55:03 gpu1 kernel: [<ffffffff8163571c>] dump_stack+0x19/0x1b
            Mar 14 16:55:03 gpu1 kernel: [<ffffffff816306bc>] dump_header+0x8e/0x214
            Mar 14 16:55:03 gpu1 kernel: Task in /docker/pod/c1 killed as a result of limit of /docker/pod
            Mar 14 16:55:03 gpu1 kernel: memory: usage 524288kB, limit 524288kB, failcnt 267
            Mar 14 16:55:03 gpu1 kernel: memory+swap: usage 1048576kB, limit 1048576kB, failcnt 12
            Mar 14 16:55:03 gpu1 kernel: kmem: usage 0kB, limit 9007199254740988kB, failcnt 0
            Mar 14 16:55:03 gpu1 kernel: Memory cgroup stats for /docker/pod: cache:0KB rss:0KB rss_huge:0KB mapped_file:0KB swap:0KB inactive_anon:0KB active_anon:0KB inactive_file:0KB active_file:0KB unevictable:0KB
            Mar 14 16:55:03 gpu1 kernel: Memory cgroup stats for /docker/pod/c1: cache:32KB rss:524188KB rss_huge:370688KB mapped_file:16KB swap:524356KB inactive_anon:267804KB active_anon:256384KB inactive_file:12KB active_file:4KB unevictable:0KB
            Mar 14 16:55:03 gpu1 kernel: Memory cgroup stats for /docker/pod/c2: cache:68KB rss:0KB rss_huge:0KB mapped_file:0KB swap:0KB inactive_anon:0KB active_anon:0KB inactive_file:68KB active_file:0KB unevictable:0KB
            Mar 14 16:55:03 gpu1 kernel: [ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name
            Mar 14 16:55:03 gpu1 kernel: [24572]  1000 24572  5063909     1961    1661   100000          -998 java
            Mar 14 16:55:03 gpu1 kernel: [28438]  1000 28438  5063909   119961    1661    36409          -998 java worker
            Mar 14 16:55:03 gpu1 kernel: Memory cgroup out of memory: Kill process 24572 (java) score 0 or sacrifice child
            Mar 14 16:55:03 gpu1 kernel: Killed process 28438 (java worker), UID 1000, total-vm:20255636kB, anon-rss:466160kB, file-rss:13684kB, shmem-rss:0kB
            """;

    /// Ubuntu 18.04, `dmesg -T`: the host.
    static final String LINUX_4_15 = """
            [Mon May  5 10:00:00 2025] systemd-journal invoked oom-killer: gfp_mask=0x14200ca(GFP_HIGHUSER_MOVABLE), nodemask=(null), order=0, oom_score_adj=0
            [Mon May  5 10:00:00 2025] systemd-journal cpuset=/ mems_allowed=0
            [Mon May  5 10:00:00 2025] CPU: 4 PID: 480 Comm: systemd-journal Tainted: P           OE    4.15.0-213-generic #224-Ubuntu
            [Mon May  5 10:00:00 2025] Call Trace:
            [Mon May  5 10:00:00 2025]  dump_stack+0x6d/0x8b
            [Mon May  5 10:00:00 2025]  out_of_memory+0x2d1/0x4e0
            [Mon May  5 10:00:00 2025] Mem-Info:
            [Mon May  5 10:00:00 2025] active_anon:15790101 inactive_anon:402001 isolated_anon:0
                                        active_file:301 inactive_file:402 isolated_file:0
                                        unevictable:900 dirty:0 writeback:0 unstable:0
                                        slab_reclaimable:8122 slab_unreclaimable:20544
                                        mapped:5123 shmem:400000 pagetables:36001 bounce:0
                                        free:66220 free_pcp:62 free_cma:0
            [Mon May  5 10:00:00 2025] Node 0 active_anon:63160404kB inactive_anon:1608004kB active_file:1204kB inactive_file:1608kB
            [Mon May  5 10:00:00 2025] 401000 total pagecache pages
            [Mon May  5 10:00:00 2025] Free swap  = 0kB
            [Mon May  5 10:00:00 2025] Total swap = 2097148kB
            [Mon May  5 10:00:00 2025] 16777216 pages RAM
            [Mon May  5 10:00:00 2025] [ pid ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
            [Mon May  5 10:00:00 2025] [  480]     0   480    28000     2400   245760      120             0 systemd-journal
            [Mon May  5 10:00:00 2025] [12077]  1000 12077 29506554 15703833 126000000   500000             0 python
            [Mon May  5 10:00:00 2025] Out of memory: Kill process 12077 (python) score 965 or sacrifice child
            [Mon May  5 10:00:00 2025] Killed process 12077 (python) total-vm:118026216kB, anon-rss:62809332kB, file-rss:3324kB, shmem-rss:2676kB
            [Mon May  5 10:00:02 2025] oom_reaper: reaped process 12077 (python), now anon-rss:0kB, file-rss:0kB, shmem-rss:2676kB
            """;

    /// The last one before "oom-kill:"; memory.oom.group is new. A tmpfs-like cache fills the limit, not a process.
    static final String LINUX_4_19 = """
            [5193605.506600] cp invoked oom-killer: gfp_mask=0x6000c0(GFP_KERNEL), nodemask=(null), order=0, oom_score_adj=-998
            [5193605.506602] cp cpuset=024952 mems_allowed=0-1
            [5193605.506612] CPU: 40 PID: 62769 Comm: cp Not tainted 4.19.4-1.el7.elrepo.x86_64 #1
            [5193605.506728] Task in /kubepods/pod951/024952 killed as a result of limit of /kubepods/pod951/024952
            [5193605.506735] memory: usage 524288kB, limit 524288kB, failcnt 0
            [5193605.506737] memory+swap: usage 524288kB, limit 524288kB, failcnt 38
            [5193605.506738] kmem: usage 16560kB, limit 9007199254740988kB, failcnt 0
            [5193605.506739] Memory cgroup stats for /kubepods/pod951/024952: cache:507172KB rss:448KB rss_huge:0KB shmem:503344KB mapped_file:0KB dirty:0KB writeback:0KB swap:0KB inactive_anon:0KB active_anon:540KB inactive_file:1840KB active_file:1992KB unevictable:0KB
            [5193605.506750] Tasks state (memory values in pages):
            [5193605.506751] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
            [5193605.506952] [  62685]     0 62685     2925      679    65536        0          -998 bash
            [5193605.506955] [  62769]     0 62769     4382      411    77824        0          -998 cp
            [5193605.506956] Memory cgroup out of memory: Kill process 62685 (bash) score 0 or sacrifice child
            [5193605.508964] Killed process 62769 (cp) total-vm:17528kB, anon-rss:260kB, file-rss:1384kB, shmem-rss:0kB
            [5193605.508999] Tasks in /kubepods/pod951/024952 are going to be killed due to memory.oom.group set
            [5193605.509001] Killed process 62685 (bash) total-vm:11700kB, anon-rss:520kB, file-rss:2196kB, shmem-rss:0kB
            [5193605.509003] Killed process 62769 (cp) total-vm:17528kB, anon-rss:0kB, file-rss:0kB, shmem-rss:0kB
            """;

    /// Ubuntu 20.04, bound to two NUMA nodes; a journal line and a GPU driver's stand between its lines.
    static final String LINUX_5_4 = """
            [26002.108870] ray::IDLE invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0
            [26002.108875] CPU: 2 PID: 25671 Comm: ray::IDLE Not tainted 5.4.0-109-generic #123-Ubuntu
            [26002.108880] NVRM: GPU 0000:03:00.0: RmInitAdapter failed! (0x26:0x56:1474)
            [26002.108891] Tasks state (memory values in pages):
            [26002.108892] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
            [26002.108901] [   6154]  1000  6154  4527269  3523962 29733536        0             0 python (tp 0, r 1)
            [26002.108903] systemd[1]: systemd-journald.service: Watchdog timeout (limit 3min)!
            [26002.108905] [  25671]  1000 25671   127269    23962   733536        0             0 ray::IDLE
            [26002.108918] oom-kill:constraint=CONSTRAINT_CPUSET,nodemask=0-1,4,cpuset=numa,a,mems_allowed=0-1,global_oom,task_memcg=/user.slice/a,b=c,task=python (tp 0, r 1),pid=6154,uid=1000
            [26002.108950] Out of memory: Killed process 6154 (python (tp 0, r 1)) total-vm:18109076kB, anon-rss:14095848kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:29036kB oom_score_adj:0
            [26003.412345] oom_reaper: reaped process 6154 (python (tp 0, r 1)), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB
            """;

    /// aarch64 with 64 KiB pages, journalctl -o short-monotonic, cgroup v2: a helper dies, the server stays.
    static final String LINUX_5_15 = """
            [91000.000100] gh200 kernel: python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=-997
            [91000.000200] gh200 kernel: CPU: 12 PID: 700 Comm: python3 Tainted: P           OE     5.15.0-1042-nvidia-64k #42-Ubuntu
            [91000.000300] gh200 kernel: memory: usage 536870912kB, limit 536870912kB, failcnt 1273284
            [91000.000400] gh200 kernel: swap: usage 0kB, limit 0kB, failcnt 0
            [91000.000500] gh200 kernel: Memory cgroup stats for /kubepods.slice/pod1:cri:a:
            [91000.000600] gh200 kernel: anon 548682072064
            [91000.000600] gh200 kernel: file 1048576
            [91000.000600] gh200 kernel: shmem 0
            [91000.000700] gh200 kernel: Tasks state (memory values in pages):
            [91000.000710] gh200 kernel: [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
            [91000.000720] gh200 kernel: [    700]     0   700  9000000  8371000  1048576        0          -997 python3
            [91000.000730] gh200 kernel: [    812]     0   812     1184      592   196608        0           969 node
            [91000.000740] gh200 kernel: oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri-containerd-a.scope,mems_allowed=0,oom_memcg=/kubepods.slice/pod1:cri:a,task_memcg=/kubepods.slice/pod1:cri:a/b,task=node,pid=812,uid=0
            [91000.000750] gh200 kernel: Memory cgroup out of memory: Killed process 812 (node) total-vm:75776kB, anon-rss:36992kB, file-rss:896kB, shmem-rss:0kB, UID:0 pgtables:192kB oom_score_adj:969
            """;
}
