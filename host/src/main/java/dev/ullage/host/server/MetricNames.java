// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static dev.ullage.host.server.MetricNames.Meaning.GENERATED_TOKENS;
import static dev.ullage.host.server.MetricNames.Meaning.INTER_TOKEN_TIME;
import static dev.ullage.host.server.MetricNames.Meaning.KV_CACHE_TOKENS;
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
            row(
                    Engine.VLLM,
                    INTER_TOKEN_TIME,
                    "vllm:time_per_output_token_seconds",
                    "V0; V1 until 0.11, hidden in 0.12"),
            row(Engine.VLLM, PROMPT_TOKENS, "vllm:prompt_tokens_total", "all"),
            row(Engine.VLLM, GENERATED_TOKENS, "vllm:generation_tokens_total", "all"),
            row(Engine.LLAMA_CPP, RUNNING, "llamacpp:requests_processing", "all with --metrics"),
            row(Engine.LLAMA_CPP, WAITING, "llamacpp:requests_deferred", "all with --metrics"),
            row(Engine.LLAMA_CPP, KV_CACHE_USE, "llamacpp:kv_cache_usage_ratio", "until May 2025"),
            row(Engine.LLAMA_CPP, PROMPT_TOKENS, "llamacpp:prompt_tokens_total", "all with --metrics"),
            row(Engine.LLAMA_CPP, GENERATED_TOKENS, "llamacpp:tokens_predicted_total", "all with --metrics"),
            row(Engine.SGLANG, RUNNING, "sglang:num_running_reqs", "all"),
            row(Engine.SGLANG, WAITING, "sglang:num_queue_reqs", "all"),
            row(Engine.SGLANG, KV_CACHE_USE, "sglang:token_usage", "all"),
            row(Engine.SGLANG, KV_CACHE_TOKENS, "sglang:max_total_num_tokens", "2026 on"),
            row(Engine.SGLANG, PREEMPTIONS, "sglang:num_retracted_requests_total", "2026 on; from the first one on"),
            row(Engine.SGLANG, TIME_TO_FIRST_TOKEN, "sglang:time_to_first_token_seconds", "all"),
            row(Engine.SGLANG, INTER_TOKEN_TIME, "sglang:inter_token_latency_seconds", "0.4.6 on"),
            row(Engine.SGLANG, INTER_TOKEN_TIME, "sglang:time_per_output_token_seconds", "until 0.5"),
            row(Engine.SGLANG, PROMPT_TOKENS, "sglang:prompt_tokens_total", "all"),
            row(Engine.SGLANG, GENERATED_TOKENS, "sglang:generation_tokens_total", "all"),
            row(Engine.TGI, RUNNING, "tgi_batch_current_size", "all"),
            row(Engine.TGI, WAITING, "tgi_queue_size", "all"),
            row(Engine.TGI, INTER_TOKEN_TIME, "tgi_request_mean_time_per_token_duration", "all; a mean a request"),
            row(Engine.TGI, PROMPT_TOKENS, "tgi_request_input_length_sum", "all"),
            row(Engine.TGI, GENERATED_TOKENS, "tgi_request_generated_tokens_sum", "all"),
            labelled(RUNNING, "nv_trt_llm_request_metrics", "request_type", "scheduled", "Triton"),
            labelled(WAITING, "nv_trt_llm_request_metrics", "request_type", "waiting", "Triton"),
            labelled(KV_CACHE_USE, "nv_trt_llm_kv_cache_block_metrics", "kv_cache_block_type", "fraction", "Triton"),
            row(Engine.TENSORRT_LLM, RUNNING, "trtllm_num_requests_running", "trtllm-serve, 2026 on"),
            row(Engine.TENSORRT_LLM, WAITING, "trtllm_num_requests_waiting", "trtllm-serve, 2026 on"),
            row(Engine.TENSORRT_LLM, KV_CACHE_USE, "trtllm_kv_cache_utilization", "trtllm-serve, 1.0 on"),
            row(Engine.TENSORRT_LLM, TIME_TO_FIRST_TOKEN, "trtllm_time_to_first_token_seconds", "trtllm-serve"),
            row(Engine.TENSORRT_LLM, INTER_TOKEN_TIME, "trtllm_time_per_output_token_seconds", "trtllm-serve"),
            row(Engine.TENSORRT_LLM, PROMPT_TOKENS, "trtllm_prompt_tokens_total", "trtllm-serve, 2026 on"),
            row(Engine.TENSORRT_LLM, GENERATED_TOKENS, "trtllm_generation_tokens_total", "trtllm-serve, 2026 on"));

    private MetricNames() {}

    private static Row row(Engine engine, Meaning meaning, String name, String versions) {
        return new Row(engine, meaning, Metric.of(name), versions);
    }

    private static Row labelled(Meaning meaning, String name, String label, String value, String versions) {
        return new Row(Engine.TENSORRT_LLM, meaning, Metric.of(name, label, value), versions);
    }

    /// The names under which an engine tells something, the first to be looked for first.
    static List<Metric> of(Engine engine, Meaning meaning) {
        return TABLE.stream()
                .filter(row -> row.engine == engine && row.meaning == meaning)
                .map(Row::metric)
                .toList();
    }
}
