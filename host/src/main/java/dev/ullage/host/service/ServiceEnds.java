// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.service;

import dev.ullage.host.Cadence;
import dev.ullage.host.Call;
import dev.ullage.host.Fact;
import dev.ullage.host.Host;
import dev.ullage.host.KeyValues;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Units and containers that ended badly, or are started again and again: what a host that is calm now does not show.
///
/// ```
/// unit	llama.service	code=killed status=9 result=oom-kill restarts=4 at=2026-03-01T09:56:00Z
/// container	vllm-prod	id=3f1c… runtime=docker exit=137 oom=true running=false restarts=3 at=2026-03-01T09:58:11Z
/// ```
/// Units come from the journal of systemd (its messages about processes that exit), containers from Docker's and
/// podman's own records.
///
/// Mistake people make: reading 137 as "out of memory". It is SIGKILL: `docker stop` after its grace time gives it too,
/// and Docker's OOMKilled flag is false when a child was killed. The kernel's log decides.
public record ServiceEnds(List<End> all) {
    /// One of them, its last end.
    ///
    /// @param kind `unit` or `container`
    /// @param id of the container; empty for a unit
    /// @param exit what it ended with: `exit status 1`, `SIGKILL`
    /// @param oom whether systemd or the runtime say that memory was the reason
    /// @param restarts how often it was started again; 0 when never, or not told
    /// @param running whether it runs again
    public record End(
            String kind,
            String name,
            String id,
            String exit,
            boolean oom,
            long restarts,
            boolean running,
            Optional<Instant> at) {}

    public static final Fact<Host, ServiceEnds> FACT =
            new Fact<>("services that died", "journalctl, container runtimes", Cadence.END, "", (root, _) -> root.ask(
                            Call.SERVICE_ENDS, "-")
                    .map(ServiceEnds::parse)
                    .orIfThereIsNone(new ServiceEnds(List.of())));

    static ServiceEnds parse(String text) {
        List<End> ends = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] parts = line.split("\t", 3);
            if (parts.length < 3 || !(parts[0].equals("unit") || parts[0].equals("container"))) continue;
            Map<String, String> pairs = new HashMap<>();
            for (String pair : parts[2].split(" ")) {
                int equals = pair.indexOf('=');
                if (equals > 0) pairs.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
            boolean oom = pairs.getOrDefault("oom", "").equals("true")
                    || pairs.getOrDefault("result", "").equals("oom-kill");
            ends.add(new End(
                    parts[0],
                    parts[1],
                    pairs.getOrDefault("id", ""),
                    exit(pairs),
                    oom,
                    Math.max(
                            0,
                            KeyValues.number(pairs.getOrDefault("restarts", "0"))
                                    .orElse(0)),
                    pairs.getOrDefault("running", "").equals("true"),
                    instant(pairs.getOrDefault("at", ""))));
        }
        return new ServiceEnds(List.copyOf(ends));
    }

    /// systemd says `code=killed status=9`; containers say `exit=137`, 128 and more being a signal.
    private static String exit(Map<String, String> pairs) {
        long status = KeyValues.number(pairs.getOrDefault("status", pairs.getOrDefault("exit", "")))
                .orElse(-1);
        String code = pairs.getOrDefault("code", "exited");
        if (code.equals("killed") || code.equals("dumped")) return signal(status);
        if (status > 128 && status < 160) return signal(status - 128);
        return status < 0 ? "no exit status told" : "exit status " + status;
    }

    private static String signal(long number) {
        return switch ((int) number) {
            case 4 -> "SIGILL";
            case 6 -> "SIGABRT";
            case 7 -> "SIGBUS";
            case 9 -> "SIGKILL";
            case 11 -> "SIGSEGV";
            case 15 -> "SIGTERM";
            default -> "signal " + number;
        };
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
