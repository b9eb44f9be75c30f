// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.Death;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cpu.CpuTime;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.server.ServerState.Requests;
import dev.ullage.host.server.Workload;
import dev.ullage.host.service.Service;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// What a server's users feel and what it says itself: the symptoms of one workload, troubles first.
///
/// A cause that explains none of them is a warning at most: memory may be short and nobody suffer.
public final class Symptoms {
    private final Evidence evidence;
    private final Workload workload;
    private final List<Symptom> all = new ArrayList<>();

    private Symptoms(Evidence evidence, Workload workload) {
        this.evidence = evidence;
        this.workload = workload;
    }

    public static List<Symptom> of(Evidence evidence, Workload workload) {
        return new Symptoms(evidence, workload).found();
    }

    /// Those of them from which somebody suffers.
    public static List<Symptom> troubles(Evidence evidence, Workload workload) {
        return of(evidence, workload).stream().filter(Symptom::isTrouble).toList();
    }

    private List<Symptom> found() {
        addEnds();
        switch (ServerStates.of(evidence, workload)) {
            case Present<ServerStates>(ServerStates states) -> {
                // It answered, and then no more.
                if (evidence.latest(ServerState.FACT, states.process()) instanceof Absent<ServerState> now
                        && now.cause() == AbsentCause.TIMED_OUT)
                    all.add(new Symptom.Silent(now.detail(), now.source()));
                addSaid(states);
            }
            case Absent<ServerStates> absent -> {
                if (absent.cause() == AbsentCause.TIMED_OUT)
                    all.add(new Symptom.Silent(absent.detail(), absent.source()));
            }
        }
        Stall stall = Stall.of(evidence, workload);
        if (stall.isKnown()) all.add(new Symptom.Waits(stall.waiting(), stall.source()));
        Symptom kernelWork = new Symptom.KernelWork(stall.system(), stall.waiting(), "/proc/<pid>/stat field 15");
        if (kernelWork.isTrouble()) all.add(kernelWork);
        all.sort(Comparator.comparing((Symptom symptom) -> !symptom.isTrouble()));
        return List.copyOf(all);
    }

    private void addSaid(ServerStates states) {
        ServerState now = states.now();
        String source = states.source();
        switch (now.health()) {
            case LOADING -> all.add(new Symptom.Loading(age(states.process()), source));
            case FAILING -> all.add(new Symptom.Failing(source));
            case SERVING, UNKNOWN -> {}
        }
        states.timeToFirstToken().ifPresent(mean -> all.add(new Symptom.FirstToken(mean, source)));
        states.interTokenTime().ifPresent(mean -> all.add(new Symptom.NextToken(mean, source)));
        if (now.requests() instanceof Present<Requests>(Requests requests))
            all.add(new Symptom.Queue(
                    requests.running(), requests.waiting(), waitedBefore(states, requests.waiting()), source));
        states.preempted()
                .ifPresent(times -> all.add(new Symptom.Preempted(
                        times, states.window().map(Change::elapsed).orElse(Seconds.NONE), source)));
        states.generatedTokens().ifPresent(tokens -> all.add(new Symptom.Writes(tokens, source)));
    }

    private static long waitedBefore(ServerStates states, long now) {
        return states.window()
                .flatMap(change -> change.before().requests())
                .map(Requests::waiting)
                .orElse(now);
    }

    private Seconds age(ProcessId id) {
        double now = evidence.to().monotonic().seconds();
        return new Seconds(Math.max(0, now - id.startTicks() / CpuTime.TICKS_PER_SECOND));
    }

    /// Kills and deaths of it: by the cgroups above it, by its name, by its unit or container.
    private void addEnds() {
        Set<CgroupId> chain = MemoryLimits.chain(evidence, workload);
        String command = evidence.lastSeen(ProcessStat.FACT, workload.main())
                .map(ProcessStat::command)
                .orElse("");
        for (RecentKills kill : RecentKills.in(evidence)) {
            String path = kill.kill().victim().cgroup().orElse("/");
            boolean inItsCgroup =
                    chain.stream().anyMatch(id -> !id.isRoot() && id.path().equals(path));
            if (kill.counts() && (inItsCgroup || kill.kill().victim().name().equals(command)))
                all.add(new Symptom.Killed(kill));
        }
        if (!(service() instanceof Present<Service>(Service service)) || service.equals(Service.NONE)) return;
        for (Death death : Death.in(evidence)) {
            boolean byId = !death.end().id().isEmpty() && death.end().id().equals(service.id());
            boolean byName = !service.name().isEmpty() && death.end().name().equals(service.name());
            if (byId || byName) all.add(new Symptom.Died(death));
        }
    }

    private Reading<Service> service() {
        return evidence.latest(Service.FACT, workload.main());
    }
}
