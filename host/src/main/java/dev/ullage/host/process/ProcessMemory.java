// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.KeyValues;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;

/// `/proc/<pid>/status`: what a process holds in memory, by kind.
///
/// ```
/// VmRSS:      640000 kB
/// RssAnon:     12000 kB
/// RssFile:    628000 kB
/// RssShmem:        0 kB
/// VmSwap:          0 kB
/// ```
/// Mistake people make: adding up VmRSS over the workers of a pool. RssFile and RssShmem are the same pages for all of
/// them; only RssAnon is a process's own, and even that is shared after fork until it is written.
public record ProcessMemory(KeyValues kib, String user) {
    public static final Fact<ProcessId, ProcessMemory> FACT = new Fact<>(
            "process memory", "/proc/<pid>/status", Cadence.ALWAYS, "", (root, id) -> root.text(id.file("status"))
                    .flatMap(ProcessMemory::parse));

    public static Reading<ProcessMemory> parse(String text) {
        KeyValues values = KeyValues.parse(text.replace('\t', ' '));
        if (values.get("VmRSS").isEmpty()) {
            return text.contains("State:")
                    ? Reading.absent("/proc/<pid>/status", AbsentCause.VANISHED, "it has no memory any more")
                    : Reading.malformed("/proc/<pid>/status", text, "a line \"VmRSS: <number> kB\"");
        }
        return Reading.of(new ProcessMemory(values, String.valueOf(values.orZero("Uid"))));
    }

    public Bytes resident() {
        return get("VmRSS");
    }

    /// Its own pages in RAM. Before 4.5, which did not split: what is resident beyond the executable file's pages is
    /// not told, so everything counts.
    public Bytes anonymous() {
        return kib.get("RssAnon").isPresent() ? get("RssAnon") : resident();
    }

    public Bytes file() {
        return get("RssFile");
    }

    public Bytes shmem() {
        return get("RssShmem");
    }

    public Bytes swapped() {
        return get("VmSwap");
    }

    /// Anonymous memory wherever it is: in RAM or swapped out.
    public Bytes anonymousAndSwapped() {
        return anonymous().plus(swapped());
    }

    public Bytes locked() {
        return get("VmLck");
    }

    /// Pages pinned for a device by RDMA, io_uring and the like (`VmPin`), counted against its RLIMIT_MEMLOCK. CUDA's
    /// page-locked memory is in neither this nor [#locked].
    public Bytes pinned() {
        return get("VmPin");
    }

    /// Address space (`VmSize`), touched or not: what RLIMIT_AS limits. Libraries, CUDA's reservations and mapped
    /// models
    /// count whole.
    public Bytes addressSpace() {
        return get("VmSize");
    }

    private Bytes get(String name) {
        return Bytes.ofKiB(kib.orZero(name));
    }
}
