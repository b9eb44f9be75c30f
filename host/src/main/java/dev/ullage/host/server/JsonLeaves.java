// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/// The leaves of a JSON answer by their path: `{"models":[{"size":7}]}` has `models.0.size` = `7`.
///
/// What servers say in JSON is a handful of numbers and names; with paths each is one line to read, and no tree of
/// somebody else's making is held. Long texts (prompts, chat templates) are dropped.
///
/// Mistake people make: trusting an answer's shape. Any program may listen on the port: depth, length and number of
/// leaves are bounded, and what is no JSON has no leaves.
final class JsonLeaves {
    private static final int MOST = 5_000;
    private static final int DEEPEST = 32;
    /// A name or a path of a model; what is longer is text.
    private static final int LONGEST_TEXT = 512;

    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(64)
                    .build())
            .build();

    private final Map<String, String> leaves;

    private JsonLeaves(Map<String, String> leaves) {
        this.leaves = leaves;
    }

    /// Empty when it is no JSON; of one that breaks off, what came before.
    static JsonLeaves parse(String text) {
        Map<String, String> leaves = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(text)) {
            JsonToken token = parser.nextToken();
            if (token != null && token.isStructStart()) walk(parser, leaves);
        } catch (IOException e) {
            // What was read so far stands.
        }
        return new JsonLeaves(leaves);
    }

    /// The path is built from the parser's own context, which knows names and indexes.
    private static void walk(JsonParser parser, Map<String, String> leaves) throws IOException {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (!token.isScalarValue() || leaves.size() >= MOST) continue;
            // The length first: a text of megabytes is not made a String.
            if (token == JsonToken.VALUE_STRING && parser.getTextLength() > LONGEST_TEXT) continue;
            String path = parser.getParsingContext().pathAsPointer().toString();
            leaves.put(path.substring(1).replace('/', '.'), parser.getText());
        }
    }

    boolean isEmpty() {
        return leaves.isEmpty();
    }

    Optional<String> text(String path) {
        return Optional.ofNullable(leaves.get(path)).filter(text -> !text.equals("null"));
    }

    OptionalDouble number(String path) {
        String text = leaves.get(path);
        if (text == null) return OptionalDouble.empty();
        try {
            double value = Double.parseDouble(text);
            return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    OptionalLong whole(String path) {
        OptionalDouble value = number(path);
        return value.isPresent() ? OptionalLong.of((long) value.getAsDouble()) : OptionalLong.empty();
    }

    /// How many elements an array of objects or scalars has that left leaves here.
    int count(String array) {
        int count = 0;
        String prefix = array.isEmpty() ? "" : array + ".";
        for (String path : leaves.keySet()) {
            if (!path.startsWith(prefix)) continue;
            int end = path.indexOf('.', prefix.length());
            String index = path.substring(prefix.length(), end < 0 ? path.length() : end);
            if (!index.isEmpty() && index.length() < 6 && index.chars().allMatch(c -> c >= '0' && c <= '9'))
                count = Math.max(count, Integer.parseInt(index) + 1);
        }
        return count;
    }
}
