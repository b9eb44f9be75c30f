// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import dev.ullage.measure.Bytes;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// A process the OOM killer killed, as [KilledLine] tells it; what that line does not say is taken from the rest of
/// the report.
///
/// ```
/// Memory cgroup out of memory: Killed process 4162 (python3) total-vm:75176kB, anon-rss:64640kB, file-rss:6620kB, …
/// … shmem-rss:0kB, UID:0 pgtables:192kB oom_score_adj:0
/// ```
/// Mistake people make: taking total-vm for what was used; it is address space.
///
/// @param pid as the host's root sees it; another number inside a container
/// @param name the kernel's 15-character name of the process
/// @param cgroup where it ran (`task_memcg`); at or below the cgroup whose limit was reached
/// @param totalVm address space
/// @param anonRss memory of its own
/// @param fileRss mapped files, a mapped model too: shared, and reclaimable without a kill
/// @param shmemRss tmpfs, /dev/shm and shared anonymous memory it had mapped; since 4.5
/// @param oomScoreAdj how much it was preferred (1000) or spared (−1000)
public record OomVictim(
        int pid,
        String name,
        Optional<String> cgroup,
        OptionalLong uid,
        Optional<Bytes> totalVm,
        Optional<Bytes> anonRss,
        Optional<Bytes> fileRss,
        Optional<Bytes> shmemRss,
        OptionalInt oomScoreAdj) {
    /// One of which only this is known.
    static OomVictim of(int pid, String name) {
        return new OomVictim(
                pid,
                name,
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty());
    }

    OomVictim in(Optional<String> place) {
        return new OomVictim(pid, name, cgroup.or(() -> place), uid, totalVm, anonRss, fileRss, shmemRss, oomScoreAdj);
    }

    /// With what its row of the task table says, where its own line said nothing.
    OomVictim and(OomTask row) {
        return new OomVictim(
                pid,
                name,
                cgroup,
                uid.isPresent() ? uid : OptionalLong.of(row.uid()),
                totalVm.or(() -> Optional.of(row.totalVm())),
                anonRss.or(row::rssAnon),
                fileRss.or(row::rssFile),
                shmemRss.or(row::rssShmem),
                oomScoreAdj.isPresent() ? oomScoreAdj : OptionalInt.of(row.oomScoreAdj()));
    }
}
