// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A line as a container engine, a kubelet or the journal keeps it, and what is in it. Told by the line itself: one
/// input may hold several kinds (`cat *.log`).
///
/// ```
/// {"log":"text\n","stream":"stderr","time":"2026-12-01T05:55:22.123456789Z"}      docker's json-file
/// 2026-12-01T05:55:22.123456789Z stderr F text                                   CRI: containerd, CRI-O
/// {"__REALTIME_TIMESTAMP":"1764568522123456","_COMM":"ollama","MESSAGE":"text"}  journalctl -o json
/// ```
///
/// @param stream of which a line that was cut up must be put together again: `docker stderr`
/// @param isWhole whether the line ends here; engines cut lines at 16 KiB
/// @param worker as in [LogLine], or empty
/// @param content may hold several lines
record Wrapping(String stream, boolean isWhole, List<Stamp> stamps, String worker, String content) {
    private static final Pattern CRI = Pattern.compile(
            "(\\d{4}-\\d\\d-\\d\\dT\\S{8,40}) (stdout|stderr) ([FP])(?::\\S{1,40})? (.*)", Pattern.DOTALL);

    static Optional<Wrapping> of(String line) {
        if (line.isEmpty()) return Optional.empty();
        char first = line.charAt(0);
        if (first == '{') return json(line);
        if (first != '1' && first != '2') return Optional.empty();
        Matcher cri = CRI.matcher(line);
        if (!cri.matches()) return Optional.empty();
        return Optional.of(
                new Wrapping("cri " + cri.group(2), cri.group(3).equals("F"), stamps(cri.group(1)), "", cri.group(4)));
    }

    private static Optional<Wrapping> json(String line) {
        boolean mayBeDocker = line.startsWith("{\"log\":");
        if (!mayBeDocker && !line.contains("\"__REALTIME_TIMESTAMP\"")) return Optional.empty();
        Map<String, String> fields = JsonFields.of(line);
        if (mayBeDocker && fields.containsKey("log") && fields.containsKey("time")) return Optional.of(docker(fields));
        if (fields.containsKey("__REALTIME_TIMESTAMP")) return Optional.of(journal(fields));
        return Optional.empty();
    }

    private static Wrapping docker(Map<String, String> fields) {
        String log = fields.get("log");
        boolean isWhole = log.endsWith("\n");
        return new Wrapping(
                "docker " + fields.getOrDefault("stream", ""),
                isWhole,
                stamps(fields.get("time")),
                "",
                isWhole ? log.substring(0, log.length() - 1) : log);
    }

    /// The fields of a journal record, from `-o json` or `-o export`.
    static Wrapping journal(Map<String, String> fields) {
        String name = fields.getOrDefault("SYSLOG_IDENTIFIER", fields.getOrDefault("_COMM", ""));
        if (fields.getOrDefault("_TRANSPORT", "").equals("kernel")) name = "kernel";
        String pid = fields.getOrDefault("_PID", fields.getOrDefault("SYSLOG_PID", ""));
        String worker = name.isEmpty() || pid.isEmpty() || name.equals("kernel") ? name : name + "[" + pid + "]";
        return new Wrapping(
                "journal",
                true,
                micros(fields.get("__REALTIME_TIMESTAMP")),
                worker,
                fields.getOrDefault("MESSAGE", ""));
    }

    private static List<Stamp> stamps(String time) {
        return Stamps.at(time, 0).map(found -> List.of(found.stamp())).orElse(List.of());
    }

    private static List<Stamp> micros(String text) {
        if (text == null || text.length() > 17 || !text.chars().allMatch(c -> c >= '0' && c <= '9') || text.isEmpty())
            return List.of();
        long micros = Long.parseLong(text);
        return List.of(new Stamp.Exact(Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000)));
    }
}
