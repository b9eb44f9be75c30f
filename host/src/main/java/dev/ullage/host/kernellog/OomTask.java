// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.measure.Bytes;
import java.util.Optional;

/// A process that could have been killed: a row of the report's task table. In a cgroup's report the cgroup's
/// processes, else all of the host; none with `vm.oom_dump_tasks=0`.
///
/// ```
/// [  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name
/// [   4162]     0  4162    18794    17815    16160     1655         0         196608        0             0 python3
/// ```
/// Mistake people make: reading these as kB; they are pages, and a page is 64 KiB on many aarch64 hosts. Here they
/// are bytes: the page size follows from the victim, whose size the report gives in both units.
///
/// @param rss resident: own memory and mapped files
/// @param rssAnon memory of its own; this and the next two only since 6.8
/// @param swap what of it is swapped out
public record OomTask(
        int pid,
        long uid,
        String name,
        Bytes totalVm,
        Bytes rss,
        Optional<Bytes> rssAnon,
        Optional<Bytes> rssFile,
        Optional<Bytes> rssShmem,
        Bytes swap,
        int oomScoreAdj) {
    /// What its end would give back at least: its own memory and its swap. Before 6.8, which does not tell mapped
    /// files apart, all that was resident.
    public Bytes held() {
        return rssAnon.orElse(rss).plus(swap);
    }
}
