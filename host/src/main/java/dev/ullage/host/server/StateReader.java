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
            return engine.isPresent() && Endpoints.has(engine.get())
                    ? ServingPort.of(root, id, engine.get(), command)
                            .flatMap(answers -> Endpoints.ask(engine.get(), answers))
                    : Reading.absent(
                            ServerState.FACT.source(), AbsentCause.NOT_PRESENT, "it is no server that tells of itself");
        });
    }
}
