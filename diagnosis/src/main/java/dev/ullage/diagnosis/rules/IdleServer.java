// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.rules;

import dev.ullage.diagnosis.Cause;
import dev.ullage.diagnosis.Finding;
import dev.ullage.diagnosis.Rule;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.diagnosis.Signs;
import dev.ullage.diagnosis.Subject;
import dev.ullage.diagnosis.Verdict;
import dev.ullage.diagnosis.view.CpuUse;
import dev.ullage.diagnosis.view.ServerStates;
import dev.ullage.diagnosis.view.Stall;
import dev.ullage.host.Evidence;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.cpu.CpuTime;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;

/// A server neither computes nor waits: nobody asks it anything, or what it waits for is not on this host.
public final class IdleServer implements Rule {
    private static final double NEARLY_NOTHING = 0.03;

    @Override
    public String name() {
        return "idle-server";
    }

    @Override
    public Cause cause() {
        return Cause.NOT_MEMORY;
    }

    @Override
    public List<Fact<Host, ?>> needs() {
        return List.of(CpuTime.FACT);
    }

    @Override
    public boolean needsWindow() {
        return true;
    }

    @Override
    public Verdict judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        for (Workload workload : evidence.servers()) {
            CpuUse use = CpuUse.of(evidence, workload);
            Stall stall = Stall.of(evidence, workload);
            boolean idle = use.cores() < NEARLY_NOTHING
                    && stall.isKnown()
                    && stall.waiting().ratio() < NEARLY_NOTHING;
            if (idle && !computesElsewhere(evidence, workload)) findings.add(finding(workload, use, stall));
        }
        return Verdict.of(findings, "every server is at work");
    }

    /// A server whose GPU computes uses hardly any CPU: it says itself that requests run, or that it loads.
    private static boolean computesElsewhere(Evidence evidence, Workload workload) {
        Reading<ServerState> now = ServerStates.of(evidence, workload).map(ServerStates::now);
        return now.map(state -> state.health() == ServerState.Health.LOADING).orElse(false)
                || now.flatMap(ServerState::requests)
                        .map(requests -> requests.running() + requests.waiting() > 0)
                        .orElse(false);
    }

    private Finding finding(Workload workload, CpuUse use, Stall stall) {
        return new Finding(
                this,
                Severity.ADVICE,
                new Signs().sign(true).sign(stall.isKnown()).confidence(),
                workload.shown() + " is idle: " + new Ratio(use.cores()).shown() + " of a core, waits for nothing here",
                List.of(
                        Saw.of(
                                "CPU time it used, in cores",
                                new Ratio(use.cores()),
                                "/proc/" + workload.main().pid() + "/stat"),
                        stall.saw()),
                "if its users see it as slow, look at the network, the proxy before it and its request queue",
                Subject.of(workload),
                List.of());
    }
}
