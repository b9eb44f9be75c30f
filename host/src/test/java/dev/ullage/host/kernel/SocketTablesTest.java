// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Call;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketTablesTest {
    private static final String HEAD =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    private static String line(String local, String state, int uid, long inode) {
        return "   0: " + local + " 00000000:0000 " + state + " 00000000:00000000 00:00000000 00000000  " + uid
                + "        0 " + inode + " 1 0000000000000000 100 0 0 10 0\n";
    }

    private static void process(Path proc, String pid, String namespace, String tcp, String tcp6, long... sockets)
            throws IOException {
        Path process = Files.createDirectories(proc.resolve(pid));
        Files.createDirectories(process.resolve("net"));
        Files.createDirectories(process.resolve("ns"));
        Files.createDirectories(process.resolve("fd"));
        Files.createSymbolicLink(process.resolve("ns/net"), Path.of(namespace));
        Files.writeString(process.resolve("net/tcp"), HEAD + tcp);
        Files.writeString(process.resolve("net/tcp6"), HEAD + tcp6);
        int fd = 3;
        for (long inode : sockets)
            Files.createSymbolicLink(process.resolve("fd/" + fd++), Path.of("socket:[" + inode + "]"));
    }

    @Test
    void a_process_listens_on_the_sockets_it_holds(@TempDir Path proc) throws IOException {
        String tcp = line("0100007F:1F90", "0A", 1000, 77)
                + line("00000000:0016", "0A", 0, 78)
                + line("0100007F:1F90", "01", 1000, 79);
        String tcp6 = line("00000000000000000000000000000000:1F91", "0A", 1000, 80)
                + line("00000000000000000000000001000000:1F92", "0A", 1000, 81)
                + line("0000000000000000FFFF00000100007F:1F93", "0A", 1000, 82)
                + line("B80D0120000000000000000001000000:1F94", "0A", 1000, 83);
        process(proc, "self", "net:[1]", tcp, tcp6);
        process(proc, "812", "net:[1]", tcp, tcp6, 77, 79, 80, 81, 82, 83);
        assertEquals(
                "namespace=ours by=fd 127.0.0.1:8080 [::]:8081 [::1]:8082 127.0.0.1:8083 [2001:db8:0:0:0:0:0:1]:8084",
                new SocketTables(proc.toString()).tell("812").orThrow());
    }

    @Test
    void a_container_has_a_network_of_its_own(@TempDir Path proc) throws IOException {
        process(proc, "self", "net:[1]", "", "");
        process(proc, "812", "net:[2]", line("00000000:1F40", "0A", 0, 77), "", 77);
        assertEquals(
                "namespace=other by=fd 0.0.0.0:8000",
                new SocketTables(proc.toString()).tell("812").orThrow());
    }

    @Test
    void fifty_thousand_connections_behind_the_listeners_are_not_read(@TempDir Path proc) throws IOException {
        StringBuilder tcp = new StringBuilder(line("00000000:1F40", "0A", 0, 77));
        for (int i = 0; i < 50_000; i++) tcp.append(line("0100007F:1F40", "01", 0, 1000 + i));
        process(proc, "self", "net:[1]", "", "");
        process(proc, "812", "net:[1]", tcp.toString(), "", 77);
        SocketTables tables = new SocketTables(proc.toString());
        tables.tell("812");
        tables.startInstant();
        long before = System.nanoTime();
        assertEquals("namespace=ours by=fd 0.0.0.0:8000", tables.tell("812").orThrow());
        assertTrue(System.nanoTime() - before < 200_000_000, "took " + (System.nanoTime() - before) / 1e6 + " ms");
    }

    @Test
    void a_broken_table_has_no_sockets(@TempDir Path proc) throws IOException {
        process(proc, "self", "net:[1]", "", "");
        process(proc, "812", "net:[1]", "   0: zz:zz 0 0A\n\u0000\n", "1\n2 3 4 0A 5 6 7 8 9 10 11\n", 77);
        assertEquals(
                "namespace=ours by=fd",
                new SocketTables(proc.toString()).tell("812").orThrow());
    }

    @Test
    void this_very_process_listens_where_it_does() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String line = new LiveHost()
                    .ask(Call.LISTENING, String.valueOf(ProcessHandle.current().pid()))
                    .orThrow();
            assertTrue(line.startsWith("namespace=ours by=fd"), line);
            assertTrue((line + " ").contains(" 127.0.0.1:" + socket.getLocalPort() + " "), line);
        }
    }
}
