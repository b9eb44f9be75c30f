// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.server.ServerState.Health;
import dev.ullage.host.server.ServerState.KvCachePool;
import dev.ullage.host.server.ServerState.Requests;
import dev.ullage.host.server.ServerState.Times;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// llama-server: `/health`, `/props` (on unless `--props` is needed for writing only), `/slots` (on since 2025),
/// `/metrics` (only with `--metrics`).
///
/// ```
/// /health 200 {"status":"ok"}      503 {"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}
/// /props
/// {"default_generation_settings":{"n_ctx":4096,…},"total_slots":4,"model_path":"/m/a.gguf","build_info":"b6700-…"}
/// /slots  [{"id":0,"n_ctx":4096,"is_processing":true,…}]
/// ```
/// Before mid 2025 a slot said `"state":1` for one that is busy.
final class LlamaCppState {
    private static final String METRICS = "/metrics";
    private static final Metric PREDICTED_SECONDS = Metric.of("llamacpp:tokens_predicted_seconds_total");

    private LlamaCppState() {}

    static ServerState of(Answers answers) {
        StateDraft draft = new StateDraft(answers.source(METRICS), "llama-server does not tell it");
        draft.health = health(answers);
        Reading<PrometheusText> page = answers.metrics(METRICS);
        StateOfMetrics metrics = new StateOfMetrics(
                Engine.LLAMA_CPP, Answers.hinted(page, "start it with --metrics"), answers.source(METRICS));
        draft.take(metrics);
        // Seconds of generating over tokens generated: of all slots together, so no slot waits longer than that.
        draft.interTokenTime = page.flatMap(text -> interTokenTime(metrics, text));
        JsonLeaves props = answers.json("/props").orElse(JsonLeaves.parse(""));
        JsonLeaves slots = answers.json("/slots").orElse(JsonLeaves.parse(""));
        if (!draft.requests.isPresent() && slots.count("") > 0)
            draft.requests = requests(slots, answers.source("/slots"));
        OptionalDouble slotCount = props.number("total_slots");
        OptionalDouble context = props.number("default_generation_settings.n_ctx");
        if (slotCount.isPresent() && context.isPresent())
            draft.kvCachePool =
                    Reading.of(new KvCachePool((long) (Math.max(0, slotCount.getAsDouble() * context.getAsDouble()))));
        draft.version = props.text("build_info").orElse("");
        Optional<String> model = props.text("model_path");
        draft.models = props.text("model_alias")
                .or(() -> model.map(path -> path.substring(path.lastIndexOf('/') + 1)))
                .map(List::of)
                .orElse(List.of());
        draft.settings = new SettingsDraft()
                .model(model)
                .contextLength(context)
                .parallelSequences(slotCount)
                .built();
        return draft.built();
    }

    private static Health health(Answers answers) {
        Reading<JsonLeaves> answer = answers.json("/health");
        String status = answer.map(h -> h.text("status").orElse("")).orElse("");
        if (status.equals("loading model")) return Health.LOADING;
        if (status.equals("error")) return Health.FAILING;
        return Endpoints.healthOf(answer);
    }

    private static Reading<Times> interTokenTime(StateOfMetrics metrics, PrometheusText page) {
        OptionalDouble seconds = page.sum(PREDICTED_SECONDS);
        if (seconds.isEmpty()) return metrics.times(MetricNames.Meaning.INTER_TOKEN_TIME);
        return metrics.generatedTokens().map(tokens -> new Times(Math.max(0, seconds.getAsDouble()), tokens));
    }

    /// Of busy ones. As long as one slot is free nobody waits; when all are taken, who waits is not told here.
    private static Reading<Requests> requests(JsonLeaves slots, String source) {
        int count = slots.count("");
        int busy = 0;
        for (int i = 0; i < count; i++) {
            boolean isBusy =
                    slots.text(i + ".is_processing").filter("true"::equals).isPresent()
                            || slots.number(i + ".state").orElse(0) == 1;
            if (isBusy) busy++;
        }
        return busy < count
                ? Reading.of(new Requests(busy, 0))
                : Reading.absent(
                        source, AbsentCause.NOT_CONFIGURED, "all slots are busy; who waits is in its /metrics");
    }
}
