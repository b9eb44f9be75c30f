// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// The plain fields of a line that is one JSON object: strings, numbers, and arrays of bytes, which the journal writes
/// where a message has colours (`"MESSAGE":[27,91,51,49,109,…]`).
final class JsonFields {
    private static final int MOST_FIELDS = 300;
    private static final JsonFactory JSON = new JsonFactory();

    private JsonFields() {}

    /// @return empty when the line is anything else
    static Map<String, String> of(String line) {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) return Map.of();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value == null || fields.size() >= MOST_FIELDS) return Map.of();
                if (value == JsonToken.START_ARRAY) fields.put(name, bytes(parser));
                else if (value == JsonToken.START_OBJECT) parser.skipChildren();
                else if (value != JsonToken.VALUE_NULL) fields.put(name, parser.getText());
            }
            if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) return Map.of();
            return fields;
        } catch (IOException e) {
            // A line that begins like an object and is none, or was cut: it is text.
            return Map.of();
        }
    }

    private static String bytes(JsonParser array) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (true) {
            JsonToken token = array.nextToken();
            if (token == JsonToken.VALUE_NUMBER_INT) {
                // what is no byte is left out
                if (array.getNumberType() == JsonParser.NumberType.INT && array.getIntValue() >> 8 == 0)
                    bytes.write(array.getIntValue());
            } else if (token == JsonToken.START_ARRAY || token == JsonToken.START_OBJECT) {
                array.skipChildren();
            } else if (token == null || token == JsonToken.END_ARRAY) {
                return bytes.toString(StandardCharsets.UTF_8);
            }
        }
    }
}
