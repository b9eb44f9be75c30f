// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.server.MetricNames.Meaning;
import dev.ullage.host.server.ServerState.Health;
import dev.ullage.host.server.ServerState.KvCachePool;
import dev.ullage.host.server.ServerState.LoadedModel;
import dev.ullage.host.server.ServerState.Requests;
import dev.ullage.host.server.ServerState.Times;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import java.util.List;

/// A [ServerState] while it is put together: each engine tells a part of it, and the rest is absent with one reason.
final class StateDraft {
    private final String source;
    String version = "";
    List<String> models = List.of();
    Health health = Health.UNKNOWN;
    Reading<Ratio> kvCacheUse;
    Reading<Requests> requests;
    Reading<Long> preemptions;
    Reading<Times> timeToFirstToken;
    Reading<Times> interTokenTime;
    Reading<Long> promptTokens;
    Reading<Long> generatedTokens;
    Reading<KvCachePool> kvCachePool;
    Reading<List<LoadedModel>> loaded;
    ServerSettings settings = ServerSettings.NONE;

    /// @param source of its numbers
    /// @param why what the engine does not tell is absent
    StateDraft(String source, String why) {
        this.source = source;
        Reading<Object> untold = Reading.absent(source, AbsentCause.NOT_CONFIGURED, why);
        kvCacheUse = untold.map(Ratio.class::cast);
        requests = untold.map(Requests.class::cast);
        preemptions = untold.map(Long.class::cast);
        timeToFirstToken = untold.map(Times.class::cast);
        interTokenTime = untold.map(Times.class::cast);
        promptTokens = untold.map(Long.class::cast);
        generatedTokens = untold.map(Long.class::cast);
        kvCachePool = untold.map(KvCachePool.class::cast);
        loaded = untold.map(_ -> List.of());
    }

    /// Everything that a page of metrics tells.
    void take(StateOfMetrics metrics) {
        kvCacheUse = metrics.kvCacheUse();
        requests = metrics.requests();
        preemptions = metrics.preemptions();
        timeToFirstToken = metrics.times(Meaning.TIME_TO_FIRST_TOKEN);
        interTokenTime = metrics.times(Meaning.INTER_TOKEN_TIME);
        promptTokens = metrics.promptTokens();
        generatedTokens = metrics.generatedTokens();
        kvCachePool = metrics.pool();
    }

    ServerState built() {
        return new ServerState(
                source,
                version,
                List.copyOf(models),
                health,
                kvCacheUse,
                requests,
                preemptions,
                timeToFirstToken,
                interTokenTime,
                promptTokens,
                generatedTokens,
                kvCachePool,
                loaded,
                settings);
    }
}
