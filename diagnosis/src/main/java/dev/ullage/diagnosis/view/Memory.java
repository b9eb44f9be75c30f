// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.List;

/// What of the host's memory a server holds, by what it is for.
public final class Memory {
    private Memory() {}

    public record Part(String what, Bytes bytes) {}

    /// Empty when nothing of it was seen, as in a sosreport: not seen is not zero.
    public static List<Part> of(Evidence evidence, Workload server) {
        boolean seen = server.processes().stream()
                .anyMatch(id -> evidence.lastSeen(ProcessMemory.FACT, id).isPresent());
        if (!seen) return List.of();
        Bytes swapped = Bytes.NONE;
        for (ProcessId id : server.processes())
            swapped = swapped.plus(evidence.lastSeen(ProcessMemory.FACT, id)
                    .map(ProcessMemory::swapped)
                    .orElse(Bytes.NONE));
        List<Bytes> cached = new ArrayList<>();
        for (ModelFile file : server.models())
            if (evidence.latest(PageCache.FACT, file) instanceof Present<PageCache>(PageCache pages))
                cached.add(pages.resident());
        List<Part> parts = new ArrayList<>();
        if (!cached.isEmpty()) parts.add(new Part("weights-page-cache", Bytes.sum(cached)));
        parts.add(new Part("anonymous", Holders.own(evidence, server)));
        if (swapped.bytes() > 0) parts.add(new Part("swapped", swapped));
        return parts;
    }
}
