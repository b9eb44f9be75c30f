// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.diagnosis.Death;
import dev.ullage.diagnosis.Saw;
import dev.ullage.diagnosis.Severity;
import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.server.ServerState.Health;
import dev.ullage.host.server.ServerState.Requests;
import dev.ullage.host.service.Service;
import dev.ullage.measure.Count;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Present;
import dev.ullage.measure.Seconds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a server suffers that a lack of GPU memory would explain. Without any of it nothing on a GPU is more than a
/// warning, and mostly it is nothing.
///
/// @param health what it says of itself
/// @param isYoung whether it was started so short a time ago that it may still be loading
/// @param death that its unit or container ended badly not long ago, or is started again and again
/// @param waiting requests that waited at both ends of the window, as far as they were asked
/// @param preempted requests that were thrown out of the KV cache in the window
/// @param kvCacheUse the higher of both ends
/// @param generated tokens, over the window
/// @param source where the numbers were read
public record Suffering(
        Health health,
        boolean isYoung,
        Optional<Death> death,
        Optional<Long> waiting,
        Optional<Long> preempted,
        Optional<Ratio> kvCacheUse,
        Optional<PerSecond> generated,
        String source) {
    /// A server of any size has loaded its model by then, unless its disk is the trouble.
    private static final Seconds YOUNG = Seconds.ofMinutes(10);

    /// A burst of a few requests is served in the next moment.
    private static final long MANY = 5;

    public static Suffering of(Evidence evidence, GpuServer server) {
        Optional<ServerStates> states = value(server.states());
        Optional<ServerState> now = states.map(ServerStates::now);
        Optional<ServerState> before = states.flatMap(s -> value(s.window())).map(Change::before);
        Optional<Long> waiting = now.flatMap(s -> value(s.requests()))
                .map(Requests::waiting)
                .map(w -> Math.max(
                        0,
                        Math.min(
                                w,
                                before.flatMap(s -> value(s.requests()))
                                        .map(Requests::waiting)
                                        .orElse(w))));
        Optional<Ratio> use = now.flatMap(s -> value(s.kvCacheUse()))
                .map(u -> before.flatMap(s -> value(s.kvCacheUse()))
                        .filter(then -> then.compareTo(u) > 0)
                        .orElse(u));
        return new Suffering(
                now.map(ServerState::health).orElse(Health.UNKNOWN),
                server.age(evidence).compareTo(YOUNG) < 0,
                deathOf(evidence, server),
                waiting,
                states.flatMap(ServerStates::preempted),
                use,
                states.flatMap(ServerStates::generatedTokens),
                states.map(ServerStates::source).orElse(ServerState.FACT.source()));
    }

    private static <T> Optional<T> value(Reading<T> reading) {
        return reading instanceof Present<T>(T value) ? Optional.of(value) : Optional.empty();
    }

    private static Optional<Death> deathOf(Evidence evidence, GpuServer server) {
        Service service =
                evidence.latest(Service.FACT, server.workload().main()).orElse(Service.NONE);
        if (service.isNone()) return Optional.empty();
        return Death.in(evidence).stream()
                .filter(death -> death.end().kind().equals("unit")
                        ? !service.isContainer()
                                && service.name().equals(death.end().name())
                        : service.isContainer()
                                && service.id().equals(death.end().id()))
                .findFirst();
    }

    /// It says that it cannot serve, or it has died not long ago and is starting again. One that has run for longer
    /// than
    /// a start takes has left that death behind.
    public boolean fails() {
        return health == Health.FAILING || death.isPresent() && isStarting();
    }

    /// It has not said that it serves, and is young or says that it loads.
    public boolean isStarting() {
        return health == Health.LOADING || health == Health.UNKNOWN && isYoung;
    }

    public boolean waits() {
        return waiting.orElse(0L) > MANY;
    }

    public boolean preempts() {
        return preempted.orElse(0L) > 0;
    }

    /// Requests wait and nobody gets a token.
    public boolean standsStill() {
        return waits() && generated.isPresent() && generated.get().perSecond() == 0;
    }

    /// The worst that a verdict which explains all of it may be.
    public Severity severity() {
        if (fails() || standsStill()) return Severity.CRITICAL;
        return waits() || preempts() || isStarting() ? Severity.WARNING : Severity.ADVICE;
    }

    /// `its unit was started again 4 times`, `12 requests wait`; empty when it suffers nothing.
    public String shown() {
        List<String> all = new ArrayList<>();
        if (health == Health.FAILING) all.add("says that it cannot serve");
        death.filter(_ -> fails())
                .ifPresent(d -> all.add(
                        d.end().restarts() > 0
                                ? "was started again " + d.end().restarts()
                                        + (d.end().restarts() == 1 ? " time" : " times")
                                : "died " + d.age().orElse(Seconds.NONE).shown() + " ago"));
        if (all.isEmpty() && isStarting()) all.add("is still loading");
        if (waits()) all.add("lets " + new Count(waiting.get()).shown() + " requests wait");
        if (preempts()) all.add("threw " + new Count(preempted.get()).shown() + " out of it");
        return String.join(" and ", all);
    }

    public List<Saw> saw() {
        List<Saw> saw = new ArrayList<>();
        death.filter(_ -> fails())
                .ifPresent(d -> saw.add(Saw.text("its end", d.shown(), "journalctl, container runtimes")));
        if (health == Health.FAILING || health == Health.LOADING)
            saw.add(Saw.text("its health", health == Health.FAILING ? "cannot serve" : "loading", source));
        // Of a server that fails, what it counted before is beside the point.
        if (!saw.isEmpty()) return saw;
        kvCacheUse.ifPresent(use -> saw.add(Saw.of("KV cache in use", use, source)));
        waiting.ifPresent(w -> saw.add(Saw.of("requests that wait", new Count(w), source)));
        preempted.ifPresent(p -> saw.add(Saw.of("requests thrown out of the KV cache", new Count(p), source)));
        return saw;
    }
}
