// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.server.ServerState.LoadedModel;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;

/// Ollama: `/api/ps` says what is loaded and how much of it lies on GPUs, `/api/version` its version. It counts
/// nothing.
///
/// ```
/// {"models":[{"name":"llama3:8b","model":"llama3:8b","size":6654289920,"size_vram":3327144960,"context_length":4096,
///   "expires_at":"…","details":{…}}]}
/// ```
/// `context_length` is told since 0.9; `size_vram` is left out when it is 0 in some versions. Before 0.1.38 there is no
/// `/api/ps`.
final class OllamaState {
    private static final String LOADED = "/api/ps";

    private OllamaState() {}

    static ServerState of(Answers answers) {
        StateDraft draft = new StateDraft(answers.source(LOADED), "ollama does not tell it");
        draft.loaded = answers.json(LOADED).map(OllamaState::models);
        draft.health = Endpoints.healthOf(draft.loaded);
        Reading<JsonLeaves> version = answers.json("/api/version");
        draft.version = version.map(v -> v.text("version").orElse("")).orElse("");
        if (draft.health == ServerState.Health.UNKNOWN) draft.health = Endpoints.healthOf(version);
        List<LoadedModel> models = draft.loaded.orElse(List.of());
        draft.models = models.stream().map(LoadedModel::name).toList();
        draft.settings = new SettingsDraft()
                .contextLength(
                        models.stream().mapToDouble(LoadedModel::contextLength).max())
                .built();
        return draft.built();
    }

    private static List<LoadedModel> models(JsonLeaves ps) {
        List<LoadedModel> models = new ArrayList<>();
        for (int i = 0; i < Math.min(ps.count("models"), OpenAiModels.MOST); i++) {
            String model = "models." + i + ".";
            String name =
                    ps.text(model + "name").or(() -> ps.text(model + "model")).orElse("");
            models.add(new LoadedModel(
                    name,
                    new Bytes(Math.max(0, ps.whole(model + "size").orElse(0))),
                    new Bytes(Math.max(0, ps.whole(model + "size_vram").orElse(0))),
                    Math.max(0, ps.whole(model + "context_length").orElse(0))));
        }
        return List.copyOf(models);
    }
}
