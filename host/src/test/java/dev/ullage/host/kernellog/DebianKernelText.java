// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

/// What real kernels wrote, copied; call traces and registers are shortened. 6.18 ran on the machine this was
/// written on, the others in qemu, with Debian's kernels.
final class DebianKernelText {
    private DebianKernelText() {}

    /// /dev/kmsg of Linux 6.1.176, cgroup v2: a group of three under /llm/worker (memory.oom.group), a helper
    /// beside it that stays.
    static final String LINUX_6_1_GROUP = """
            4,386,8936531,-;VLLM::EngineCor invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
            4,387,8936735,-;CPU: 0 PID: 91 Comm: VLLM::EngineCor Not tainted 6.1.0-50-cloud-amd64 #1  Debian 6.1.176-1
            4,388,8936779,-;Hardware name: QEMU Standard PC (i440FX + PIIX, 1996), BIOS 1.16.2-debian-1.16.2-1 04/01/2014
            4,389,8936802,-;Call Trace:
            4,390,8936853,-; <TASK>
            4,391,8936902,-; dump_stack_lvl+0x44/0x5c
            4,392,8936976,-; dump_header+0x4c/0x22b
            4,395,8937104,-; mem_cgroup_out_of_memory+0x134/0x150
            4,412,8937738,-; </TASK>
            6,413,8938188,-;memory: usage 65536kB, limit 65536kB, failcnt 109
            6,414,8938219,-;swap: usage 0kB, limit 0kB, failcnt 0
            6,415,8938233,-;Memory cgroup stats for /llm:
            6,416,8938393,-;anon 66670592\\x0afile 0\\x0akernel 438272\\x0akernel_stack 32768\\x0apagetables 245760\\x0asec_pagetables 0\\x0apercpu 10512\\x0asock 0\\x0avmalloc 0\\x0ashmem 0\\x0afile_mapped 0\\x0afile_dirty 0\\x0afile_writeback 0\\x0aswapcached 0\\x0aanon_thp 0\\x0afile_thp 0\\x0ashmem_thp 0\\x0ainactive_anon 66646016\\x0aactive_anon 16384\\x0ainactive_file 0\\x0aactive_file 0\\x0aunevictable 0\\x0aslab_reclaimable 3680\\x0aslab_unreclaimable 43760\\x0aslab 47440\\x0aworkingset_refault_anon 0\\x0aworkingset_refault_file 0\\x0aworkingset_activate_anon 0\\x0aworkingset_activate_file 0\\x0aworkingset_restore_anon 0\\x0aworkingset_restore_file 0\\x0aworkingset_nodereclaim 0\\x0apgscan 0\\x0apgsteal 0\\x0apgscan_kswapd 0\\x0apgscan_direct 0\\x0apgsteal_kswapd 0\\x0apgsteal_direct 0\\x0apgfault 31760\\x0apgmajfault 0\\x0apgrefill 0\\x0apgactivate 0\\x0apgdeactivate 0\\x0apglazyfree 0\\x0apglazyfreed 0\\x0athp_fault_alloc 0\\x0athp_collapse_alloc 0
            6,417,8938436,-;Tasks state (memory values in pages):
            6,418,8938445,-;[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
            6,419,8938488,-;[     91]     0    91     9975     9718   118784        0             0 VLLM::EngineCor
            6,420,8938685,-;[     92]     0    92     2807     2722    57344        0             0 vllm-w0
            6,421,8938721,-;[     93]     0    93     3319     3184    65536        0             0 vllm-w1
            6,422,8938759,-;[     88]     0    88     1271     1138    49152        0             0 tokio (w) 1
            6,423,8938786,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/llm,task_memcg=/llm/worker,task=VLLM::EngineCor,pid=91,uid=0
            3,424,8939218,-;Memory cgroup out of memory: Killed process 91 (VLLM::EngineCor) total-vm:39900kB, anon-rss:38220kB, file-rss:4kB, shmem-rss:648kB, UID:0 pgtables:116kB oom_score_adj:0
            6,425,8939454,-;Tasks in /llm/worker are going to be killed due to memory.oom.group set
            3,426,8939644,-;Memory cgroup out of memory: Killed process 91 (VLLM::EngineCor) total-vm:39900kB, anon-rss:38220kB, file-rss:4kB, shmem-rss:648kB, UID:0 pgtables:116kB oom_score_adj:0
            3,427,8939813,-;Memory cgroup out of memory: Killed process 92 (vllm-w0) total-vm:11228kB, anon-rss:10236kB, file-rss:4kB, shmem-rss:648kB, UID:0 pgtables:56kB oom_score_adj:0
            3,428,8946106,-;Memory cgroup out of memory: Killed process 93 (vllm-w1) total-vm:13276kB, anon-rss:12084kB, file-rss:4kB, shmem-rss:648kB, UID:0 pgtables:64kB oom_score_adj:0
            """;

