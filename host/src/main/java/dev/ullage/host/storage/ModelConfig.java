// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.ullage.host.Cadence;
import dev.ullage.host.Fact;
import dev.ullage.host.HostRoot;
import dev.ullage.measure.Reading;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The `config.json` beside a model of safetensors or of torch, for one thing: what a token takes in the KV cache. A
/// safetensors
/// header tells tensors and nothing of layers and heads.
///
/// ```
/// {"model_type":"qwen3","num_hidden_layers":36,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,
///  "hidden_size":4096,"sliding_window":null,"use_sliding_window":false,…}
/// ```
/// Source: transformers' `PretrainedConfig` and the models' own `configuration_….py`. Models that see and hear keep it
/// in
/// `text_config`.
///
/// @param shape empty where layers are of different kinds, or keep something else than keys and values: see
/// [ModelShape]
public record ModelConfig(Optional<ModelShape> shape) {
    private static final String NAME = "config.json";

    /// A configuration has a few kilobytes; one with a quantisation's list of layers some hundred.
    private static final int LONGEST = 1 << 20;

    private static final Set<String> PARTS = Set.of("text_config", "llm_config", "language_config");

    private static final Set<String> NUMBERS =
            Set.of("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "hidden_size");

    /// Whose presence says that some layers keep no cache, another one, or a part of it.
    private static final Set<String> OTHER_CACHES = Set.of(
            "kv_lora_rank",
            "sliding_window",
            "layer_types",
            "attention_chunk_size",
            "attn_layer_period",
            "full_attention_interval",
            "hybrid_override_pattern",
            "num_kv_shared_layers",
            "mamba_d_state",
            "mamba_d_ssm",
            "ssm_cfg",
            "state_size",
            "linear_num_key_heads",
            "conv_L_cache");

    private static final Set<String> SWITCHES = Set.of("use_sliding_window", "is_encoder_decoder");

    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxStringLength(LONGEST)
                    .build())
            .build();

    public static final Fact<ModelFile, ModelConfig> FACT =
            new Fact<>("layers by config.json", NAME, Cadence.END, "", ModelConfig::read);

    private static Reading<ModelConfig> read(HostRoot root, ModelFile file) {
        String path = file.via().startsWith("/proc/") && file.via().contains("/map_files/") ? file.path() : file.via();
        return root.text(path.substring(0, Math.max(0, path.lastIndexOf('/'))) + "/" + NAME)
                .flatMap(ModelConfig::parse);
    }

    static Reading<ModelConfig> parse(String text) {
        Optional<Map<String, String>> values = values(text);
        return values.isEmpty()
                ? Reading.malformed(NAME, text, "a JSON object")
                : Reading.of(new ModelConfig(shapeOf(values.get())));
    }

    /// What of such a file a capture keeps: what is read here.
    public static String kept(String text) {
        StringBuilder kept = new StringBuilder("{");
        for (Map.Entry<String, String> value : values(text).orElse(Map.of()).entrySet()) {
            if (kept.length() > 1) kept.append(',');
            kept.append('"').append(value.getKey()).append("\":").append(value.getValue());
        }
        return kept.append("}\n").toString();
    }

    private static Optional<ModelShape> shapeOf(Map<String, String> values) {
        boolean windowOff = "false".equals(values.get("use_sliding_window"));
        for (String other : OTHER_CACHES)
            if (values.containsKey(other) && !(windowOff && other.equals("sliding_window"))) return Optional.empty();
        if ("true".equals(values.get("is_encoder_decoder"))) return Optional.empty();
        long layers = number(values, "num_hidden_layers");
        long heads = number(values, "num_attention_heads");
        long kvHeads = values.containsKey("num_key_value_heads") ? number(values, "num_key_value_heads") : heads;
        long length = number(values, "head_dim");
        if (length == 0 && heads > 0) length = number(values, "hidden_size") / heads;
        if (layers == 0 || kvHeads == 0 || length == 0) return Optional.empty();
        return Optional.of(new ModelShape((int) layers, (int) kvHeads, 2 * layers * kvHeads * length));
    }

    /// 0 when it is not there; nothing that no model has.
    private static long number(Map<String, String> values, String key) {
        String value = values.getOrDefault(key, "0");
        return value.length() > 6 ? 0 : Long.parseLong(value);
    }

    /// The values that matter, of the whole and of the part that describes the language model; the part wins.
    private static Optional<Map<String, String>> values(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        if (text.length() > LONGEST) return Optional.empty();
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) return Optional.empty();
            walk(parser, values, true);
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.of(values);
    }

    private static void walk(JsonParser parser, Map<String, String> values, boolean isWhole) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            JsonToken token = parser.nextToken();
            if (token == JsonToken.START_OBJECT && isWhole && PARTS.contains(key)) {
                walk(parser, values, false);
                continue;
            }
            if (token == JsonToken.START_ARRAY && key.equals("layer_types")) {
                if (hasOtherKinds(parser)) values.put(key, "1");
            } else if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
                if (OTHER_CACHES.contains(key)) values.put(key, "1");
                parser.skipChildren();
            } else {
                take(values, key, token, parser.getText());
            }
        }
    }

    private static void take(Map<String, String> values, String key, JsonToken token, String text) {
        boolean isSwitch = token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE;
        boolean isNumber = token == JsonToken.VALUE_NUMBER_INT && text.matches("\\d{1,18}");
        boolean isNothing = token == JsonToken.VALUE_NULL || token == JsonToken.VALUE_FALSE || text.equals("0");
        if (NUMBERS.contains(key) && isNumber || SWITCHES.contains(key) && isSwitch) values.put(key, text);
        if (OTHER_CACHES.contains(key) && !isNothing) values.put(key, "1");
    }

    /// Newer configurations list the kind of each layer, be they all the same.
    private static boolean hasOtherKinds(JsonParser parser) throws IOException {
        boolean other = false;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == null) throw new IOException("a list that does not end");
            other |= !"full_attention".equals(parser.getText());
        }
        return other;
    }
}
