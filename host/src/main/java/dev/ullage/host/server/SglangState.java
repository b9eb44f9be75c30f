// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.server.ServerState.Health;
import dev.ullage.host.server.ServerState.KvCachePool;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.OptionalLong;

/// SGLang: `/metrics` (only with `--enable-metrics`), `/server_info` (until the end of 2025 `/get_server_info`).
///
/// ```
/// {"model_path":"Qwen/Qwen3-8B","tp_size":2,"mem_fraction_static":0.85,"context_length":null,
///   "max_total_num_tokens":427984,"api_key":"…",
///   "internal_states":[{"memory_usage":{"weight":7.6,"kvcache":58.1},…}],"version":"0.5.3"}
/// ```
/// That holds the server's keys too: of it only these fields are read, and only these are recorded.
///
/// Mistake people make: taking `sglang:num_retracted_reqs` for a counter. It is how many the last batch retracted.
/// `/health` is not asked: unless it is told not to, it generates a token.
final class SglangState {
    static final List<String> INFO = List.of("/server_info", "/get_server_info");
    private static final String METRICS = "/metrics";

    private SglangState() {}

    static ServerState of(Answers answers) {
        StateDraft draft = new StateDraft(answers.source(METRICS), "sglang does not tell it");
        Reading<PrometheusText> page = answers.metrics(METRICS);
        draft.take(new StateOfMetrics(
                Engine.SGLANG, Answers.hinted(page, "start it with --enable-metrics"), answers.source(METRICS)));
        Reading<JsonLeaves> info = answers.json(INFO.getFirst());
        if (Answers.statusOf(info) == 404) info = answers.json(INFO.getLast());
        draft.health = page.isPresent() || info.isPresent() ? Health.SERVING : Endpoints.healthOf(info);
        if (!(info instanceof Reading.Present<JsonLeaves>(JsonLeaves told))) return draft.built();
        draft.version = told.text("version").orElse("");
        draft.models = told.text("served_model_name")
                .or(() -> told.text("model_path"))
                .map(List::of)
                .orElse(List.of());
        OptionalLong pool = told.whole("max_total_num_tokens");
        if (!draft.kvCachePool.isPresent() && pool.orElse(0) > 0)
            draft.kvCachePool = Reading.of(new KvCachePool(pool.getAsLong()));
        draft.settings = new SettingsDraft()
                .model(told.text("model_path"))
                .gpuMemoryShare(told.number("mem_fraction_static"))
                .contextLength(told.number("context_length"))
                .parallelSequences(told.number("max_running_requests"))
                .tensorParallel(told.number("tp_size"))
                .kvCacheType(told.text("kv_cache_dtype"))
                .built();
        if (!draft.preemptions.isPresent() && page.isPresent())
            draft.preemptions = Reading.absent(
                    answers.source(METRICS),
                    AbsentCause.NOT_CONFIGURED,
                    "it counts no retractions: there were none yet, or its version does not");
        return draft.built();
    }
}