    /// /dev/kmsg of Linux 6.1.176: the host is full by "guilty", and one that had asked for it (oom_score_adj 1000)
    /// dies.
    static final String LINUX_6_1_HOST = """
            4,401,13011072,-;guilty invoked oom-killer: gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE|__GFP_COMP|__GFP_ZERO), order=0, oom_score_adj=0
            4,402,13011291,-;CPU: 0 PID: 93 Comm: guilty Not tainted 6.1.0-50-cloud-amd64 #1  Debian 6.1.176-1
            4,403,13011335,-;Hardware name: QEMU Standard PC (i440FX + PIIX, 1996), BIOS 1.16.2-debian-1.16.2-1 04/01/2014
            4,404,13011362,-;Call Trace:
            4,405,13011422,-; <TASK>
            4,406,13011478,-; dump_stack_lvl+0x44/0x5c
            4,407,13011551,-; dump_header+0x4c/0x22b
            4,428,13012333,-; </TASK>
            4,429,13012349,-;Mem-Info:
            4,430,13012380,-;active_anon:646 inactive_anon:48140 isolated_anon:2\\x0a active_file:0 inactive_file:0 isolated_file:0\\x0a unevictable:0 dirty:0 writeback:0\\x0a slab_reclaimable:2252 slab_unreclaimable:1486\\x0a mapped:562 shmem:860 pagetables:129\\x0a sec_pagetables:0 bounce:0\\x0a kernel_misc_reclaimable:0\\x0a free:649 free_pcp:44 free_cma:0
            4,431,13012450,-;Node 0 active_anon:2584kB inactive_anon:192560kB active_file:0kB inactive_file:0kB unevictable:0kB isolated(anon):8kB isolated(file):0kB mapped:2248kB dirty:0kB writeback:0kB shmem:3440kB shmem_thp: 0kB shmem_pmdmapped: 0kB anon_thp: 0kB writeback_tmp:0kB kernel_stack:768kB pagetables:516kB sec_pagetables:0kB all_unreclaimable? yes
            4,432,13012510,-;Node 0 DMA free:896kB boost:0kB min:132kB low:164kB high:196kB reserved_highatomic:0KB active_anon:0kB inactive_anon:14296kB active_file:0kB inactive_file:0kB unevictable:0kB writepending:0kB present:15992kB managed:15360kB mlocked:0kB bounce:0kB free_pcp:0kB local_pcp:0kB free_cma:0kB
            4,433,13012579,-;lowmem_reserve[]: 0 192 192 192 192
            4,434,13012642,-;Node 0 DMA32 free:1700kB boost:0kB min:1704kB low:2128kB high:2552kB reserved_highatomic:0KB active_anon:2584kB inactive_anon:178264kB active_file:0kB inactive_file:0kB unevictable:0kB writepending:0kB present:245632kB managed:207264kB mlocked:0kB bounce:0kB free_pcp:176kB local_pcp:176kB free_cma:0kB
            4,435,13012702,-;lowmem_reserve[]: 0 0 0 0 0
            4,436,13012760,-;Node 0 DMA: 2*4kB (UM) 1*8kB (M) 1*16kB (M) 1*32kB (U) 1*64kB (U) 0*128kB 1*256kB (U) 1*512kB (U) 0*1024kB 0*2048kB 0*4096kB = 896kB
            4,437,13012976,-;Node 0 DMA32: 1*4kB (U) 0*8kB 2*16kB (UM) 0*32kB 0*64kB 1*128kB (M) 2*256kB (UM) 2*512kB (UM) 0*1024kB 0*2048kB 0*4096kB = 1700kB
            4,438,13013165,-;Node 0 hugepages_total=0 hugepages_free=0 hugepages_surp=0 hugepages_size=1048576kB
            4,439,13013192,-;Node 0 hugepages_total=0 hugepages_free=0 hugepages_surp=0 hugepages_size=2048kB
            4,440,13013213,-;860 total pagecache pages
            4,441,13013225,-;0 pages in swap cache
            4,442,13013236,-;Free swap  = 0kB
            4,443,13013248,-;Total swap = 0kB
            4,444,13013263,-;65406 pages RAM
            4,445,13013274,-;0 pages HighMem/MovableOnly
            4,446,13013286,-;9750 pages reserved
            6,447,13013299,-;Tasks state (memory values in pages):
            6,448,13013310,-;[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
            6,449,13013363,-;[     85]     0    85     5367     5230    77824        0             0 small-helper
            6,450,13013399,-;[     89]     0    89    15607    15526   159744        0             0 llama-server
            6,451,13013431,-;[     91]     0    91      503      412    40960        0          1000 sacrificed
            6,452,13013459,-;[     93]     0    93    27383    27274   258048        0             0 guilty
            6,453,13013487,-;oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/,task=sacrificed,pid=91,uid=0
            3,454,13014179,-;Out of memory: Killed process 91 (sacrificed) total-vm:2012kB, anon-rss:996kB, file-rss:4kB, shmem-rss:648kB, UID:0 pgtables:40kB oom_score_adj:1000
            """;

