// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.Call;
import dev.ullage.host.HostRoot;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.LinkedHashMap;
import java.util.Map;

/// What one server answers on one port, asked once each. A server that did not answer in time is not asked on: each
/// further question would only wait as long again.
public final class Answers {
    private static final String STATUS = "it answered ";

    private final HostRoot root;
    private final int port;
    private final Map<String, Reading<String>> asked = new LinkedHashMap<>();
    private Reading<String> late;

    Answers(HostRoot root, int port) {
        this.root = root;
        this.port = port;
    }

    int port() {
        return port;
    }

    /// @param path with the slash it begins with: `/metrics`
    Reading<String> get(String path) {
        Reading<String> known = asked.get(path);
        if (known != null) return known;
        Reading<String> answer = late != null ? late : root.ask(Call.HTTP, port + path);
        if (answer instanceof Absent<String> absent && absent.cause() == AbsentCause.TIMED_OUT) late = answer;
        asked.put(path, answer);
        return answer;
    }

    /// A JSON answer taken apart; what is none is malformed.
    Reading<JsonLeaves> json(String path) {
        return get(path).flatMap(text -> {
            JsonLeaves leaves = JsonLeaves.parse(text);
            return leaves.isEmpty() && !text.strip().matches("\\{\\s{0,9}}|\\[\\s{0,9}]")
                    ? Reading.malformed(source(path), text, "a JSON object")
                    : Reading.of(leaves);
        });
    }

    Reading<PrometheusText> metrics(String path) {
        return get(path).flatMap(text -> {
            PrometheusText page = PrometheusText.parse(text);
            return page.isEmpty() && !text.isBlank()
                    ? Reading.malformed(source(path), text, "a page of metrics")
                    : Reading.of(page);
        });
    }

    String source(String path) {
        return Call.HTTP.source() + ":" + port + path;
    }

    /// How an answer that was no success is written down: `it answered 503: Loading model`.
    public static String refusal(int status, String said) {
        return STATUS + status + (said.isBlank() ? "" : ": " + said);
    }

    /// The status of such an answer; 0 when there was none.
    static int statusOf(Reading<?> reading) {
        if (!(reading instanceof Absent<?> absent) || !absent.detail().startsWith(STATUS)) return 0;
        int from = STATUS.length();
        int end = from;
        while (end < absent.detail().length()
                && end < from + 3
                && Character.isDigit(absent.detail().charAt(end))) end++;
        return end == from ? 0 : Integer.parseInt(absent.detail().substring(from, end));
    }

    /// Whether anything came back, be it a refusal.
    boolean isAlive() {
        return asked.values().stream().anyMatch(answer -> answer.isPresent() || statusOf(answer) > 0);
    }

    /// Why there is nothing, when nothing came back.
    Absent<String> whyNot() {
        for (Reading<String> answer : asked.values()) if (answer instanceof Absent<String> absent) return absent;
        return new Absent<>(source("/"), AbsentCause.NOT_RECORDED, "it was not asked");
    }
}
