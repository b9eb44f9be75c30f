// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.server.ServerState.Health;
import dev.ullage.host.server.ServerState.KvCachePool;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Present;
import java.util.Map;
import java.util.Optional;

/// vLLM's OpenAI server: `/metrics`, `/health` (empty when well), `/v1/models`, `/version`.
///
/// `/version` is `{"version":"0.11.0"}`, `/v1/models`
/// `{"object":"list","data":[{"id":"llama","max_model_len":8192,…}]}`.
final class VllmState {
    private static final String METRICS = "/metrics";
    /// `vllm:cache_config_info{block_size="16",num_gpu_blocks="5000",gpu_memory_utilization="0.9",…} 1.0`
    private static final Metric CACHE = Metric.of("vllm:cache_config_info");

    private VllmState() {}

    static ServerState of(Answers answers) {
        StateDraft draft = new StateDraft(answers.source(METRICS), "vllm does not tell it");
        Reading<PrometheusText> page = answers.metrics(METRICS);
        draft.take(new StateOfMetrics(Engine.VLLM, page, answers.source(METRICS)));
        draft.kvCachePool = page.flatMap(text -> pool(text, answers.source(METRICS)));
        draft.health = Endpoints.healthOf(answers.get("/health"));
        if (draft.health == Health.UNKNOWN && page.isPresent()) draft.health = Health.SERVING;
        Reading<JsonLeaves> list = answers.json("/v1/models");
        draft.models = OpenAiModels.names(list);
        if (draft.models.isEmpty() && page instanceof Present<PrometheusText>(PrometheusText text))
            draft.models = text.values("model_name", OpenAiModels.MOST);
        draft.version =
                answers.json("/version").map(v -> v.text("version").orElse("")).orElse("");
        draft.settings = settings(page, list);
        return draft.built();
    }

    /// Blocks of all engines times the tokens in a block.
    private static Reading<KvCachePool> pool(PrometheusText page, String source) {
        double tokens = 0;
        for (PrometheusText.Line line : page.of(CACHE))
            tokens += product(line.labels().get("num_gpu_blocks"), line.labels().get("block_size"));
        return tokens > 0
                ? Reading.of(new KvCachePool((long) tokens))
                : Reading.absent(
                        source + " " + CACHE.name(), AbsentCause.NOT_CONFIGURED, "it does not tell its blocks");
    }

    private static double product(String blocks, String size) {
        return Numbers.plain(blocks).orElse(0) * Numbers.plain(size).orElse(0);
    }

    private static ServerSettings settings(Reading<PrometheusText> page, Reading<JsonLeaves> models) {
        Map<String, String> cache =
                page.map(text -> text.labels(CACHE).orElse(Map.of())).orElse(Map.of());
        return new SettingsDraft()
                .gpuMemoryShare(Numbers.plain(cache.get("gpu_memory_utilization")))
                .kvCacheType(Optional.ofNullable(cache.get("cache_dtype")))
                .contextLength(OpenAiModels.contextLength(models))
                .built();
    }
}
