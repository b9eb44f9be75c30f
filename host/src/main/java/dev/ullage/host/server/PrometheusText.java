// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/// The text of a `/metrics` page: Prometheus' exposition format 0.0.4, and OpenMetrics as far as it differs.
///
/// ```
/// # HELP vllm:num_requests_running Number of requests in model execution batches.
/// # TYPE vllm:num_requests_running gauge
/// vllm:num_requests_running{engine="0",model_name="llama"} 3.0
/// http_requests_total{code="200"} 1027 1395066363000
/// latency_seconds_bucket{le="+Inf"} 17 # {trace_id="KOO5S4vxi0o"} 0.67
/// # EOF
/// ```
/// A line that makes no sense is passed over: one odd line must not hide the rest. Buckets of histograms are dropped:
/// nobody here asks for them, and they are nine tenths of a page.
///
/// Mistake people make: adding up everything of one name. One server that computes in parallel writes one line for each
/// rank of the *same* requests; see [#COPIES].
public final class PrometheusText {
    /// A page of vLLM has some 1,500 lines, buckets included.
    private static final int MOST_LINES = 20_000;

    private static final int MOST_LABELS = 32;

    /// Labels whose values tell the same thing once more: each rank of a tensor- or pipeline-parallel server counts the
    /// requests that all of them compute together. Of those the largest counts; what other labels tell apart
    /// (models,
    /// data-parallel engines) is added.
    private static final Set<String> COPIES = Set.of("tp_rank", "pp_rank", "moe_ep_rank", "pid");

    private final Map<String, List<Line>> lines = new LinkedHashMap<>();

    /// @param labels sorted by name
    record Line(Map<String, String> labels, double value) {}

    private PrometheusText() {}

    public static PrometheusText parse(String text) {
        PrometheusText page = new PrometheusText();
        text.lines().limit(MOST_LINES).forEach(page::take);
        return page;
    }

    public boolean isEmpty() {
        return lines.isEmpty();
    }

    private void take(String line) {
        int end = 0;
        while (end < line.length() && isNamePart(line.charAt(end))) end++;
        if (end == 0) return; // a comment, an empty line, no metric
        String name = line.substring(0, end);
        if (name.endsWith("_bucket")) return;
        Map<String, String> labels = new TreeMap<>();
        int at = end;
        if (at < line.length() && line.charAt(at) == '{') at = labels(line, at + 1, labels);
        if (at < 0) return;
        number(line.substring(at)).ifPresent(value -> lines.computeIfAbsent(name, _ -> new ArrayList<>())
                .add(new Line(labels, value)));
    }

    private static boolean isNamePart(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == ':';
    }

    /// Reads `name="value",…}` from `at` on.
    ///
    /// @return where it goes on behind the bracket; -1 when it is not of that form
    private static int labels(String line, int at, Map<String, String> labels) {
        int i = at;
        while (i < line.length() && labels.size() < MOST_LABELS) {
            char c = line.charAt(i);
            if (c == '}') return i + 1;
            if (c == ',' || c == ' ' || c == '\t') {
                i++;
                continue;
            }
            int start = i;
            while (i < line.length() && isNamePart(line.charAt(i))) i++;
            String name = line.substring(start, i);
            while (i < line.length() && line.charAt(i) == ' ') i++;
            if (name.isEmpty() || i >= line.length() || line.charAt(i) != '=') return -1;
            i++;
            while (i < line.length() && line.charAt(i) == ' ') i++;
            if (i >= line.length() || line.charAt(i) != '"') return -1;
            StringBuilder value = new StringBuilder();
            i = quoted(line, i + 1, value);
            if (i < 0) return -1;
            labels.put(name, value.toString());
        }
        return -1;
    }

    /// Reads up to the closing quote; `\\`, `\"` and `\n` are escapes.
    private static int quoted(String line, int at, StringBuilder value) {
        for (int i = at; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') return i + 1;
            if (c == '\\' && i + 1 < line.length()) {
                i++;
                value.append(line.charAt(i) == 'n' ? '\n' : line.charAt(i));
            } else value.append(c);
        }
        return -1;
    }

    /// The value, before a timestamp or an exemplar. `NaN` is no number: a mean over nothing, mostly.
    private static OptionalDouble number(String rest) {
        String text = rest.strip();
        int end = 0;
        while (end < text.length() && text.charAt(end) > ' ') end++;
        String word = text.substring(0, end);
        if (word.equals("+Inf") || word.equals("Inf")) return OptionalDouble.of(Double.POSITIVE_INFINITY);
        if (word.equals("-Inf")) return OptionalDouble.of(Double.NEGATIVE_INFINITY);
        try {
            double value = Double.parseDouble(word);
            return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    /// Of counters and of gauges that add up (requests): the sum over models and engines.
    OptionalDouble sum(Metric metric) {
        Map<Map<String, String>, Double> largest = new LinkedHashMap<>();
        for (Line line : of(metric)) {
            Map<String, String> without = new TreeMap<>(line.labels);
            without.keySet().removeAll(COPIES);
            largest.merge(without, line.value, Math::max);
        }
        return largest.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(largest.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .sum());
    }

    /// Of shares: the fullest counts.
    OptionalDouble max(Metric metric) {
        return of(metric).stream().mapToDouble(Line::value).max();
    }

    /// The labels of an `…_info` metric, whose value says nothing.
    Optional<Map<String, String>> labels(Metric metric) {
        return of(metric).stream().findFirst().map(Line::labels);
    }

    /// The different values of one label, in order of appearance.
    List<String> values(String label, int most) {
        return lines.values().stream()
                .flatMap(List::stream)
                .map(line -> line.labels.getOrDefault(label, ""))
                .filter(value -> !value.isEmpty())
                .distinct()
                .limit(most)
                .toList();
    }

    /// The lines of a metric. OpenMetrics adds `_total` to the name of a counter, and some clients leave it out.
    List<Line> of(Metric metric) {
        List<Line> found = lines.getOrDefault(metric.name(), List.of());
        if (found.isEmpty() && metric.name().endsWith("_total"))
            found = lines.getOrDefault(
                    metric.name().substring(0, metric.name().length() - "_total".length()), List.of());
        return found.stream()
                .filter(line -> metric.labels().entrySet().stream()
                        .allMatch(l -> l.getValue().equals(line.labels.get(l.getKey()))))
                .toList();
    }
}
