// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.diagnosis.view.RecentKills;
import dev.ullage.host.Evidence;
import dev.ullage.host.service.Service;
import dev.ullage.host.service.ServiceEnds;
import dev.ullage.host.service.ServiceEnds.End;
import dev.ullage.measure.Seconds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A unit or container that ended badly not long ago, or is started again and again: the server that is not there to be
/// diagnosed any more.
///
/// @param age since its last end
/// @param byKernel whether the kernel log holds the kill that ended it
public record Death(End end, Optional<Seconds> age, boolean byKernel) {
    public static List<Death> in(Evidence evidence) {
        List<Death> deaths = new ArrayList<>();
        for (End end : evidence.latest(ServiceEnds.FACT)
                .orElse(new ServiceEnds(List.of()))
                .all()) {
            Optional<Seconds> age = end.at().flatMap(at -> evidence.to()
                    .wall()
                    .map(now ->
                            new Seconds(Math.max(0, Duration.between(at, now).toMillis() / 1e3))));
            boolean young =
                    age.map(a -> a.compareTo(evidence.focus().since()) <= 0).orElse(false);
            if (young) deaths.add(new Death(end, age, isByKernel(evidence, end)));
        }
        return deaths;
    }

    private static boolean isByKernel(Evidence evidence, End end) {
        return RecentKills.in(evidence).stream()
                .flatMap(kill -> kill.kill().victim().cgroup().stream())
                .map(Service::ofPath)
                .flatMap(Optional::stream)
                .anyMatch(service -> end.kind().equals("unit")
                        ? service.name().equals(end.name())
                        : !end.id().isEmpty() && service.id().equals(end.id()));
    }

    /// `unit llama.service: SIGKILL 4 min ago, started again 4 times`.
    public String shown() {
        String restarts = end.restarts() == 0
                ? end.running() ? ", running again" : ""
                : ", started again " + end.restarts() + (end.restarts() == 1 ? " time" : " times");
        return end.kind() + " " + end.name() + ": " + end.exit()
                + age.map(a -> " " + a.shown() + " ago").orElse("") + restarts;
    }

    /// What tells why.
    public String next() {
        if (byKernel) return "the kernel's OOM killer ended it: the kill is among the findings";
        if (end.oom())
            return (end.kind().equals("unit") ? "systemd" : "the container runtime") + " says: out of memory";
        return "ullage explain --" + end.kind() + " " + end.name();
    }
}
