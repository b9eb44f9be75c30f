// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.OptionalLong;

/// What came back to a GET, as RFC 9112 frames it: a length, chunks, or the end of the connection.
///
/// ```
/// HTTP/1.1 200 OK
/// content-type: text/plain; version=0.0.4
/// transfer-encoding: chunked
///
/// 1a3f
/// # HELP vllm:num_requests_running …
/// ```
/// Whoever answers may be anybody: each length is bounded, and whoever says one thing and does another is refused.
///
/// Mistake people make: reading to the end of the connection when a length was said. A server that keeps the connection
/// open never ends it.
record HttpAnswer(int status, byte[] body) {
    /// A page of metrics of a server with many models has some 500 KiB.
    static final int LONGEST_BODY = 4 << 20;

    static final int LONGEST_HEAD = 32 << 10;
    private static final int LONGEST_LINE = 8 << 10;

    /// What came is no HTTP, or more of it than is taken.
    static final class NoHttp extends IOException {
        private static final long serialVersionUID = 1;

        NoHttp(String message) {
            super(message);
        }
    }

    /// @throws NoHttp when it is none
    /// @throws IOException when the connection breaks or is too slow
    static HttpAnswer read(InputStream in) throws IOException {
        String line = line(in);
        if (!line.startsWith("HTTP/1.") || line.length() < 12)
            throw new NoHttp("it speaks no HTTP/1 here (TLS, or another protocol)");
        OptionalLong status = number(line.substring(9, 12), 10);
        if (status.isEmpty()) throw new NoHttp("it answered with no status");
        OptionalLong length = OptionalLong.empty();
        boolean chunked = false;
        int head = line.length();
        for (line = line(in); !line.isEmpty(); line = line(in)) {
            head += line.length() + 2;
            if (head > LONGEST_HEAD) throw new NoHttp("its headers are longer than 32 KiB");
            int colon = line.indexOf(':');
            if (colon < 0) continue;
            String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
            String value = line.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
            if (name.equals("content-length")) length = number(value, 10);
            if (name.equals("transfer-encoding")) chunked = value.equals("chunked");
        }
        boolean hasNone = status.getAsLong() == 204 || status.getAsLong() == 304 || status.getAsLong() < 200;
        byte[] body;
        if (hasNone) body = new byte[0];
        else if (chunked) body = chunks(in);
        else if (length.isPresent()) body = exactly(in, length.getAsLong());
        else body = toTheEnd(in);
        return new HttpAnswer((int) status.getAsLong(), body);
    }

    private static byte[] exactly(InputStream in, long length) throws IOException {
        if (length < 0 || length > LONGEST_BODY) throw tooLong();
        byte[] body = in.readNBytes((int) length);
        if (body.length < length)
            throw new NoHttp("its answer broke off after " + body.length + " of " + length + " bytes");
        return body;
    }

    private static byte[] toTheEnd(InputStream in) throws IOException {
        byte[] body = in.readNBytes(LONGEST_BODY + 1);
        if (body.length > LONGEST_BODY) throw tooLong();
        return body;
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            String line = line(in);
            int end = line.indexOf(';');
            OptionalLong size = number((end < 0 ? line : line.substring(0, end)).strip(), 16);
            if (size.isEmpty()) throw new NoHttp("a chunk of its answer has no size");
            if (size.getAsLong() == 0) return body.toByteArray();
            if (size.getAsLong() < 0 || body.size() + size.getAsLong() > LONGEST_BODY) throw tooLong();
            body.write(exactly(in, size.getAsLong()));
            if (!line(in).isEmpty()) throw new NoHttp("a chunk of its answer is longer than it said");
        }
    }

    private static NoHttp tooLong() {
        return new NoHttp("its answer is longer than 4 MiB");
    }

    private static OptionalLong number(String text, int radix) {
        if (text.isEmpty() || text.length() > 15) return OptionalLong.empty();
        try {
            return OptionalLong.of(Long.parseLong(text, radix));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) throw new NoHttp("its answer broke off after " + line.size() + " bytes of a line");
            if (line.size() >= LONGEST_LINE) throw new NoHttp("a line of its head is longer than 8 KiB");
            line.write(b);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
