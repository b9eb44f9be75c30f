// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.server.MetricNames.Meaning;
import dev.ullage.host.server.ServerState.KvCachePool;
import dev.ullage.host.server.ServerState.Requests;
import dev.ullage.host.server.ServerState.Times;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.OptionalDouble;

/// The numbers of a `/metrics` page, by the names that [MetricNames] has for an engine.
///
/// @param source where the page was read, for reports
record StateOfMetrics(Engine engine, Reading<PrometheusText> page, String source) {
    private static final long MOST = 1L << 53;

    Reading<Requests> requests() {
        return sum(Meaning.RUNNING).flatMap(running -> sum(Meaning.WAITING).map(w -> new Requests(running, w)));
    }

    Reading<Ratio> kvCacheUse() {
        return find(Meaning.KV_CACHE_USE, PrometheusText::max).map(Ratio::new);
    }

    Reading<Long> preemptions() {
        return sum(Meaning.PREEMPTIONS);
    }

    Reading<Long> promptTokens() {
        return sum(Meaning.PROMPT_TOKENS);
    }

    Reading<Long> generatedTokens() {
        return sum(Meaning.GENERATED_TOKENS);
    }

    Reading<KvCachePool> pool() {
        return sum(Meaning.KV_CACHE_TOKENS).map(KvCachePool::new);
    }

    Reading<Times> times(Meaning meaning) {
        return find(meaning, (metrics, metric) -> metrics.sum(metric.with("_sum")))
                .flatMap(seconds -> find(meaning, (metrics, metric) -> metrics.sum(metric.with("_count")))
                        .map(count -> new Times(Math.max(0, seconds), whole(count))));
    }

    Reading<Long> sum(Meaning meaning) {
        return find(meaning, PrometheusText::sum).map(StateOfMetrics::whole);
    }

    private static long whole(double value) {
        return (long) Math.clamp(value, 0, MOST);
    }

    private interface Look {
        OptionalDouble at(PrometheusText page, Metric metric);
    }

    private Reading<Double> find(Meaning meaning, Look look) {
        if (page instanceof Absent<PrometheusText> absent) return absent.as();
        if (page instanceof Present<PrometheusText>(PrometheusText metrics))
            for (Metric metric : MetricNames.of(engine, meaning)) {
                OptionalDouble value = look.at(metrics, metric);
                if (value.isPresent() && Double.isFinite(value.getAsDouble())) return Reading.of(value.getAsDouble());
            }
        return Reading.absent(source, AbsentCause.NOT_CONFIGURED, engine.word() + " of this version does not tell it");
    }
}
