// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.ullage.measure.Bytes;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelConfigTest {
    private static final String QWEN3 = """
            {"architectures":["Qwen3ForCausalLM"],"attention_bias":false,"head_dim":128,"hidden_size":4096,
             "max_window_layers":36,"model_type":"qwen3","num_attention_heads":32,"num_hidden_layers":36,
             "num_key_value_heads":8,"rope_scaling":null,"sliding_window":null,"torch_dtype":"bfloat16",
             "use_sliding_window":false,"vocab_size":151936}
            """;

    private static Optional<ModelShape> shape(String text) {
        return ModelConfig.parse(text).orThrow().shape();
    }

    @Test
    void a_token_takes_keys_and_values_of_each_layer() {
        assertEquals(Optional.of(new ModelShape(36, 8, 2 * 36 * 8 * 128)), shape(QWEN3));
        // What vLLM logs of this model: 144 KiB a token.
        assertEquals(Bytes.ofKiB(144), shape(QWEN3).orElseThrow().perToken(16));
    }

    @Test
    void without_a_head_s_length_it_is_the_width_over_the_heads_and_without_kv_heads_there_are_as_many() {
        assertEquals(
                Optional.of(new ModelShape(32, 32, 2 * 32 * 32 * 128)),
                shape("{\"hidden_size\":4096,\"num_attention_heads\":32,\"num_hidden_layers\":32}"));
    }

    @Test
    void a_model_that_sees_has_its_layers_in_a_part() {
        assertEquals(Optional.of(new ModelShape(28, 4, 2 * 28 * 4 * 128)), shape("""
                        {"vision_config":{"num_hidden_layers":27,"num_attention_heads":16,"hidden_size":1152},
                         "text_config":{"hidden_size":3584,"num_attention_heads":28,"num_hidden_layers":28,
                          "num_key_value_heads":4,"layer_types":["full_attention","full_attention"]}}
                        """));
    }

    @Test
    void a_window_a_compressed_cache_and_states_give_no_shape() {
        for (String other : new String[] {
            "\"sliding_window\":4096",
            "\"kv_lora_rank\":512",
            "\"layer_types\":[\"full_attention\",\"sliding_attention\"]",
            "\"mamba_d_state\":128",
            "\"is_encoder_decoder\":true"
        })
            assertEquals(
                    Optional.empty(),
                    shape("{\"hidden_size\":4096,\"num_attention_heads\":32,\"num_hidden_layers\":32," + other + "}"),
                    other);
    }

    @Test
    void numbers_no_model_has_and_broken_text_give_no_shape() {
        assertEquals(Optional.empty(), shape("{}"));
        assertEquals(
                Optional.empty(),
                shape("{\"hidden_size\":4096,\"num_attention_heads\":0,\"num_hidden_layers\":99999999999999999999}"));
        assertFalse(ModelConfig.parse("[1,2]").isPresent());
        assertFalse(ModelConfig.parse("{\"layer_types\":[\"a\"").isPresent());
        assertFalse(ModelConfig.parse("").isPresent());
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertFalse(
                        ModelConfig.parse("{\"a\":" + "[".repeat(900_000)).isPresent()));
    }

    @Test
    void a_capture_keeps_the_numbers_and_nothing_else() {
        String kept = ModelConfig.kept("{\"_name_or_path\":\"/home/ann/secret\",\"hidden_size\":64,"
                + "\"num_attention_heads\":4,\"num_hidden_layers\":2,\"use_sliding_window\":false}");
        assertEquals(
                "{\"hidden_size\":64,\"num_attention_heads\":4,\"num_hidden_layers\":2,\"use_sliding_window\":false}\n",
                kept);
        assertEquals(shape(kept), Optional.of(new ModelShape(2, 4, 2 * 2 * 4 * 16)));
        assertEquals("{}\n", ModelConfig.kept("not JSON"));
    }
}
