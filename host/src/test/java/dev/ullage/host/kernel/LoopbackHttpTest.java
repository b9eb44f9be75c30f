// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Absence;
import dev.ullage.host.Call;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoopbackHttpTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";

    private static Reading<String> ask(TalkingServer server, String path) {
        return new LiveHost().ask(Call.HTTP, server.port() + path);
    }

    private static Reading<String> answerTo(String answer) throws IOException {
        try (TalkingServer server = TalkingServer.saying(answer)) {
            return ask(server, "/metrics");
        }
    }

    @Test
    void a_body_is_framed_by_its_length_by_chunks_or_by_the_end() throws IOException {
        assertEquals(
                "a 1\n", answerTo(OK + "Content-Length: 4\r\n\r\na 1\nmore").orThrow());
        assertEquals(
                "a 1\nb 2\n",
                answerTo(OK + "transfer-encoding: chunked\r\n\r\n4;x=y\r\na 1\n\r\n4\r\nb 2\n\r\n0\r\n\r\n")
                        .orThrow());
        assertEquals("a 1\n", answerTo("HTTP/1.0 200 OK\n\na 1\n").orThrow());
        assertEquals("", answerTo("HTTP/1.1 204 No Content\r\n\r\n").orThrow());
    }

    @Test
    void it_asks_with_get_for_text_and_keeps_no_connection() throws IOException {
        try (TalkingServer server = TalkingServer.saying(OK + "Content-Length: 0\r\n\r\n")) {
            ask(server, "/v1/models");
            String request = server.requests().getFirst();
            assertTrue(request.startsWith("GET /v1/models HTTP/1.1\n"), request);
            assertTrue(request.contains("Host: 127.0.0.1:" + server.port()), request);
            assertTrue(request.contains("Connection: close"), request);
            assertFalse(request.contains("Authorization"), request);
        }
    }

    @Test
    void a_server_that_listens_on_ipv6_only_is_found() throws IOException {
        try (TalkingServer six = new TalkingServer(
                "::1", (_, out) -> out.write((OK + "Content-Length: 1\r\n\r\n6").getBytes(StandardCharsets.UTF_8)))) {
            assertEquals("6", ask(six, "/x").orThrow());
        } catch (BindException e) {
            // No IPv6 on this machine: then asking by it must not hide that nobody answers by IPv4.
            assertEquals(AbsentCause.NOT_PRESENT, Absence.causeOf(new LiveHost().ask(Call.HTTP, "1/x")));
        }
    }

    @Test
    void a_refusal_says_its_status_and_why() throws IOException {
        Reading<String> loading = answerTo("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 62\r\n\r\n"
                + "{\"error\":{\"code\":503,\"message\":\"Loading model\",\"type\":\"x_err\"}}");
        assertEquals(AbsentCause.NOT_PRESENT, Absence.causeOf(loading));
        assertEquals("it answered 503: Loading model", Absence.detailOf(loading));
        Reading<String> none = answerTo("HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nNot Found");
        assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(none));
        assertEquals("it answered 404: Not Found", Absence.detailOf(none));
        Reading<String> key = answerTo("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Negotiate\r\n\r\n");
        assertEquals(AbsentCause.NO_PERMISSION, Absence.causeOf(key));
        assertEquals("it answered 401: give its key with --api-key-env", Absence.detailOf(key));
    }

    @Test
    void a_redirect_is_not_followed() throws IOException {
        try (TalkingServer target = TalkingServer.saying(OK + "Content-Length: 0\r\n\r\n")) {
            Reading<String> reading = answerTo("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:" + target.port()
                    + "/x\r\nContent-Length: 0\r\n\r\n");
            assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(reading));
            assertTrue(target.requests().isEmpty());
        }
    }

    @Test
    void the_key_goes_only_to_who_asks_for_one_and_never_comes_back() throws IOException {
        LiveHost host = new LiveHost(new HttpAccess(true, Optional.of("sk-s3cret")));
        TalkingServer.Talk guarded = (head, out) -> {
            boolean hasKey = head.contains("Authorization: Bearer sk-s3cret");
            String body = "you sent " + head;
            out.write(((hasKey ? OK : "HTTP/1.1 401 no\r\n") + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                    .getBytes(StandardCharsets.ISO_8859_1));
        };
        try (TalkingServer wants = new TalkingServer(guarded);
                TalkingServer wantsNone = TalkingServer.saying(OK + "Content-Length: 0\r\n\r\n")) {
            String echoed = host.ask(Call.HTTP, wants.port() + "/metrics").orThrow();
            assertTrue(echoed.contains("Authorization: Bearer …"), echoed);
            assertFalse(echoed.contains("s3cret"), echoed);
            host.ask(Call.HTTP, wantsNone.port() + "/metrics");
            assertFalse(wantsNone.requests().toString().contains("s3cret"));
            assertFalse(
                    new HttpAccess(true, Optional.of("sk-s3cret")).toString().contains("s3cret"));
        }
    }

    @Test
    void nobody_is_asked_when_it_is_forbidden() throws IOException {
        try (TalkingServer server = TalkingServer.saying(OK + "\r\n")) {
            Reading<String> reading = new LiveHost(HttpAccess.FORBIDDEN).ask(Call.HTTP, server.port() + "/metrics");
            assertEquals(AbsentCause.NOT_CONFIGURED, Absence.causeOf(reading));
            assertTrue(Absence.detailOf(reading).contains("--no-http"));
            assertTrue(server.requests().isEmpty());
        }
    }

    @Test
    void a_server_that_drips_its_answer_is_late_after_a_second() throws IOException {
        for (String begin :
                new String[] {"", OK + "x: ", OK + "\r\n", OK + "Transfer-Encoding: chunked\r\n\r\n1\r\n"}) {
            try (TalkingServer server = new TalkingServer((_, out) -> {
                out.write(begin.getBytes(StandardCharsets.ISO_8859_1));
                for (int i = 0; i < 200; i++) {
                    out.write('a');
                    out.flush();
                    Thread.sleep(50);
                }
            })) {
                long before = System.nanoTime();
                Reading<String> reading = ask(server, "/metrics");
                Duration took = Duration.ofNanos(System.nanoTime() - before);
                assertEquals(AbsentCause.TIMED_OUT, Absence.causeOf(reading), begin + reading);
                assertTrue(took.toMillis() >= 900 && took.toMillis() < 3000, begin + took);
            }
        }
    }

    @Test
    void a_second_is_for_all_questions_of_an_instant() throws IOException {
        try (TalkingServer server = new TalkingServer((_, out) -> Thread.sleep(5000))) {
            LiveHost host = new LiveHost();
            long before = System.nanoTime();
            for (String path : new String[] {"/metrics", "/health", "/version"})
                assertEquals(AbsentCause.TIMED_OUT, Absence.causeOf(host.ask(Call.HTTP, server.port() + path)));
            assertTrue(System.nanoTime() - before < 2_000_000_000L);
            host.ask(Call.CLOCK, "-");
            before = System.nanoTime();
            host.ask(Call.HTTP, server.port() + "/metrics");
            assertTrue(System.nanoTime() - before > 900_000_000L, "the next instant has its own second");
        }
    }

    @Test
    void what_is_no_http_or_no_text_or_too_long_is_refused() throws IOException {
        String[] bad = {
            "\u0015\u0003\u0001\u0000\u0002\u0002\u0016",
            "SSH-2.0-OpenSSH_9.2\r\n",
            OK + "Content-Length: 99999999999999\r\n\r\n",
            OK + "Content-Length: 10\r\n\r\nabc",
            OK + "Content-Length: 3\r\n\r\na\u0000b",
            OK + "transfer-encoding: chunked\r\n\r\nzz\r\n",
            OK + "transfer-encoding: chunked\r\n\r\n7fffffffffff\r\n",
            OK + "transfer-encoding: chunked\r\n\r\n2\r\nabcd\r\n",
            OK + "x".repeat(20_000) + "\r\n\r\n",
            OK + "a: b\r\n".repeat(20_000) + "\r\n",
            "HTTP/1.1 abc\r\n\r\n",
            ""
        };
        for (String answer : bad) {
            Reading<String> reading = answerTo(answer);
            assertFalse(reading.isPresent(), answer);
            AbsentCause cause = Absence.causeOf(reading);
            assertTrue(cause == AbsentCause.MALFORMED || cause == AbsentCause.VANISHED, answer + reading);
        }
    }

    @Test
    void a_stream_without_an_end_is_cut_off() throws IOException {
        try (TalkingServer server = new TalkingServer((_, out) -> {
            out.write((OK + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            byte[] much = "metric 1\n".repeat(10_000).getBytes(StandardCharsets.ISO_8859_1);
            for (long sent = 0; sent < 1L << 30; sent += much.length) write(out, much);
        })) {
            Reading<String> reading = ask(server, "/metrics");
            AbsentCause cause = Absence.causeOf(reading);
            // On a busy machine the second may be over before 4 MiB are there.
            assertTrue(cause == AbsentCause.MALFORMED || cause == AbsentCause.TIMED_OUT, reading.toString());
        }
    }

    private static void write(OutputStream out, byte[] much) throws IOException {
        out.write(much);
    }

    @Test
    void a_port_where_nobody_listens_is_not_present() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertEquals(AbsentCause.NOT_PRESENT, Absence.causeOf(new LiveHost().ask(Call.HTTP, port + "/metrics")));
    }

    @Test
    void a_path_with_anything_odd_in_it_is_not_sent() {
        for (String about : new String[] {"8000", "0/x", "99999/x", "80/a b", "80/x\r\nHost: y", "x/y", "80/?a=b"})
            assertEquals(AbsentCause.MALFORMED, Absence.causeOf(new LiveHost().ask(Call.HTTP, about)), about);
    }
}
