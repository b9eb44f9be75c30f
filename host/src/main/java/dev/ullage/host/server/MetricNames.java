// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static dev.ullage.host.server.MetricNames.Meaning.GENERATED_TOKENS;
import static dev.ullage.host.server.MetricNames.Meaning.INTER_TOKEN_TIME;
import static dev.ullage.host.server.MetricNames.Meaning.KV_CACHE_USE;
import static dev.ullage.host.server.MetricNames.Meaning.PREEMPTIONS;
import static dev.ullage.host.server.MetricNames.Meaning.PROMPT_TOKENS;
import static dev.ullage.host.server.MetricNames.Meaning.RUNNING;
import static dev.ullage.host.server.MetricNames.Meaning.TIME_TO_FIRST_TOKEN;
import static dev.ullage.host.server.MetricNames.Meaning.WAITING;

import java.util.List;

/// What each engine calls the numbers we want, and in which of its versions: the one table of names.
///
/// Names change without notice and an old one may stay beside the new; the first line of a meaning that is on the page
/// counts. Sources: vLLM's `vllm/engine/metrics.py` (V0) and `vllm/v1/metrics/loggers.py` (V1), SGLang's
/// `srt/metrics/collector.py`, llama.cpp's `tools/server/README.md`, TGI's `docs/source/reference/metrics.md`, the
/// README
/// of triton-inference-server/tensorrtllm_backend, TensorRT-LLM's `tensorrt_llm/metrics/collector.py`.
///
/// Mistake people make: `…_perc` of vLLM is no percentage: 1 is full.
final class MetricNames {
    enum Meaning {
        /// Requests that are computed now, and that wait for room.
        RUNNING,
        WAITING,
        /// 0 to 1.
        KV_CACHE_USE,
        /// Tokens that all of the KV cache holds.
        KV_CACHE_TOKENS,
        /// Requests thrown out of the KV cache, counted.
        PREEMPTIONS,
        /// Histograms, in seconds.
        TIME_TO_FIRST_TOKEN,
        INTER_TOKEN_TIME,
        PROMPT_TOKENS,
        GENERATED_TOKENS
    }

    /// @param versions of the engine that have it
    record Row(Engine engine, Meaning meaning, Metric metric, String versions) {}

    static final List<Row> TABLE = List.of(
            row(Engine.VLLM, RUNNING, "vllm:num_requests_running", "all"),
            row(Engine.VLLM, WAITING, "vllm:num_requests_waiting", "all"),
            row(Engine.VLLM, KV_CACHE_USE, "vllm:kv_cache_usage_perc", "V1, 0.9.2 on"),
            row(Engine.VLLM, KV_CACHE_USE, "vllm:gpu_cache_usage_perc", "V0; V1 until 0.10, beside the new one"),
            row(Engine.VLLM, PREEMPTIONS, "vllm:num_preemptions_total", "all"),
            row(Engine.VLLM, TIME_TO_FIRST_TOKEN, "vllm:time_to_first_token_seconds", "all"),
            row(Engine.VLLM, INTER_TOKEN_TIME, "vllm:inter_token_latency_seconds", "V1, 0.11 on"),
            row(Engine.VLLM, INTER_TOKEN_TIME, "vllm:time_per_output_token_seconds", "V0; V1 until 0.12"),
            row(Engine.VLLM, PROMPT_TOKENS, "vllm:prompt_tokens_total", "all"),
            row(Engine.VLLM, GENERATED_TOKENS, "vllm:generation_tokens_total", "all"),
            row(Engine.LLAMA_CPP, RUNNING, "llamacpp:requests_processing", "all with --metrics"),
            row(Engine.LLAMA_CPP, WAITING, "llamacpp:requests_deferred", "all with --metrics"),
            row(Engine.LLAMA_CPP, KV_CACHE_USE, "llamacpp:kv_cache_usage_ratio", "until mid 2025"),
            row(Engine.LLAMA_CPP, PROMPT_TOKENS, "llamacpp:prompt_tokens_total", "all with --metrics"),
            row(Engine.LLAMA_CPP, GENERATED_TOKENS, "llamacpp:tokens_predicted_total", "all with --metrics"));

    private MetricNames() {}

    private static Row row(Engine engine, Meaning meaning, String name, String versions) {
        return new Row(engine, meaning, Metric.of(name), versions);
    }

    /// The names under which an engine tells something, the first to be looked for first.
    static List<Metric> of(Engine engine, Meaning meaning) {
        return TABLE.stream()
                .filter(row -> row.engine == engine && row.meaning == meaning)
                .map(Row::metric)
                .toList();
    }
}
