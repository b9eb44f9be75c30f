// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Facts;
import dev.ullage.host.process.ProcessStat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Everything that is known of a host, as text that can be compared: fact, what it is about, every reading of it.
final class AllReadings {
    private AllReadings() {}

    static Map<String, String> of(Evidence evidence) {
        List<Fact<?, ?>> facts = new ArrayList<>(List.of(ProcessStat.FACT));
        facts.addAll(Facts.OF_THE_HOST);
        facts.addAll(Facts.COURSES_OF_THE_HOST);
        facts.addAll(Facts.OF_A_MOUNT);
        facts.addAll(Facts.OF_EVERY_PROCESS);
        facts.addAll(Facts.OF_A_CANDIDATE);
        facts.addAll(Facts.OF_A_WORKLOAD);
        facts.addAll(Facts.ON_A_GPU_OF_DRM);
        facts.addAll(Facts.OF_A_MEMORY_CGROUP);
        facts.addAll(Facts.OF_A_CPU_CGROUP);
        facts.addAll(Facts.OF_AN_IO_CGROUP);
        facts.addAll(Facts.OF_A_UNIFIED_CGROUP);
        facts.addAll(Facts.OF_A_CGROUP_WITH_A_KILL);
        facts.addAll(Facts.OF_A_MODEL_FILE);
        Map<String, String> all = new TreeMap<>();
        for (Fact<?, ?> fact : facts) add(all, evidence, fact);
        all.put("workloads", evidence.workloads().toString());
        return all;
    }

    private static <K, T> void add(Map<String, String> all, Evidence evidence, Fact<K, T> fact) {
        for (K about : evidence.subjects(fact))
            all.put(
                    fact + " of " + about,
                    evidence.latest(fact, about) + " " + evidence.lastSeen(fact, about) + " "
                            + evidence.course(fact, about));
    }
}
