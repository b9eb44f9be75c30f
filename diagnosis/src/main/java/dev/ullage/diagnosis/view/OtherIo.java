// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Evidence;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessIo;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// The process outside a workload that moved the most bytes to and from storage in the window.
public record OtherIo(ProcessId id, String name, BytesPerSecond moved) {
    /// @param atMost what all others together move on the device in question: who moves more is busy elsewhere
    public static Optional<OtherIo> most(Evidence evidence, Workload workload, BytesPerSecond atMost) {
        Set<ProcessId> ours = new HashSet<>(workload.processes());
        OtherIo most = null;
        for (ProcessId id : evidence.subjects(ProcessIo.FACT)) {
            if (ours.contains(id)) continue;
            Bytes bytes = evidence.change(ProcessIo.FACT, id)
                    .map(c -> c.moved(ProcessIo::readFromStorage).plus(c.moved(ProcessIo::writtenToStorage)))
                    .orElse(Bytes.NONE);
            BytesPerSecond rate = bytes.over(evidence.window());
            // A fifth more: the two counters are not read at the same moment.
            if (rate.bytesPerSecond() > 1.2 * atMost.bytesPerSecond()) continue;
            if (bytes.bytes() > 0 && (most == null || rate.compareTo(most.moved) > 0))
                most = new OtherIo(id, nameOf(evidence, id), rate);
        }
        return Optional.ofNullable(most);
    }

    private static String nameOf(Evidence evidence, ProcessId id) {
        return evidence.latest(CommandLine.FACT, id).map(CommandLine::program).orElse("process");
    }
}
