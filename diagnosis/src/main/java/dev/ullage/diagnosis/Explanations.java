// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.diagnosis.view.Symptom;
import dev.ullage.diagnosis.view.Symptoms;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.Workload;
import java.util.ArrayList;
import java.util.List;

/// Which symptoms of the servers a finding explains, and the ceiling for one that explains none.
///
/// A limit that is nearly used up, a card that is full, a cache that was evicted: all of it may be so without anybody
/// noticing. It is critical only when a server fails, was killed, stood still, or will within ten minutes. A rule that
/// saw a failure itself, or foretells one, says which ([Finding#explaining]); for all others the symptoms are those
/// that
/// the servers show. Whoever can name neither raises a warning at most.
final class Explanations {
    private Explanations() {}

    static List<Finding> of(Evidence evidence, List<Finding> findings) {
        return findings.stream().map(finding -> explained(evidence, finding)).toList();
    }

    private static Finding explained(Evidence evidence, Finding finding) {
        if (!finding.isAlarm() || !finding.explains().isEmpty()) return finding;
        List<String> symptoms = new ArrayList<>();
        for (Workload server : evidence.servers()) {
            boolean isConcerned = finding.subject().affects().isEmpty()
                    || finding.subject().affects().contains(server.main().pid());
            if (!isConcerned) continue;
            Symptoms.troubles(evidence, server).stream()
                    .filter(symptom -> mayBring(finding.cause(), symptom))
                    .forEach(symptom -> symptoms.add(server.shown() + " " + symptom.words()));
        }
        return symptoms.isEmpty() ? finding.atMost(Severity.WARNING) : finding.explaining(symptoms);
    }

    /// Whether a cause can bring such a symptom at all. What users feel may come from anything.
    private static boolean mayBring(Cause cause, Symptom symptom) {
        return switch (symptom) {
            case Symptom.Waits _, Symptom.KernelWork _ -> makesWait(cause);
            case Symptom.Killed _ -> cause.layer() == Layer.HOST_MEMORY;
            case Symptom.Preempted _ -> cause.layer() == Layer.GPU_MEMORY;
            case Symptom.FirstToken _,
                    Symptom.NextToken _,
                    Symptom.Queue _,
                    Symptom.Silent _,
                    Symptom.Loading _,
                    Symptom.Failing _,
                    Symptom.Died _,
                    Symptom.Writes _ -> true;
        };
    }

    /// Whether a cause makes threads wait in the kernel, for a page or a disk. A full disk or a limit of names refuses;
    /// a GPU is waited for in user mode.
    private static boolean makesWait(Cause cause) {
        return switch (cause) {
            case HOST_RAM,
                    CGROUP_LIMIT,
                    SWAP_THRASH,
                    PAGE_CACHE_THRASH,
                    DUPLICATE_COPIES,
                    MEMORY_LEAK,
                    TMPFS_IN_RAM,
                    PINNED_MEMORY,
                    HUGEPAGES_RESERVED,
                    NUMA_IMBALANCE,
                    MEMORY_FRAGMENTATION,
                    COLD_START,
                    SLOW_DISK,
                    DISK_CONTENTION,
                    IO_THROTTLED,
                    NETWORK_FILESYSTEM,
                    CORRUPT_FILE -> true;
            case SHARED_MEMORY,
                    MEMLOCK_LIMIT,
                    MAP_COUNT_LIMIT,
                    ADDRESS_SPACE_LIMIT,
                    PYTHON_HEAP,
                    VRAM_WEIGHTS,
                    VRAM_KV_CACHE,
                    VRAM_ACTIVATION,
                    VRAM_FRAGMENTATION,
                    VRAM_OTHER_PROCESS,
                    VRAM_LEAK,
                    VRAM_SPILL,
                    GPU_FAULT,
                    DISK_FULL,
                    INODE_EXHAUSTION,
                    OPEN_FILES_LIMIT,
                    NOT_MEMORY -> false;
        };
    }
}
