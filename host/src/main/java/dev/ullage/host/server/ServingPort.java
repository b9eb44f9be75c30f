// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.HostRoot;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The port on which a server serves: one that it really listens on, the one it was told before its engine's own.
///
/// Servers listen on more than one: for their workers, for a peer on another host. Who is sent a GET there may fall
/// over
/// it, so where it is not plain which port serves none is asked.
final class ServingPort {
    private static final String SOURCE = "/proc/<pid>/net/tcp";

    private ServingPort() {}

    static Reading<Integer> of(HostRoot root, ProcessId id, Engine engine, CommandLine command) {
        OptionalInt told = ServerSettings.of(engine, command).port();
        int expected = told.orElse(Endpoints.defaultPort(engine));
        return switch (ListeningSockets.of(root, id)) {
            case Present<ListeningSockets>(ListeningSockets sockets) -> among(sockets, expected);
            // A page or a capture of which nobody asked it.
            case Absent<ListeningSockets> absent ->
                absent.cause() == AbsentCause.NOT_RECORDED ? Reading.of(expected) : absent.as();
        };
    }

    private static Reading<Integer> among(ListeningSockets sockets, int expected) {
        TreeSet<Integer> ports = sockets.ports();
        if (ports.isEmpty()) return Reading.absent(SOURCE, AbsentCause.NOT_PRESENT, "it listens on no port");
        if (!sockets.isReachable())
            return Reading.absent(SOURCE, AbsentCause.NOT_PRESENT, "it listens in its container's own network");
        // Of sockets that are only its user's one is not picked by guessing.
        if (!sockets.hasPort(expected) && (ports.size() > 1 || !sockets.isOwn()))
            return Reading.absent(
                    SOURCE,
                    AbsentCause.NOT_CONFIGURED,
                    "it listens on " + shown(ports) + " and not on " + expected
                            + "; its command line does not say which serves");
        int port = sockets.hasPort(expected) ? expected : ports.first();
        return sockets.isOnLoopback(port)
                ? Reading.of(port)
                : Reading.absent(
                        SOURCE,
                        AbsentCause.NOT_CONFIGURED,
                        "port " + port + " does not listen on loopback, and no other address is asked");
    }

    private static String shown(TreeSet<Integer> ports) {
        return ports.stream().limit(5).map(String::valueOf).collect(Collectors.joining(", "))
                + (ports.size() > 5 ? ", …" : "");
    }
}
