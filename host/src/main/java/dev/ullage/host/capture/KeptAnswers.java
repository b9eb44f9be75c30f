// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What of a server's answers over HTTP is worth keeping: numbers, versions and names of models.
///
/// The same answers hold what nobody may give away: `/slots` the prompts of users, `/props` the chat template,
/// `/server_info` the API keys, labels of metrics the names of customers. So it is listed what is kept, and not what is
/// dropped.
final class KeptAnswers {
    private static final List<String> METRICS =
            List.of("vllm", "sglang", "llamacpp", "tgi_", "nv_trt_llm", "nv_inference", "trtllm_");

    /// Labels whose values are the engine's own, or a model's name.
    private static final Set<String> LABELS = Set.of(
            "model_name",
            "model",
            "engine",
            "version",
            "tp_rank",
            "pp_rank",
            "dp_rank",
            "moe_ep_rank",
            "pid",
            "is_streaming",
            "kv_cache_block_type",
            "request_type",
            "memory_type",
            "block_size",
            "num_gpu_blocks",
            "num_cpu_blocks",
            "gpu_memory_utilization",
            "cache_dtype",
            "cpu_offload_gb",
            "swap_space_bytes",
            "enable_prefix_caching");

    private static final Pattern LABEL = Pattern.compile("([A-Za-z_]\\w{0,80})=\"((?:[^\"\\\\]|\\\\.){0,500}+)\"");

    /// Fields with a number, a version, a state or a model's name in them.
    private static final Set<String> FIELDS = Set.of(
            "id",
            "name",
            "model",
            "version",
            "status",
            "state",
            "code",
            "object",
            "max_model_len",
            "size",
            "size_vram",
            "context_length",
            "n_ctx",
            "total_slots",
            "model_path",
            "model_alias",
            "build_info",
            "is_sleeping",
            "is_processing",
            "served_model_name",
            "tp_size",
            "dp_size",
            "mem_fraction_static",
            "max_running_requests",
            "kv_cache_dtype",
            "max_total_num_tokens",
            "weight",
            "kvcache",
            "graph",
            "token_capacity",
            "model_id",
            "max_total_tokens",
            "max_batch_total_tokens",
            "max_concurrent_requests",
            "max_context_length",
            "loaded_context_length",
            "queue",
            "idle",
            "value",
            "result");

    /// Fields with such fields below them.
    private static final Set<String> FOLDERS =
            Set.of("data", "models", "default_generation_settings", "internal_states", "memory_usage", "error");

    private static final int DEEPEST = 32;
    private static final int LONGEST_TEXT = 300;
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(64)
                    .build())
            .build();

    private KeptAnswers() {}

    /// @param about `8000/metrics`
    static String of(String about, String answer) {
        if (answer.isBlank()) return "";
        return about.endsWith("/metrics") ? metrics(answer) : json(answer);
    }

    /// The lines of the engine itself, without comments and buckets; of the Python or Go below it nothing.
    private static String metrics(String page) {
        StringBuilder kept = new StringBuilder();
        Map<String, String> disguises = new HashMap<>();
        page.lines().limit(20_000).forEach(line -> {
            if (METRICS.stream().noneMatch(line::startsWith) || line.contains("_bucket{")) return;
            kept.append(LABEL.matcher(line).replaceAll(label -> {
                        String value = LABELS.contains(label.group(1))
                                ? label.group(2)
                                : disguises.computeIfAbsent(label.group(2), _ -> "value" + (disguises.size() + 1));
                        return Matcher.quoteReplacement(label.group(1) + "=\"" + value + "\"");
                    }))
                    .append('\n');
        });
        // Else a page that is none would be one without numbers.
        return kept.isEmpty() ? Kept.NOTHING : kept.toString();
    }

    private static String json(String answer) {
        StringWriter out = new StringWriter();
        try (JsonParser parser = JSON.createParser(answer);
                JsonGenerator generator = JSON.createGenerator(out)) {
            JsonToken token = parser.nextToken();
            if (token == null || !token.isStructStart()) return Kept.NOTHING;
            copy(parser, generator);
        } catch (IOException e) {
            return Kept.NOTHING;
        }
        return out.toString();
    }

    /// The object or list that the parser stands at the beginning of.
    private static void copy(JsonParser parser, JsonGenerator generator) throws IOException {
        boolean isList = parser.currentToken() == JsonToken.START_ARRAY;
        if (isList) generator.writeStartArray();
        else generator.writeStartObject();
        String field = "";
        for (JsonToken token = parser.nextToken(); token != null && !token.isStructEnd(); token = parser.nextToken()) {
            if (token == JsonToken.FIELD_NAME) {
                field = parser.currentName();
            } else if (token.isStructStart()) {
                if (isList || FOLDERS.contains(field)) {
                    if (!isList) generator.writeFieldName(field);
                    copy(parser, generator);
                } else parser.skipChildren();
            } else if (!isList && FIELDS.contains(field) && isShort(parser, token)) {
                generator.writeFieldName(field);
                generator.copyCurrentEvent(parser);
            }
        }
        if (isList) generator.writeEndArray();
        else generator.writeEndObject();
    }

    private static boolean isShort(JsonParser parser, JsonToken token) throws IOException {
        return token != JsonToken.VALUE_STRING || parser.getTextLength() <= LONGEST_TEXT;
    }
}
