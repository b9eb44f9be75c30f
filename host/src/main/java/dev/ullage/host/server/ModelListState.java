// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;

/// Servers that tell which models they have and little else: LM Studio (`/api/v0/models`, with what is loaded; before
/// 0.3
/// `/v1/models`, which lists what is loaded), LocalAI (`/v1/models`, `/version`).
///
/// ```
/// {"data":[{"id":"qwen3-8b","type":"llm","state":"loaded","max_context_length":32768,"loaded_context_length":4096}]}
/// ```
final class ModelListState {
    private static final String LM_STUDIO = "/api/v0/models";
    private static final String OPEN_AI = "/v1/models";

    private ModelListState() {}

    static ServerState ofLmStudio(Answers answers) {
        StateDraft draft = new StateDraft(answers.source(LM_STUDIO), "lm-studio does not tell it");
        Reading<JsonLeaves> list = answers.json(LM_STUDIO);
        draft.health = Endpoints.healthOf(list);
        JsonLeaves told = list.orElse(JsonLeaves.parse(""));
        List<String> loaded = new ArrayList<>();
        SettingsDraft settings = new SettingsDraft();
        for (int i = 0; i < Math.min(told.count("data"), 200); i++) {
            String model = "data." + i + ".";
            if (told.text(model + "state").filter("loaded"::equals).isEmpty()) continue;
            told.text(model + "id").ifPresent(loaded::add);
            settings.contextLength(told.number(model + "loaded_context_length"));
        }
        Reading<JsonLeaves> before = told.count("data") > 0 ? list : answers.json(OPEN_AI);
        draft.models = told.count("data") > 0 ? loaded : OpenAiModels.names(before);
        if (!list.isPresent()) draft.health = Endpoints.healthOf(before);
        draft.settings = settings.built();
        return draft.built();
    }

    static ServerState ofLocalAi(Answers answers) {
        StateDraft draft = new StateDraft(answers.source(OPEN_AI), "localai does not tell it");
        Reading<JsonLeaves> list = answers.json(OPEN_AI);
        draft.health = Endpoints.healthOf(list);
        draft.models = OpenAiModels.names(list);
        draft.version =
                answers.json("/version").map(v -> v.text("version").orElse("")).orElse("");
        return draft.built();
    }
}
