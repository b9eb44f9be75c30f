// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Collects the shape of a model from the key-value pairs of its GGUF header, in whatever order they come.
final class GgufShape {
    /// More heads or layers than these are junk, and their product must not wrap around.
    private static final long MOST = 1 << 16;

    private final Map<String, Long> numbers = new HashMap<>();
    private long[] kvHeadsOfLayers = {};
    private boolean hasOtherCache;

    /// What follows the architecture's name: `llama.attention.head_count_kv` → `attention.head_count_kv`.
    private static String withoutArchitecture(String key) {
        return key.substring(key.indexOf('.') + 1);
    }

    /// Whether a key decides about the cache; its value is then to be read and not passed over.
    boolean isWanted(String key) {
        String name = withoutArchitecture(key);
        if (name.startsWith("ssm.")
                || name.startsWith("wkv.")
                || name.startsWith("attention.sliding_window")
                || name.equals("attention.kv_lora_rank")
                || name.equals("attention.shared_kv_layers")) hasOtherCache = true;
        return switch (name) {
            case "block_count",
                    "embedding_length",
                    "attention.head_count",
                    "attention.head_count_kv",
                    "attention.key_length",
                    "attention.value_length" -> true;
            default -> false;
        };
    }

    void number(String key, long value) {
        numbers.put(withoutArchitecture(key), value);
    }

    /// One number a layer; only heads of the cache are given so, and those of attention, which do not count.
    void ofLayers(String key, long[] values) {
        if (withoutArchitecture(key).equals("attention.head_count_kv")) kvHeadsOfLayers = values;
    }

    /// Empty when the header does not tell all of it, or when this kind of model keeps another kind of cache.
    Optional<ModelShape> shape() {
        long layers = numbers.getOrDefault("block_count", 0L);
        if (hasOtherCache || !isCount(layers)) return Optional.empty();
        long heads = numbers.getOrDefault("attention.head_count", 0L);
        long implied = isCount(heads) ? numbers.getOrDefault("embedding_length", 0L) / heads : 0;
        long keys = numbers.getOrDefault("attention.key_length", implied);
        long values = numbers.getOrDefault("attention.value_length", implied);
        if (!isCount(keys) || !isCount(values)) return Optional.empty();
        if (kvHeadsOfLayers.length > 0) {
            long sum = 0;
            for (long of : kvHeadsOfLayers) {
                // A layer without heads keeps a state instead of a cache.
                if (!isCount(of)) return Optional.empty();
                sum += of;
            }
            return kvHeadsOfLayers.length == layers
                    ? Optional.of(new ModelShape((int) layers, 0, sum * (keys + values)))
                    : Optional.empty();
        }
        long kvHeads = numbers.getOrDefault("attention.head_count_kv", heads);
        return isCount(kvHeads)
                ? Optional.of(new ModelShape((int) layers, (int) kvHeads, layers * kvHeads * (keys + values)))
                : Optional.empty();
    }

    private static boolean isCount(long number) {
        return number > 0 && number <= MOST;
    }
}
