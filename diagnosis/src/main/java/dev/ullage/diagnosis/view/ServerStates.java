// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.view;

import dev.ullage.host.Change;
import dev.ullage.host.Evidence;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.ServerSettings;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.server.ServerState.Times;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Counter;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import dev.ullage.measure.Seconds;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What a server says of itself, at the end of the window and over it.
///
/// Mistake people make: the mean since the server started. A server that was fast for a month and is slow now has a
/// good one; what counts is what was added in the window.
///
/// @param process which of its processes told it
/// @param now at the last instant it answered
/// @param window from its first to its last answer; absent when there was one
/// @param settings what it says it was set to, else what its command line says
public record ServerStates(
        ProcessId process, ServerState now, Reading<Change<ServerState>> window, ServerSettings settings) {
    /// Its processes that answered, the first of them before the others. Else the reason that tells most: what was
    /// asked and did not answer
    /// before what was never to be asked.
    public static Reading<ServerStates> of(Evidence evidence, Workload workload) {
        Absent<ServerState> why = null;
        ServerStates found = null;
        for (ProcessId id : workload.processes()) {
            switch (evidence.lastSeen(ServerState.FACT, id)) {
                case Present<ServerState>(ServerState now) -> {
                    Reading<Change<ServerState>> window = evidence.change(ServerState.FACT, id);
                    found = found == null
                            ? new ServerStates(id, now, window, now.settings().orElse(settings(evidence, workload)))
                            : found.orElse(now, window);
                }
                case Absent<ServerState> absent -> {
                    if (why == null || weight(absent.cause()) > weight(why.cause())) why = absent;
                }
            }
        }
        if (found != null) return Reading.of(found);
        return why == null
                ? Reading.absent(ServerState.FACT.source(), AbsentCause.NOT_PRESENT, "it has no process")
                : why.as();
    }

    private ServerStates orElse(ServerState other, Reading<Change<ServerState>> otherWindow) {
        Reading<Change<ServerState>> both = window.flatMap(mine -> otherWindow.map(its ->
                new Change<>(mine.before().orElse(its.before()), mine.after().orElse(its.after()), mine.elapsed())));
        return new ServerStates(
                process, now.orElse(other), both.isPresent() ? both : window, settings.orElse(other.settings()));
    }

    /// What the command lines of a workload say, the main process's first.
    public static ServerSettings settings(Evidence evidence, Workload workload) {
        ServerSettings settings = ServerSettings.NONE;
        for (ProcessId id : workload.processes())
            if (evidence.latest(CommandLine.FACT, id) instanceof Present<CommandLine>(CommandLine command))
                settings = settings.orElse(Engine.of(command)
                        .map(engine -> ServerSettings.of(engine, command))
                        .orElse(ServerSettings.NONE));
        return settings;
    }

    private static int weight(AbsentCause cause) {
        return switch (cause) {
            case TIMED_OUT -> 5;
            case NO_PERMISSION -> 4;
            case MALFORMED -> 3;
            case NOT_CONFIGURED -> 2;
            // A process that listens nowhere weighs more than one that nobody thought of asking.
            case NOT_PRESENT, NOT_ON_THIS_KERNEL -> 1;
            case NOT_RECORDED, VANISHED -> 0;
        };
    }

    /// Mean time to the first token of the requests that got theirs in the window; empty when none did.
    public Optional<Seconds> timeToFirstToken() {
        return mean(ServerState::timeToFirstToken);
    }

    /// Mean time from one token to the next, in the window.
    public Optional<Seconds> interTokenTime() {
        return mean(ServerState::interTokenTime);
    }

    public Optional<PerSecond> preemptions() {
        return rate(ServerState::preemptions);
    }

    /// Requests thrown out of the KV cache in the window.
    public Optional<Long> preempted() {
        return increase(ServerState::preemptions);
    }

    public Optional<PerSecond> generatedTokens() {
        return rate(ServerState::generatedTokens);
    }

    public Optional<PerSecond> promptTokens() {
        return rate(ServerState::promptTokens);
    }

    /// Where to look it up: `http://127.0.0.1:8000/metrics`.
    public String source() {
        return now.source();
    }

    private Optional<Seconds> mean(Function<ServerState, Reading<Times>> of) {
        if (!(window instanceof Present<Change<ServerState>>(Change<ServerState> change))
                || !(of.apply(change.before()) instanceof Present<Times>(Times before))
                || !(of.apply(change.after()) instanceof Present<Times>(Times after))) return Optional.empty();
        Times added = after.since(before);
        return added.count() > 0 ? Optional.of(added.mean()) : Optional.empty();
    }

    private Optional<Long> increase(Function<ServerState, Reading<Long>> of) {
        if (!(window instanceof Present<Change<ServerState>>(Change<ServerState> change))
                || !(of.apply(change.after()) instanceof Present<Long>(Long after))) return Optional.empty();
        return switch (of.apply(change.before())) {
            case Present<Long>(Long before) -> Optional.of(Counter.increase(before, after));
            // Some counters are not on the page before they count for the first time.
            case Absent<Long> _ -> change.before().requests().isPresent() ? Optional.of(after) : Optional.empty();
        };
    }

    private Optional<PerSecond> rate(Function<ServerState, Reading<Long>> of) {
        return increase(of)
                .flatMap(grown -> window instanceof Present<Change<ServerState>>(Change<ServerState> change)
                        ? Optional.of(new PerSecond(grown / change.elapsed().seconds()))
                        : Optional.empty());
    }

    /// Models that do not lie on GPUs as a whole; Ollama tells it.
    public List<ServerState.LoadedModel> loaded() {
        return now.loaded().orElse(List.of());
    }
}
