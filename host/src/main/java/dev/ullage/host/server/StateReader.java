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
        Reading<CommandLine> command = CommandLine.FACT.read(root, id);
        Optional<Engine> engine = command.map(Engine::of).orElse(Optional.empty());
        if (engine.isEmpty() || !Endpoints.has(engine.get()))
            return Reading.absent(
                    ServerState.FACT.source(), AbsentCause.NOT_PRESENT, "it is no server that tells of itself");
        return ServingPort.of(root, id, engine.get(), command.orThrow())
                .flatMap(answers -> Endpoints.ask(engine.get(), answers));
    }
}
