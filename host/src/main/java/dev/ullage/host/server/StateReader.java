// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.HostRoot;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.util.Optional;

/// Finds out whom to ask and on which port, and puts the answers together.
final class StateReader {
    private StateReader() {}

    static Reading<ServerState> read(HostRoot root, ProcessId id) {
        return CommandLine.FACT.read(root, id).flatMap(command -> {
            Optional<Engine> engine = Engine.of(command);
            // What Ollama starts for a model speaks a language of its own.
            boolean isRunner = engine.equals(Optional.of(Engine.OLLAMA))
                    && !command.arguments().contains("serve")
                    && !command.arguments().contains("start");
            return !isRunner && engine.isPresent() && Endpoints.has(engine.get())
                    ? ServingPort.of(root, id, engine.get(), command)
                            .flatMap(answers -> Endpoints.ask(engine.get(), answers))
                    : Reading.absent(
                            ServerState.FACT.source(), AbsentCause.NOT_PRESENT, "it is no server that tells of itself");
        });
    }
}
