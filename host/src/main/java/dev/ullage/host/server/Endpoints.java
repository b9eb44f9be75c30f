// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.process.CommandLine;
import dev.ullage.host.server.ServerState.Health;
import dev.ullage.measure.Reading;
import java.util.List;
import java.util.OptionalInt;

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
            case SGLANG -> 30_000;
            case TGI -> 3000;
            case TENSORRT_LLM -> 8000;
            case LM_STUDIO -> 1234;
            case LOCALAI -> 8080;
            case KOBOLDCPP -> 5001;
            case DEEPSPEED, TRANSFORMERS, UNKNOWN -> 0;
        };
    }

    static Reading<ServerState> ask(Engine engine, Answers answers) {
        ServerState state =
                switch (engine) {
                    case VLLM -> VllmState.of(answers);
                    case LLAMA_CPP -> LlamaCppState.of(answers);
                    case OLLAMA -> OllamaState.of(answers);
                    case SGLANG -> SglangState.of(answers);
                    case TGI -> TgiState.of(answers);
                    case TENSORRT_LLM -> TensorRtState.of(answers);
                    case LM_STUDIO -> ModelListState.ofLmStudio(answers);
                    case LOCALAI -> ModelListState.ofLocalAi(answers);
                    case KOBOLDCPP -> KoboldState.of(answers);
                    case DEEPSPEED, TRANSFORMERS, UNKNOWN ->
                        throw new IllegalArgumentException(engine + " is no server");
                };
        return answers.isAlive() ? Reading.of(state) : answers.whyNot().as();
    }

    /// Where else than on its own port an engine is usually put: the images of TGI say `PORT=80`.
    static List<Integer> usualPorts(Engine engine) {
        return engine == Engine.TGI ? List.of(80) : List.of();
    }

    /// Triton counts on a port of its own; all others have no such.
    static OptionalInt metricsPort(Engine engine, CommandLine command) {
        if (engine != Engine.TENSORRT_LLM) return OptionalInt.empty();
        return OptionalInt.of(
                (int) Numbers.plain(command.flag("--metrics-port").orElse("")).orElse(8002));
    }

    /// What an answer says of whether the server can serve.
    static Health healthOf(Reading<?> answer) {
        int status = Answers.statusOf(answer);
        if (answer.isPresent()) return Health.SERVING;
        if (status == 503) return Health.LOADING;
        return status >= 500 ? Health.FAILING : Health.UNKNOWN;
    }
}
