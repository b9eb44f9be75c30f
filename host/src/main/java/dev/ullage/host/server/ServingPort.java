// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.HostRoot;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.Reading;
import java.util.OptionalInt;

/// The port on which a server serves.
final class ServingPort {
    private ServingPort() {}

    static Reading<Integer> of(HostRoot root, ProcessId id, Engine engine, CommandLine command) {
        OptionalInt told = ServerSettings.of(engine, command).port();
        return Reading.of(told.orElse(Endpoints.defaultPort(engine)));
    }
}
