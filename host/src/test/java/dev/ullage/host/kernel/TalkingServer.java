// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server on loopback that says what a test wants it to, byte for byte.
final class TalkingServer implements AutoCloseable {
    interface Talk {
        /// @param head the lines of the request
        void answer(List<String> head, OutputStream out) throws IOException, InterruptedException;
    }

    private final ServerSocket socket;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    TalkingServer(Talk talk) throws IOException {
        this("127.0.0.1", talk);
    }

    TalkingServer(String address, Talk talk) throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getByName(address));
        Thread acceptor = new Thread(() -> accept(talk));
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /// One that always says the same.
    static TalkingServer saying(String answer) throws IOException {
        return new TalkingServer((_, out) -> out.write(answer.getBytes(StandardCharsets.UTF_8)));
    }

    int port() {
        return socket.getLocalPort();
    }

    /// What it was sent, a request each, its lines joined.
    List<String> requests() {
        return requests;
    }

    private void accept(Talk talk) {
        while (true) {
            try {
                Socket connection = socket.accept();
                Thread talker = new Thread(() -> talk(connection, talk));
                talker.setDaemon(true);
                talker.start();
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void talk(Socket connection, Talk talk) {
        try (connection) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
            List<String> head = new CopyOnWriteArrayList<>();
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) head.add(line);
            requests.add(String.join("\n", head));
            talk.answer(head, connection.getOutputStream());
        } catch (IOException | InterruptedException e) {
            // Whoever asked has gone.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
