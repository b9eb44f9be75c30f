// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.server.ServerState.KvCachePool;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.OptionalLong;

/// Text Generation Inference: `/metrics`, `/info`. Its router answers when its shards have loaded.
///
/// ```
/// {"model_id":"org/model","model_dtype":"torch.float16","max_concurrent_requests":128,"max_total_tokens":4096,
///   "max_batch_total_tokens":50000,"version":"2.4.0","router":"text-generation-router",…}
/// ```
/// `max_batch_total_tokens`, the tokens its KV cache holds, is told until 2.x. Of the use of the KV cache it tells
/// nothing. `/health` is not asked: after a failure it computes a token.
final class TgiState {
    private static final String METRICS = "/metrics";

    private TgiState() {}

    static ServerState of(Answers answers) {
        StateDraft draft = new StateDraft(answers.source(METRICS), "tgi does not tell it");
        draft.take(new StateOfMetrics(Engine.TGI, answers.metrics(METRICS), answers.source(METRICS)));
        Reading<JsonLeaves> info = answers.json("/info");
        draft.health = Endpoints.healthOf(info);
        JsonLeaves told = info.orElse(JsonLeaves.parse(""));
        draft.version = told.text("version").orElse("");
        draft.models = told.text("model_id").map(List::of).orElse(List.of());
        OptionalLong pool = told.whole("max_batch_total_tokens");
        if (pool.orElse(0) > 0) draft.kvCachePool = Reading.of(new KvCachePool(pool.getAsLong()));
        draft.settings = new SettingsDraft()
                .model(told.text("model_id"))
                .contextLength(told.number("max_total_tokens"))
                .parallelSequences(told.number("max_concurrent_requests"))
                .built();
        return draft.built();
    }
}
