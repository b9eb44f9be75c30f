// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import dev.ullage.host.Call;
import dev.ullage.host.server.Answers;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Asks servers of this host over HTTP: GET on loopback and nothing else. No redirect is followed, no proxy asked, no
/// name resolved.
///
/// A server gets [#PATIENCE_NANOS] of an instant for all its questions together. A report of a window of three seconds
/// must be there two seconds after it: one second at each end of it is what there is. A server that is well answers in
/// a few milliseconds; one that takes longer than a second is starved, and that is what there was to learn.
final class LoopbackHttp {
    static final long PATIENCE_NANOS = 1_000_000_000;

    private static final String KEY_WANTED = "give its key with --api-key-env";

    private final HttpAccess access;
    /// What each port has used of its time at this instant.
    private final Map<Integer, Long> spent = new ConcurrentHashMap<>();

    LoopbackHttp(HttpAccess access) {
        this.access = access;
    }

    /// Each server has its whole time again.
    void startInstant() {
        spent.clear();
    }

    /// @param about `8000/metrics`
    Reading<String> get(String about) {
        if (!access.allowed())
            return Reading.absent(Call.HTTP.source(), AbsentCause.NOT_CONFIGURED, "--no-http forbids to ask servers");
        int slash = about.indexOf('/');
        int port = slash < 0 ? 0 : port(about.substring(0, slash));
        String path = slash < 0 ? "" : about.substring(slash);
        if (port == 0 || !path.matches("/[\\w./-]{0,100}"))
            return Reading.absent(about, AbsentCause.MALFORMED, "expected a port and a path, like 8000/metrics");
        String source = Call.HTTP.source() + ":" + about;
        long begun = System.nanoTime();
        long end = begun + PATIENCE_NANOS - spent.getOrDefault(port, 0L);
        try {
            HttpAnswer answer = ask(port, path, Optional.empty(), end);
            boolean wantsKey = answer.status() == 401 || answer.status() == 403;
            if (wantsKey && access.key().isPresent()) answer = ask(port, path, access.key(), end);
            return reading(source, answer);
        } catch (SocketTimeoutException e) {
            return Reading.absent(source, AbsentCause.TIMED_OUT, "it did not answer within 1 s");
        } catch (ConnectException e) {
            return Reading.absent(source, AbsentCause.NOT_PRESENT, "nothing takes connections on this port");
        } catch (HttpAnswer.NoHttp e) {
            return Reading.absent(source, AbsentCause.MALFORMED, e.getMessage());
        } catch (IOException e) {
            return Reading.absent(source, AbsentCause.VANISHED, "the connection broke: " + shown(e.getMessage()));
        } finally {
            spent.merge(port, System.nanoTime() - begun, Long::sum);
        }
    }

    private static int port(String text) {
        return text.matches("[1-9]\\d{0,4}") && Integer.parseInt(text) < 65_536 ? Integer.parseInt(text) : 0;
    }

    private static HttpAnswer ask(int port, String path, Optional<String> key, long end) throws IOException {
        try {
            return HttpExchange.get(HttpExchange.IPV4, port, path, key, end);
        } catch (ConnectException e) {
            try {
                return HttpExchange.get(HttpExchange.IPV6, port, path, key, end);
            } catch (SocketException withoutIpv6) {
                throw e;
            }
        }
    }

    private Reading<String> reading(String source, HttpAnswer answer) {
        if (answer.status() / 100 == 2) {
            Optional<String> text = text(answer.body());
            return text.isPresent()
                    ? Reading.of(withoutKey(text.get()))
                    : Reading.absent(source, AbsentCause.MALFORMED, "it answered with something that is no text");
        }
        String said = withoutKey(shown(message(text(answer.body()).orElse(""))));
        return switch (answer.status()) {
            case 401, 403 ->
                Reading.absent(
                        source,
                        AbsentCause.NO_PERMISSION,
                        Answers.refusal(
                                answer.status(), access.key().isPresent() ? "the key is not its own" : KEY_WANTED));
            case 500, 502, 503, 504 ->
                Reading.absent(source, AbsentCause.NOT_PRESENT, Answers.refusal(answer.status(), said));
            default -> Reading.absent(source, AbsentCause.NOT_CONFIGURED, Answers.refusal(answer.status(), said));
        };
    }

    /// A server that echoes its request must not put the key into a report.
    private String withoutKey(String text) {
        return access.key().map(key -> text.replace(key, "…")).orElse(text);
    }

    /// UTF-8 without control characters, but for those of text.
    private static Optional<String> text(byte[] body) {
        for (byte b : body) if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') return Optional.empty();
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(body))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /// What a refusal says: of JSON its `"message":"…"`, else its first line.
    private static String message(String body) {
        String key = "\"message\":";
        int at = body.indexOf(key);
        int open = at < 0 ? -1 : body.indexOf('"', at + key.length());
        int close = open < 0 ? -1 : body.indexOf('"', open + 1);
        if (close > 0) return body.substring(open + 1, close);
        return body.lines().findFirst().orElse("");
    }

    private static String shown(String text) {
        if (text == null) return "";
        String plain = text.replaceAll("[^\\x20-\\x7e]", " ").strip();
        return plain.length() > 80 ? plain.substring(0, 80) + "…" : plain;
    }
}