    /// /dev/kmsg of Linux 6.12.117, cgroup v2: dd fills a tmpfs beyond the limit.
    static final String LINUX_6_12_TMPFS = """
            4,355,6619577,-;dd invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
            4,356,6620555,-;CPU: 0 UID: 0 PID: 139 Comm: dd Not tainted 6.12.117+deb13-cloud-amd64 #1  Debian 6.12.117-1
            4,357,6621067,-;Hardware name: QEMU Standard PC (i440FX + PIIX, 1996), BIOS 1.16.2-debian-1.16.2-1 04/01/2014
            4,358,6621381,-;Call Trace:
            4,359,6622689,-; <TASK>
            4,360,6623476,-; dump_stack_lvl+0x5d/0x80
            4,361,6624061,-; dump_header+0x43/0x1aa
            4,364,6624172,-; mem_cgroup_out_of_memory+0x12b/0x140
            4,406,6626844,-; </TASK>
            6,407,6627760,-;memory: usage 32768kB, limit 32768kB, failcnt 19
            6,408,6627850,-;swap: usage 0kB, limit 9007199254740988kB, failcnt 0
            6,409,6627886,-;Memory cgroup stats for /a:
            6,410,6629785,-;anon 1048576
            6,411,6629880,-;file 32423936
            6,412,6629900,-;kernel 81920
            6,413,6629915,-;kernel_stack 0
            6,414,6629929,-;pagetables 4096
            6,415,6629945,-;sec_pagetables 0
            6,416,6629958,-;percpu 0
            6,417,6629972,-;sock 0
            6,418,6629984,-;vmalloc 0
            6,419,6629997,-;shmem 32423936
            6,420,6630010,-;file_mapped 0
            6,421,6630023,-;file_dirty 0
            6,422,6630034,-;file_writeback 0
            6,423,6630046,-;swapcached 0
            6,424,6630058,-;anon_thp 0
            6,425,6630071,-;file_thp 0
            6,426,6630083,-;shmem_thp 0
            6,427,6630096,-;inactive_anon 0
            6,428,6630109,-;active_anon 33472512
            6,429,6630121,-;inactive_file 0
            6,430,6630134,-;active_file 0
            6,431,6630146,-;unevictable 0
            6,432,6630159,-;slab_reclaimable 75384
            6,433,6630172,-;slab_unreclaimable 1584
            6,434,6630185,-;slab 76968
            6,435,6630198,-;workingset_refault_anon 0
            6,436,6630208,-;workingset_refault_file 0
            6,437,6630219,-;workingset_activate_anon 0
            6,438,6630230,-;workingset_activate_file 0
            6,439,6630242,-;workingset_restore_anon 0
            6,440,6630254,-;workingset_restore_file 0
            6,441,6630266,-;workingset_nodereclaim 0
            6,442,6630279,-;pgdemote_kswapd 0
            6,443,6630292,-;pgdemote_direct 0
            6,444,6630305,-;pgdemote_khugepaged 0
            6,445,6630318,-;pgpromote_success 0
            6,446,6630332,-;pgscan 0
            6,447,6630344,-;pgsteal 0
            6,448,6630357,-;pgscan_kswapd 0
            6,449,6630370,-;pgscan_direct 0
            6,450,6630383,-;pgscan_khugepaged 0
            6,451,6630396,-;pgsteal_kswapd 0
            6,452,6630409,-;pgsteal_direct 0
            6,453,6630421,-;pgsteal_khugepaged 0
            6,454,6630434,-;pgfault 256
            6,455,6630447,-;pgmajfault 0
            6,456,6630460,-;pgrefill 0
            6,457,6630472,-;pgactivate 0
            6,458,6630485,-;pgdeactivate 0
            6,459,6630498,-;pglazyfree 0
            6,460,6630510,-;pglazyfreed 0
            6,461,6630523,-;swpin_zero 0
            6,462,6630535,-;swpout_zero 0
            6,463,6630548,-;thp_fault_alloc 0
            6,464,6630563,-;thp_collapse_alloc 0
            6,465,6630576,-;thp_swpout 0
            6,466,6630588,-;thp_swpout_fallback 0
            6,467,6630601,-;numa_pages_migrated 0
            6,468,6630614,-;numa_pte_updates 0
            6,469,6630627,-;numa_hint_faults 0
            6,470,6630739,-;Tasks state (memory values in pages):
            6,471,6630759,-;[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
            6,472,6631143,-;[    139]     0   139      821      651      256        0       395    40960        0             0 dd
            6,473,6631299,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/a,task_memcg=/a,task=dd,pid=139,uid=0
            3,474,6633726,-;Memory cgroup out of memory: Killed process 139 (dd) total-vm:3284kB, anon-rss:1024kB, file-rss:0kB, shmem-rss:1580kB, UID:0 pgtables:40kB oom_score_adj:0
            """;

