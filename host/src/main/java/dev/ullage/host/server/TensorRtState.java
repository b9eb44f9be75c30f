// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.server.ServerState.Health;
import dev.ullage.host.server.ServerState.KvCachePool;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Present;
import java.util.OptionalDouble;

/// TensorRT-LLM: behind Triton, whose `/v2` says what it is and whose metrics are on a port of their own; or behind its
/// own trtllm-serve, whose metrics are at `/prometheus/metrics`.
///
/// ```
/// nv_trt_llm_kv_cache_block_metrics{kv_cache_block_type="used",model="tensorrt_llm",version="1"} 120
/// trtllm_kv_cache_utilization{engine_type="trtllm",model_name="llama"} 0.4
/// ```
/// `/metrics` of trtllm-serve is not asked: it hands out each iteration's numbers once, to whoever asks first.
final class TensorRtState {
    private static final String TRITON = "/v2";
    private static final String TRITON_METRICS = "/metrics";
    private static final String OWN_METRICS = "/prometheus/metrics";
    private static final String BLOCKS = "nv_trt_llm_kv_cache_block_metrics";
    private static final String TYPE = "kv_cache_block_type";

    private TensorRtState() {}

    static ServerState of(Answers answers) {
        Reading<JsonLeaves> triton = answers.json(TRITON);
        boolean isTriton = triton.isPresent();
        Answers counting = isTriton ? answers.onMetricsPort() : answers;
        String path = isTriton ? TRITON_METRICS : OWN_METRICS;
        StateDraft draft = new StateDraft(counting.source(path), "tensorrt-llm does not tell it");
        Reading<PrometheusText> page = Answers.hinted(
                counting.metrics(path),
                isTriton ? "Triton was started without metrics" : "set return_perf_metrics: true in its options");
        draft.take(new StateOfMetrics(Engine.TENSORRT_LLM, page, counting.source(path)));
        if (page instanceof Present<PrometheusText>(PrometheusText text)) addBlocks(draft, text, counting.source(path));
        if (isTriton) {
            draft.health = Health.SERVING;
            draft.version = triton.map(
                            t -> t.text("version").map(v -> "triton " + v).orElse(""))
                    .orElse("");
            return draft.built();
        }
        draft.health = Endpoints.healthOf(answers.get("/health"));
        draft.version =
                answers.json("/version").map(v -> v.text("version").orElse("")).orElse("");
        draft.models = OpenAiModels.names(answers.json("/v1/models"));
        return draft.built();
    }

    private static void addBlocks(StateDraft draft, PrometheusText page, String source) {
        OptionalDouble most = page.sum(Metric.of(BLOCKS, TYPE, "max"));
        OptionalDouble used = page.sum(Metric.of(BLOCKS, TYPE, "used"));
        OptionalDouble each = page.max(Metric.of(BLOCKS, TYPE, "tokens_per"));
        if (most.isEmpty()) {
            most = page.sum(Metric.of("trtllm_kv_cache_max_blocks"));
            used = page.sum(Metric.of("trtllm_kv_cache_used_blocks"));
            each = page.max(Metric.of("trtllm_kv_cache_tokens_per_block"));
        }
        if (most.orElse(0) <= 0) return;
        if (!draft.kvCacheUse.isPresent() && used.isPresent())
            draft.kvCacheUse = Reading.of(new Ratio(Math.clamp(used.getAsDouble() / most.getAsDouble(), 0, 1)));
        draft.kvCachePool = each.isPresent()
                ? Reading.of(new KvCachePool((long) (most.getAsDouble() * each.getAsDouble())))
                : Reading.absent(source, AbsentCause.NOT_CONFIGURED, "it does not tell the tokens in a block");
    }
}
