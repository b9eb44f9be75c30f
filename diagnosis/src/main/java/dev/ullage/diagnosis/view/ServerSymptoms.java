// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.Severity;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.Workload;
import java.util.ArrayList;
import java.util.List;

/// What somebody who uses a server would notice, or its own counters show: that it stands still.
///
/// @param text reads on after the server's name: `waits 63 % of the time`
/// @param isWaiting whether it is its threads that wait in the kernel, for a page or a disk
public record ServerSymptoms(String text, boolean isWaiting) {
    public static List<ServerSymptoms> of(Evidence evidence, Workload server) {
        List<ServerSymptoms> symptoms = new ArrayList<>();
        Stall stall = Stall.of(evidence, server);
        if (stall.isKnown() && stall.waiting().isAtLeast(Severity.WARNING_STALL))
            symptoms.add(new ServerSymptoms("waits " + stall.waiting().shown() + " of the time", true));
        // Page faults and reclaim are work that nobody asked for; a little of it everybody does.
        else if (stall.withKernelWork().isAtLeast(Severity.CRITICAL_STALL))
            symptoms.add(new ServerSymptoms("is in the kernel " + stall.system().shown() + " of the time", true));
        return symptoms;
    }
}
