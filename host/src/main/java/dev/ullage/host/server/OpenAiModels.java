// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/// `/v1/models` as OpenAI's servers answer it: `{"object":"list","data":[{"id":"llama-3-8b","max_model_len":8192}]}`.
final class OpenAiModels {
    /// A router may know thousands.
    static final int MOST = 16;

    private OpenAiModels() {}

    static List<String> names(Reading<JsonLeaves> answer) {
        List<String> names = new ArrayList<>();
        JsonLeaves list = answer.orElse(JsonLeaves.parse(""));
        int count = Math.min(list.count("data"), MOST);
        for (int i = 0; i < count; i++) list.text("data." + i + ".id").ifPresent(names::add);
        return names;
    }

    /// The longest context that any of them takes.
    static OptionalDouble contextLength(Reading<JsonLeaves> answer) {
        JsonLeaves list = answer.orElse(JsonLeaves.parse(""));
        return IntStream.range(0, Math.min(list.count("data"), MOST))
                .mapToDouble(i -> list.number("data." + i + ".max_model_len").orElse(0))
                .max();
    }
}
