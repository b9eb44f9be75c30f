// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads JSON as strictly as a program that relies on it: no field twice, no NaN, nothing after the end.
public final class Json {
    // It refuses NaN and Infinity unless told otherwise.
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private Json() {}

    public static Map<String, Object> read(String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            parser.nextToken();
            Map<String, Object> object = object(value(parser));
            if (parser.nextToken() != null) throw new IllegalStateException("something after the report");
            return object;
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    fields.put(name, value(parser));
                }
                yield fields;
            }
            case START_ARRAY -> {
                List<Object> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) items.add(value(parser));
                yield items;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            case VALUE_NULL, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE, FIELD_NAME, END_ARRAY, END_OBJECT ->
                throw new IllegalStateException("the schema has no " + parser.currentToken());
        };
    }

    @SuppressWarnings("unchecked") // value() puts only these together.
    public static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked") // value() puts only these together.
    public static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    /// The objects of an array.
    public static List<Map<String, Object>> objects(Object value) {
        return list(value).stream().map(Json::object).toList();
    }
}
