// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static dev.ullage.host.storage.ModelBytes.needs;
import static dev.ullage.host.storage.ModelBytes.safetensors;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// How long a safetensors file must be by its own header.
class SafetensorsExtentTest {
    private static final String TWO = "{\"__metadata__\":{\"format\":\"pt\"},"
            + "\"model.norm.weight\":{\"dtype\":\"F32\",\"shape\":[256],\"data_offsets\":[2048,3072]},"
            + "\"lm_head.weight\":{\"dtype\":\"BF16\",\"shape\":[4,256],\"data_offsets\":[0,2048]}}   ";

    private static void holds(String json, int data) throws IOException {
        byte[] file = safetensors(json, data);
        assertEquals(file.length, needs(file), json);
    }

    @Test
    void a_whole_file_needs_what_it_has_whatever_the_order_of_its_tensors() throws IOException {
        holds(TWO, 3072);
        holds("{\"a\":{\"dtype\":\"F8_E4M3\",\"shape\":[7],\"data_offsets\":[0,7]}}", 7);
        holds("{\"a\":{\"data_offsets\":[0,9],\"shape\":[9999],\"dtype\":\"F8_E5M2\"}}", 9);
        holds("{ \"a\" : { \"dtype\" : \"I64\" , \"shape\" : [ ] , \"data_offsets\" : [ 0 , 8 ] } }", 8);
    }

    @Test
    void a_file_that_is_cut_off_anywhere_is_shorter_than_it_needs() throws IOException {
        byte[] file = safetensors(TWO, 3072);
        for (int length = 0; length < file.length; length++)
            assertTrue(needs(Arrays.copyOf(file, length)) > length, "cut to " + length);
        assertEquals(8 + TWO.length(), needs(Arrays.copyOf(file, 100)), "cut off in its header");
    }

    @Test
    void a_file_without_tensors_or_with_empty_ones_needs_its_header() throws IOException {
        holds("{}", 0);
        holds("{\"__metadata__\":{\"format\":\"pt\"}}", 0);
        holds("{\"a\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0);
    }

    @Test
    void what_people_write_into_metadata_is_no_tensor() throws IOException {
        String tensor = "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}";
        // A whole header as a string, as some trainers keep it
        holds("{\"__metadata__\":{\"c\":\"{\\\"x\\\":{\\\"data_offsets\\\":[0,999]}}\"}," + tensor + "}", 4);
        holds("{\"__metadata__\":{\"c\":\"\\\\\\\"data_offsets\\\":[0,9]\"}," + tensor + "}", 4);
        holds("{\"__metadata__\":{\"c\":\"\\\\\",\"data_offsets\":\"[0,99999]\"}," + tensor + "}", 4);
        holds("{\"__metadata__\":{\"data_offsets\":[0,77777]}," + tensor + "}", 4);
        holds("{\"__metadata__\":{\"a\":\"data_offsets\",\"b\":\"5]88888\"}," + tensor + "}", 4);
        holds("{" + tensor + ",\"__metadata__\":{\"k\":\"}]}\",\"l\":\"[0,7\"}}", 4);
    }

    @Test
    void a_tensor_may_have_any_name() throws IOException {
        holds("{\"data_offsets\":{\"dtype\":\"F32\",\"shape\":[123456],\"data_offsets\":[0,4]}}", 4);
        holds("{\"x\\\"data_offsets\\\":[0,99]\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4);
        holds("{\"größe ☃\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", 4);
        holds("{\"a\":{\"x_data_offsets\":[0,50],\"data_offsets_\":[0,60],\"data_offsets\":[0,4]}}", 4);
    }

    @Test
    void a_large_header_is_read_to_its_end() throws IOException {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < 20_000; i++)
            json.append("\"model.layers.")
                    .append(i)
                    .append(".weight\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":[")
                    .append(8 * i)
                    .append(',')
                    .append(8 * i + 8)
                    .append("]},");
        json.setCharAt(json.length() - 1, '}');
        holds(json.toString(), 160_000);
    }

    @Test
    void lengths_and_numbers_that_no_file_has_are_refused() {
        assertThrows(
                IOException.class,
                () -> needs(ModelBytes.nothing().u64(1).raw("{").bytes()));
        assertTrue(assertThrows(
                        IOException.class,
                        () -> needs(ModelBytes.nothing().u64(-1).raw("{}").bytes()))
                .getMessage()
                .contains("18446744073709551615"));
        assertThrows(
                IOException.class,
                () -> needs(ModelBytes.nothing().u64(100_000_001).raw("{}").bytes()));
        assertThrows(
                IOException.class,
                () -> needs(ModelBytes.nothing().u64(2).raw("[]").bytes()));
        assertThrows(
                IOException.class,
                () -> needs(safetensors("{\"a\":{\"data_offsets\":[0,99999999999999999999999]}}", 0)));
        assertThrows(
                IOException.class, () -> needs(safetensors("{\"a\":{\"data_offsets\":[0,9223372036854775807]}}", 0)));
    }
}
