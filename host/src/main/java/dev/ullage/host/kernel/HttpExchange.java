// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// One GET over one connection, all of it before one moment: connecting, each read, however slowly bytes drip in.
final class HttpExchange {
    static final byte[] IPV4 = {127, 0, 0, 1};
    static final byte[] IPV6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    private HttpExchange() {}

    /// @param end by [System#nanoTime()]
    /// @throws SocketTimeoutException when it is not over by then
    static HttpAnswer get(byte[] address, int port, String path, Optional<String> key, long end) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(address), port), millisUntil(end));
            String host = address.length == 4 ? "127.0.0.1" : "[::1]";
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + ":" + port
                    + "\r\nUser-Agent: ullage\r\nAccept: text/plain, application/json\r\n"
                    + key.map(k -> "Authorization: Bearer " + k + "\r\n").orElse("")
                    + "Connection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return HttpAnswer.read(new BufferedInputStream(new Until(socket, end), 16 << 10));
        }
    }

    /// At least one: to a socket 0 means for ever.
    private static int millisUntil(long end) throws SocketTimeoutException {
        long left = end - System.nanoTime();
        if (left <= 0) throw new SocketTimeoutException("no time is left");
        return (int) Math.max(1, left / 1_000_000);
    }

    /// A socket whose every read may take what is left of the time.
    private static final class Until extends InputStream {
        private final Socket socket;
        private final InputStream in;
        private final long end;

        Until(Socket socket, long end) throws IOException {
            this.socket = socket;
            this.in = socket.getInputStream();
            this.end = end;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            socket.setSoTimeout(millisUntil(end));
            return in.read(buffer, offset, length);
        }
    }
}
