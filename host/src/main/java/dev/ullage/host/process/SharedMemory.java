// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.storage.FileSystemSpace;

/// The /dev/shm a process sees: statfs(2) of `/proc/<pid>/root/dev/shm`. A container has its own, 64 MiB unless it was
/// started with `--shm-size` or `--ipc=host`; the host's says nothing about it.
///
/// Source: Docker's run reference (`--shm-size`, default 64 MB); Kubernetes gives 64 MiB and knows no option, only an
/// `emptyDir` with `medium: Memory` mounted there.
///
/// Mistake people make: looking at the host's `df /dev/shm`. NCCL, PyTorch's DataLoader and Ray put their segments into
/// the container's, and when it is full the process that *touches* the page dies by SIGBUS, not the one that asked.
///
/// @param space its size and what is left
public record SharedMemory(FileSystemSpace space) {
    public static final Fact<ProcessId, SharedMemory> FACT = new Fact<>(
            "/dev/shm as a server sees it",
            "statfs /proc/<pid>/root/dev/shm",
            Cadence.ENDS,
            "run as root",
            (root, id) -> root.ask(Call.STATFS, id.file("root/dev/shm"))
                    .flatMap(FileSystemSpace::parse)
                    .map(SharedMemory::new));
}
