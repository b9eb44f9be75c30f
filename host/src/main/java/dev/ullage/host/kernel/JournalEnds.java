// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What systemd wrote into its journal about services whose processes ended. Sources: systemd's sd-messages.h for the
/// message ids, systemd.journal-fields(7), the export format (https://systemd.io/JOURNAL_EXPORT_FORMATS).
///
/// ```
/// __REALTIME_TIMESTAMP=1772355360000000
/// MESSAGE_ID=98e322203f7a4ed290d09fe03c09fe15
/// UNIT=llama.service
/// EXIT_CODE=killed
/// EXIT_STATUS=9
/// ```
final class JournalEnds {
    private static final String PROCESS_EXIT = "98e322203f7a4ed290d09fe03c09fe15";
    private static final String FAILURE_RESULT = "d9b373ed55a64feb8242e02dbe79a49c";
    private static final String RESTART_SCHEDULED = "5eb03494b6584870a536b337290809b3";
    private static final String OUT_OF_MEMORY = "fe6faa94e7774663a0da52717891d8ef";

    /// The last thousand: of a service that dies every second still a quarter of an hour.
    static final List<String> COMMAND = List.of(
            "journalctl",
            "--quiet",
            "--no-pager",
            "--output=export",
            "--output-fields=MESSAGE_ID,UNIT,USER_UNIT,EXIT_CODE,EXIT_STATUS,UNIT_RESULT,N_RESTARTS,_PID",
            "--since=-24h",
            "--lines=1000",
            "MESSAGE_ID=" + PROCESS_EXIT,
            "MESSAGE_ID=" + FAILURE_RESULT,
            "MESSAGE_ID=" + RESTART_SCHEDULED,
            "MESSAGE_ID=" + OUT_OF_MEMORY);

    private JournalEnds() {}

    /// Lines of [dev.ullage.host.service.ServiceEnds]; empty where there is no systemd.
    static Optional<List<String>> read(Instant since) {
        return HostPrograms.output(COMMAND, 2).map(text -> lines(text, since));
    }

    /// One line a unit: its last end, and how often it was started again.
    static List<String> lines(String export, Instant since) {
        Map<String, Map<String, String>> ends = new LinkedHashMap<>();
        for (String block : export.split("\n\n")) {
            Map<String, String> entry = new HashMap<>();
            for (String line : block.split("\n")) {
                int equals = line.indexOf('=');
                if (equals > 0) entry.put(line.substring(0, equals), line.substring(equals + 1));
            }
            // Anybody may write an entry with these fields; the ones that begin with "_" are the journal's own.
            boolean byManager = entry.getOrDefault("_PID", "").equals("1");
            String unit = entry.getOrDefault(byManager ? "UNIT" : "USER_UNIT", "");
            Optional<Instant> at = time(entry.getOrDefault("__REALTIME_TIMESTAMP", ""));
            if (!unit.endsWith(".service") || at.isEmpty() || at.get().isBefore(since)) continue;
            Map<String, String> end = ends.computeIfAbsent(unit, _ -> new HashMap<>());
            String then = at.get().toString();
            switch (entry.getOrDefault("MESSAGE_ID", "")) {
                case PROCESS_EXIT -> {
                    end.put("code", entry.getOrDefault("EXIT_CODE", "exited"));
                    end.put("status", entry.getOrDefault("EXIT_STATUS", "0"));
                    end.put("at", then);
                }
                // A start that timed out, or a helper that was killed, has no exit of the main process.
                case FAILURE_RESULT -> {
                    end.put("result", entry.getOrDefault("UNIT_RESULT", ""));
                    end.put("at", then);
                }
                case OUT_OF_MEMORY -> {
                    end.put("result", "oom-kill");
                    end.put("at", then);
                }
                // One that ends well and is started all the same leaves no other message.
                case RESTART_SCHEDULED -> {
                    end.put("restarts", entry.getOrDefault("N_RESTARTS", "1"));
                    end.putIfAbsent("at", then);
                }
                default -> {}
            }
        }
        List<String> lines = new ArrayList<>();
        ends.forEach((unit, end) -> {
            boolean bad = end.containsKey("result")
                    || end.containsKey("restarts")
                    || !end.getOrDefault("status", "0").equals("0");
            if (!bad) return;
            StringBuilder line = new StringBuilder("unit\t" + ContainerRuntimes.oneWord(unit) + "\t");
            for (String key : List.of("code", "status", "result", "restarts", "at"))
                if (end.containsKey(key))
                    line.append(key)
                            .append('=')
                            .append(ContainerRuntimes.oneWord(end.get(key)))
                            .append(' ');
            lines.add(line.toString().strip());
        });
        return lines;
    }

    private static Optional<Instant> time(String micros) {
        return micros.matches("\\d{10,17}")
                ? Optional.of(Instant.ofEpochSecond(0, Long.parseLong(micros) * 1000))
                : Optional.empty();
    }
}