    /// dmesg of Linux 5.10.223 (busybox): cgroup v2, a helper whose name holds blanks and brackets.
    static final String LINUX_5_10 = """
            [    3.392288] llama-server invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
            [    3.392733] CPU: 0 PID: 82 Comm: llama-server Not tainted 5.10.0-32-cloud-amd64 #1 Debian 5.10.223-1
            [    3.392766] Hardware name: QEMU Standard PC (i440FX + PIIX, 1996), BIOS 1.16.2-debian-1.16.2-1 04/01/2014
            [    3.392994] Call Trace:
            [    3.395007]  dump_stack+0x6b/0x83
            [    3.395117]  dump_header+0x4a/0x1f4
            [    3.395139]  oom_kill_process.cold+0xb/0x10
            [    3.397203] memory: usage 65536kB, limit 65536kB, failcnt 36
            [    3.397230] swap: usage 0kB, limit 0kB, failcnt 0
            [    3.397244] Memory cgroup stats for /llm:
            [    3.398636] anon 66772992
            [    3.398636] file 0
            [    3.398636] kernel_stack 0
            [    3.398636] percpu 0
            [    3.398636] sock 0
            [    3.398636] shmem 0
            [    3.398636] file_mapped 0
            [    3.398636] file_dirty 0
            [    3.398636] file_writeback 0
            [    3.398636] anon_thp 0
            [    3.398636] inactive_anon 66637824
            [    3.398636] active_anon 0
            [    3.398636] inactive_file 0
            [    3.398636] active_file 0
            [    3.398636] unevictable 0
            [    3.398636] slab_reclaimable 0
            [    3.398636] slab_unreclaimable 0
            [    3.398636] slab 0
            [    3.398636] workingset_refault_anon 0
            [    3.398636] workingset_refault_file 0
            [    3.398636] workingset_activate_anon 0
            [    3.398636] workingset_activate_file 0
            [    3.398636] workingset_restore_anon 0
            [    3.398636] workingset_restore_file 0
            [    3.398636] workingset_nodereclaim 0
            [    3.398636] pgfault 16302
            [    3.398636] pgmajfault 0
            [    3.398636] pgrefill 0
            [    3.398636] pgscan 0
            [    3.398636] pgsteal 0
            [    3.398695] Tasks state (memory values in pages):
            [    3.398707] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
            [    3.398934] [     82]     0    82    15607    15393   159744        0             0 llama-server
            [    3.398983] [     81]     0    81     1271     1138    45056        0             0 tokio (w) 1
            [    3.399341] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/llm,task_memcg=/llm/worker,task=llama-server,pid=82,uid=0
            [    3.400836] Memory cgroup out of memory: Killed process 82 (llama-server) total-vm:62428kB, anon-rss:60920kB, file-rss:4kB, shmem-rss:648kB, UID:0 pgtables:156kB oom_score_adj:0
            """;
}
