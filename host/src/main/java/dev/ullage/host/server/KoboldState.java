// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.server.ServerState.Requests;
import dev.ullage.measure.Reading;
import java.util.List;

/// koboldcpp: `/api/extra/version`, `/api/extra/perf`, `/api/v1/model`, `/api/extra/true_max_context_length`.
///
/// ```
/// {"result":"KoboldCpp","version":"1.98.1"}    {"last_process":0.2,"last_eval":4.1,"queue":0,"idle":1,…}
/// {"result":"koboldcpp/model-q4"}              {"value":8192}
/// ```
final class KoboldState {
    private static final String PERFORMANCE = "/api/extra/perf";

    private KoboldState() {}

    static ServerState of(Answers answers) {
        StateDraft draft = new StateDraft(answers.source(PERFORMANCE), "koboldcpp does not tell it");
        Reading<JsonLeaves> version = answers.json("/api/extra/version");
        draft.health = Endpoints.healthOf(version);
        draft.version = version.map(v -> v.text("version").orElse("")).orElse("");
        draft.models = answers.json("/api/v1/model")
                .map(m -> m.text("result").map(List::of).orElse(List.of()))
                .orElse(List.of());
        // It computes one request at a time.
        draft.requests = answers.json(PERFORMANCE)
                .map(p -> new Requests(
                        p.number("idle").orElse(1) == 0 ? 1 : 0,
                        Math.max(0, p.whole("queue").orElse(0))));
        draft.settings = new SettingsDraft()
                .contextLength(Numbers.plain(answers.json("/api/extra/true_max_context_length")
                        .map(c -> c.text("value").orElse(""))
                        .orElse("")))
                .built();
        return draft.built();
    }
}
