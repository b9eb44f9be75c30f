// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import dev.ullage.measure.Bytes;

/// What a model's header tells of its layers, as far as its KV cache goes.
///
/// Source: GGUF metadata `<arch>.block_count`, `<arch>.attention.head_count_kv` (a number, or one a layer),
/// `<arch>.attention.key_length`, `value_length`; where the lengths are not given, `embedding_length / head_count`.
///
/// Mistake people make: multiplying layers, heads and lengths for every model. Where layers keep only a window of the
/// past (`sliding_window`), a compressed cache (`kv_lora_rank`) or a state instead of a cache (`ssm`), that is wrong by
/// a factor, so such models have no shape here.
///
/// @param layers blocks; an engine counts one more for the output when it says how many lie on GPUs
/// @param kvHeads of each layer; 0 when layers differ. Over more GPUs than these a cache is not split, but repeated
/// @param cacheValues numbers that the KV cache holds for each token, keys and values of all layers together
public record ModelShape(int layers, int kvHeads, long cacheValues) {
    /// @param bits of one number: 16 for f16 and bf16, 8 for fp8, 8.5 for q8_0 (a scale for each 32)
    public Bytes perToken(double bits) {
        return new Bytes((long) (cacheValues * bits / 8));
    }
}
