// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.measure.Bytes;
import java.util.Optional;

/// Files in memory file systems, as opposed to shared memory that programs have mapped and work with.
///
/// @param mount the tmpfs that holds most
public record Tmpfs(Mount mount, Bytes used) {
    public static Optional<Tmpfs> fullest(Evidence evidence) {
        Tmpfs most = null;
        for (Mount mount : evidence.subjects(FileSystemSpace.FACT)) {
            if (!mount.type().equals("tmpfs")) continue;
            Bytes used = evidence.lastSeen(FileSystemSpace.FACT, mount)
                    .map(FileSystemSpace::used)
                    .orElse(Bytes.NONE);
            if (most == null || used.isMoreThan(most.used)) most = new Tmpfs(mount, used);
        }
        return Optional.ofNullable(most).filter(t -> t.used.bytes() > 0);
    }

    /// Shared memory that the processes of a workload have mapped: their working memory, not files somebody left. All
    /// processes of one server map the same segments, so the largest counts.
    public static Bytes mappedBy(Evidence evidence, Workload workload) {
        Bytes most = Bytes.NONE;
        for (ProcessId id : workload.processes()) {
            Bytes mapped = evidence.lastSeen(ProcessMemory.FACT, id)
                    .map(ProcessMemory::shmem)
                    .orElse(Bytes.NONE);
            if (mapped.isMoreThan(most)) most = mapped;
        }
        return most;
    }
}
