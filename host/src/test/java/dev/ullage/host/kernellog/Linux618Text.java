// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

/// What real kernels wrote, copied; call traces and registers are shortened. 6.18 ran on the machine this was
/// written on, the others in qemu, with Debian's kernels.
final class Linux618Text {
    private Linux618Text() {}

    /// /dev/kmsg of Linux 6.18.44: a loop device that is too short; then a cgroup v1 with a 64 MiB limit, and in a
    /// child of it a Python that takes more.
    static final String LINUX_6_18 = """
            5,345,1282339,-;virtio_blk virtio1: [vda] new size: 536870912 512-byte logical blocks (275 GB/256 GiB)
             SUBSYSTEM=virtio
             DEVICE=+virtio:virtio1
            6,346,1284051,-;tokio-rt-worker (70): drop_caches: 3
            6,347,1289377,-;EXT4-fs (vda): mounted filesystem 00000000-0000-0000-0000-000000000000 r/w without journal. Quota mode: none.
            6,348,191426189,-;idle-reclaim (86): drop_caches: 1
            6,349,836592399,-;idle-reclaim (86): drop_caches: 1
            6,350,1033933971,-;loop0: detected capacity change from 0 to 614400
            3,351,1033952442,-;I/O error, dev loop0, sector 2 op 0x0:(READ) flags 0x1000 phys_seg 1 prio class 2
            3,352,1033953493,-;EXT4-fs (loop0): unable to read superblock
            6,353,1050282511,-;loop0: detected capacity change from 0 to 614400
            3,354,1050284701,-;I/O error, dev loop0, sector 0 op 0x0:(READ) flags 0x80700 phys_seg 4 prio class 2
            3,355,1050286068,-;I/O error, dev loop0, sector 0 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2
            3,356,1050287047,-;Buffer I/O error on dev loop0, logical block 0, async page read
            6,357,1059749562,-;loop0: detected capacity change from 0 to 614400
            3,358,1059751208,-;I/O error, dev loop0, sector 0 op 0x0:(READ) flags 0x80700 phys_seg 4 prio class 2
            3,359,1059752250,-;I/O error, dev loop0, sector 0 op 0x0:(READ) flags 0x0 phys_seg 1 prio class 2
            3,360,1059753151,-;Buffer I/O error on dev loop0, logical block 0, async page read
            6,361,1071115031,-;loop0: detected capacity change from 0 to 614400
            6,362,1071335477,-;EXT4-fs (loop0): mounted filesystem 3b5623e9-c0d6-4106-9d3d-6a50e8fb7a52 ro without journal. Quota mode: none.
            6,363,1080390394,-;EXT4-fs (loop0): unmounting filesystem 3b5623e9-c0d6-4106-9d3d-6a50e8fb7a52.
            4,364,1213543847,-;python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
            4,365,1213543864,-;CPU: 0 UID: 0 PID: 4162 Comm: python3 Not tainted 6.18.44-fc-v669 #1 PREEMPT(none)
            4,366,1213543870,-;Call Trace:
            4,367,1213543876,-; <TASK>
            4,368,1213543894,-; dump_stack_lvl+0x57/0x80
            4,369,1213543906,-; dump_header+0x43/0x1c0
            4,372,1213543926,-; mem_cgroup_out_of_memory+0xc0/0x110
            4,390,1213544021,-; </TASK>
            6,391,1213544022,-;memory: usage 65536kB, limit 65536kB, failcnt 87
            6,392,1213544029,-;memory+swap: usage 65536kB, limit 9007199254740988kB, failcnt 0
            6,393,1213544031,-;kmem: usage 456kB, limit 9007199254740988kB, failcnt 0
            6,394,1213544033,-;Memory cgroup stats for /klogtest:
            6,395,1213544064,-;cache 0
            6,396,1213544067,-;rss 0
            6,397,1213544068,-;rss_huge 0
            6,398,1213544070,-;shmem 0
            6,399,1213544071,-;mapped_file 0
            6,400,1213544072,-;dirty 0
            6,401,1213544073,-;writeback 0
            6,402,1213544075,-;workingset_refault_anon 0
            6,403,1213544076,-;workingset_refault_file 0
            6,404,1213544077,-;swap 0
            6,405,1213544078,-;swapcached 0
            6,406,1213544079,-;pgpgin 0
            6,407,1213544081,-;pgpgout 0
            6,408,1213544082,-;pgfault 0
            6,409,1213544083,-;pgmajfault 0
            6,410,1213544084,-;inactive_anon 0
            6,411,1213544086,-;active_anon 0
            6,412,1213544087,-;inactive_file 0
            6,413,1213544088,-;active_file 0
            6,414,1213544089,-;unevictable 0
            6,415,1213544090,-;hierarchical_memory_limit 67108864
            6,416,1213544092,-;hierarchical_memsw_limit 9223372036854771712
            6,417,1213544093,-;total_cache 0
            6,418,1213544094,-;total_rss 66547712
            6,419,1213544096,-;total_rss_huge 0
            6,420,1213544097,-;total_shmem 0
            6,421,1213544098,-;total_mapped_file 0
            6,422,1213544100,-;total_dirty 0
            6,423,1213544101,-;total_writeback 0
            6,424,1213544102,-;total_workingset_refault_anon 0
            6,425,1213544104,-;total_workingset_refault_file 0
            6,426,1213544105,-;total_swap 0
            6,427,1213544106,-;total_swapcached 0
            6,428,1213544107,-;total_pgpgin 19330
            6,429,1213544109,-;total_pgpgout 3060
            6,430,1213544110,-;total_pgfault 24074
            6,431,1213544111,-;total_pgmajfault 0
            6,432,1213544112,-;total_inactive_anon 66502656
            6,433,1213544114,-;total_active_anon 12288
            6,434,1213544115,-;total_inactive_file 0
            6,435,1213544116,-;total_active_file 0
            6,436,1213544118,-;total_unevictable 0
            6,437,1213544119,-;Tasks state (memory values in pages):
            6,438,1213544120,-;[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
            6,439,1213544123,-;[   4159]     0  4159     1122      480      118      362         0    49152        0             0 bash
            6,440,1213544129,-;[   4160]     0  4160      648      404        0      404         0    49152        0             0 sh
            6,441,1213544133,-;[   4161]     0  4161      730      402        0      402         0    45056        0             0 sleep
            6,442,1213544136,-;[   4162]     0  4162    18794    17815    16160     1655         0   196608        0             0 python3
            6,443,1213544140,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/klogtest,task_memcg=/klogtest/worker,task=python3,pid=4162,uid=0
            3,444,1213544163,-;Memory cgroup out of memory: Killed process 4162 (python3) total-vm:75176kB, anon-rss:64640kB, file-rss:6620kB, shmem-rss:0kB, UID:0 pgtables:192kB oom_score_adj:0
            """;

    /// dmesg of Linux 6.18.44: an ext4 image whose directory blocks were overwritten.
    static final String LINUX_6_18_EXT4 = """
            [ 1251.452421] loop0: detected capacity change from 0 to 65536
            [ 1251.461373] EXT4-fs (loop0): mounted filesystem cb06a7b0-6bb4-422a-8667-09f8c18217b1 r/w with ordered data mode. Quota mode: none.
            [ 1251.464185] EXT4-fs error (device loop0): ext4_dx_csum_verify:470: inode #12: comm ls: dir seems corrupt?  Run e2fsck -D.
            [ 1251.467096] EXT4-fs error (device loop0): dx_probe:791: inode #12: comm ls: Directory index failed checksum
            [ 1251.470444] EXT4-fs error (device loop0): ext4_dx_csum_verify:470: inode #12: comm cat: dir seems corrupt?  Run e2fsck -D.
            [ 1251.471712] EXT4-fs error (device loop0): dx_probe:791: inode #12: comm cat: Directory index failed checksum
            [ 1251.480202] EXT4-fs (loop0): unmounting filesystem cb06a7b0-6bb4-422a-8667-09f8c18217b1.
            """;
}
