// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.server.ServerState.Health;
import dev.ullage.measure.Reading;

/// What each engine is asked, and on which port it listens when nobody told it another.
///
/// Only what reads: no endpoint here generates, loads, resets or counts. So not `/health` of SGLang and TGI, which
/// generate a token; nor `/metrics` of trtllm-serve, which hands each line out once.
final class Endpoints {
    private Endpoints() {}

    static boolean has(Engine engine) {
        return defaultPort(engine) > 0;
    }

    static int defaultPort(Engine engine) {
        return switch (engine) {
            case VLLM -> 8000;
            case LLAMA_CPP -> 8080;
            case OLLAMA -> 11434;
            case SGLANG, TGI, TENSORRT_LLM, LM_STUDIO, LOCALAI, KOBOLDCPP -> 0;
            case DEEPSPEED, TRANSFORMERS, UNKNOWN -> 0;
        };
    }

    static Reading<ServerState> ask(Engine engine, Answers answers) {
        ServerState state =
                switch (engine) {
                    case VLLM -> VllmState.of(answers);
                    case LLAMA_CPP -> LlamaCppState.of(answers);
                    case OLLAMA -> OllamaState.of(answers);
                    case SGLANG, TGI, TENSORRT_LLM, LM_STUDIO, LOCALAI, KOBOLDCPP, DEEPSPEED, TRANSFORMERS, UNKNOWN ->
                        new StateDraft(answers.source("/"), engine.word() + " is not asked").built();
                };
        return answers.isAlive() ? Reading.of(state) : answers.whyNot().as();
    }

    /// What an answer says of whether the server can serve.
    static Health healthOf(Reading<?> answer) {
        int status = Answers.statusOf(answer);
        if (answer.isPresent()) return Health.SERVING;
        if (status == 503) return Health.LOADING;
        return status >= 500 ? Health.FAILING : Health.UNKNOWN;
    }
}
