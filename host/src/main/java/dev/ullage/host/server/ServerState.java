// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Seconds;
import java.util.List;

/// What a server says of itself over its read-only endpoints on loopback. What its engine or version does not say is
/// absent with the reason.
///
/// @param source of its numbers: `http://127.0.0.1:8000/metrics`
/// @param version of the engine; empty when it does not say
/// @param models the names under which it serves
/// @param kvCacheUse share of its KV cache that is in use
/// @param requests running and waiting now
/// @param preemptions requests thrown out of the KV cache and computed again, since the server started
/// @param timeToFirstToken of all requests since the server started
/// @param interTokenTime likewise, between one token and the next
/// @param promptTokens read since the server started
/// @param generatedTokens written since the server started
/// @param kvCachePool how large the KV cache is
/// @param loaded models in memory with what of them lies on GPUs; Ollama tells it
/// @param settings what it says it was set to, defaults included
public record ServerState(
        String source,
        String version,
        List<String> models,
        Health health,
        Reading<Ratio> kvCacheUse,
        Reading<Requests> requests,
        Reading<Long> preemptions,
        Reading<Times> timeToFirstToken,
        Reading<Times> interTokenTime,
        Reading<Long> promptTokens,
        Reading<Long> generatedTokens,
        Reading<KvCachePool> kvCachePool,
        Reading<List<LoadedModel>> loaded,
        ServerSettings settings) {
    public static final Fact<ProcessId, ServerState> FACT = new Fact<>(
            "what a server says of itself",
            Call.HTTP.source(),
            Cadence.ENDS,
            "look from where its port can be reached on loopback",
            StateReader::read);

    /// What this tells, and where it does not, what that tells: of one server two processes may answer. Ollama says
    /// what
    /// is loaded, and the llama-server that it starts says how busy it is.
    public ServerState orElse(ServerState other) {
        return new ServerState(
                source,
                version.isEmpty() ? other.version : version,
                models.isEmpty() ? other.models : models,
                health == Health.UNKNOWN ? other.health : health,
                either(kvCacheUse, other.kvCacheUse),
                either(requests, other.requests),
                either(preemptions, other.preemptions),
                either(timeToFirstToken, other.timeToFirstToken),
                either(interTokenTime, other.interTokenTime),
                either(promptTokens, other.promptTokens),
                either(generatedTokens, other.generatedTokens),
                either(kvCachePool, other.kvCachePool),
                either(loaded, other.loaded),
                settings.orElse(other.settings));
    }

    private static <T> Reading<T> either(Reading<T> first, Reading<T> second) {
        return first.isPresent() || !second.isPresent() ? first : second;
    }

    /// Whether it can serve.
    public enum Health {
        SERVING,
        /// It answers that its model is not there yet (503 of llama.cpp, vLLM, TGI).
        LOADING,
        /// It answers that it cannot serve.
        FAILING,
        /// It does not say, or did not answer.
        UNKNOWN
    }

    public record Requests(long running, long waiting) {}

    /// A histogram's totals: how often something took place and how long it took together. The mean of a window is the
    /// difference of the two at its ends.
    public record Times(double seconds, long count) {
        public Seconds mean() {
            return new Seconds(count <= 0 ? 0 : seconds / count);
        }

        /// What took place since `before`; of a server that was restarted meanwhile, all there is.
        public Times since(Times before) {
            return count < before.count ? this : new Times(Math.max(0, seconds - before.seconds), count - before.count);
        }
    }

    /// @param tokens it can hold, of all requests together
    public record KvCachePool(long tokens) {}

    /// @param size of the model in memory, wherever it lies
    /// @param onGpu what of that lies on GPUs; the rest is computed by the CPU
    /// @param contextLength 0 when not told
    public record LoadedModel(String name, Bytes size, Bytes onGpu, long contextLength) {}
}
