// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import dev.ullage.diagnosis.Diagnosis.CouldNotSee;
import dev.ullage.diagnosis.view.ServerStates;
import dev.ullage.host.Evidence;
import dev.ullage.host.server.EnvironmentNames;
import dev.ullage.host.server.Workload;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading.Absent;
import dev.ullage.measure.Reading.Present;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What servers did not say of themselves although it can be had: with a key, a flag, from another place.
///
/// What an engine never tells is no gap, nor what nobody asked (`--no-http`, a capture without it).
final class ServerGaps {
    private ServerGaps() {}

    static List<CouldNotSee> in(Evidence evidence) {
        List<CouldNotSee> gaps = new ArrayList<>();
        for (Workload server : evidence.servers()) {
            switch (ServerStates.of(evidence, server)) {
                case Absent<ServerStates> absent ->
                    help(absent, server).ifPresent(help -> gaps.add(gap(server, absent, help)));
                case Present<ServerStates>(ServerStates states) -> {
                    if (states.now().requests() instanceof Absent<?> absent)
                        help(absent, server).ifPresent(help -> gaps.add(gap(server, absent, help)));
                }
            }
            settingsOfEnvironment(evidence, server).ifPresent(gaps::add);
        }
        return gaps;
    }

    /// Settings that are told by variables: their names are read, their values may be keys and are not.
    private static Optional<CouldNotSee> settingsOfEnvironment(Evidence evidence, Workload server) {
        List<String> names = evidence.latest(EnvironmentNames.FACT, server.main())
                .map(EnvironmentNames::settings)
                .orElse(List.of());
        if (names.isEmpty()) return Optional.empty();
        String file = server.main().file("environ");
        return Optional.of(new CouldNotSee(
                "settings of " + server.shown() + " in its environment: " + String.join(", ", names),
                file,
                AbsentCause.NOT_RECORDED.word(),
                "values may be secrets and are never read; tr '\\0' '\\n' < " + file + " shows them"));
    }

    private static CouldNotSee gap(Workload server, Absent<?> absent, String help) {
        return new CouldNotSee(
                "what " + server.shown() + " says of itself: " + absent.detail(),
                absent.source(),
                absent.cause().word(),
                help);
    }

    private static Optional<String> help(Absent<?> absent, Workload server) {
        String detail = absent.detail();
        if (absent.cause() == AbsentCause.NO_PERMISSION && detail.startsWith("it answered "))
            return Optional.of("--api-key-env NAME, with its key in that variable");
        if (detail.contains("container's own network"))
            return Optional.of("nsenter --net --target " + server.main().pid() + " ullage diagnose");
        int hint = detail.indexOf("start it with ");
        if (hint >= 0) return Optional.of(detail.substring(hint));
        return absent.cause() == AbsentCause.TIMED_OUT ? Optional.of("") : Optional.empty();
    }
}
