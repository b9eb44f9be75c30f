// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which TCP ports a process listens on: the sockets of its network namespace, `/proc/<pid>/net/tcp` and `tcp6`, joined
/// with the numbers of the sockets it holds open, `/proc/<pid>/fd/* → socket:[12345]`.
///
/// The kernel writes the listening sockets of a namespace first (net/ipv4/tcp_ipv4.c, tcp_get_idx) and the connections
/// behind them, so reading stops at the first line that is no listener: 50,000 connections cost nothing. Each namespace
/// is read once an instant.
final class SocketTables {
    /// Nothing that serves holds more; the sockets it listens on it opened first.
    private static final int MOST_DESCRIPTORS = 4096;

    private final String proc;
    private final Map<String, List<Listener>> tables = new HashMap<>();

    /// @param proc `/proc`
    SocketTables(String proc) {
        this.proc = proc;
    }

    record Listener(String address, int port, long uid, long inode) {}

    synchronized void startInstant() {
        tables.clear();
    }

    synchronized Reading<String> tell(String pid) {
        String process = proc + "/" + pid;
        Optional<String> namespace = link(process + "/ns/net");
        List<Listener> all =
                namespace.isPresent() ? tables.computeIfAbsent(namespace.get(), _ -> read(process)) : read(process);
        if (all.isEmpty() && !new File(process).isDirectory())
            return Reading.absent(process + "/net/tcp", AbsentCause.VANISHED, "it ended");
        Optional<Set<Long>> own = inodes(process + "/fd");
        long uid = own.isPresent() ? 0 : uid(process);
        StringBuilder line = new StringBuilder(isOurs(namespace, all) ? "namespace=ours" : "namespace=other");
        line.append(own.isPresent() ? " by=fd" : " by=uid");
        for (Listener listener : all)
            if (own.map(o -> o.contains(listener.inode)).orElse(listener.uid == uid))
                line.append(' ').append(shown(listener));
        return Reading.of(line.toString());
    }

    /// Without the right to see its namespace: the numbers of sockets are the same nowhere else.
    private boolean isOurs(Optional<String> namespace, List<Listener> all) {
        Optional<String> ours = link(proc + "/self/ns/net");
        if (namespace.isPresent() && ours.isPresent()) return namespace.equals(ours);
        List<Listener> here = tables.computeIfAbsent("ours", _ -> read(proc + "/self"));
        return all.stream().anyMatch(here::contains);
    }

    private static String shown(Listener listener) {
        String address = listener.address;
        return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + listener.port;
    }

    private static List<Listener> read(String process) {
        List<Listener> all = new ArrayList<>();
        for (String file : List.of("/net/tcp", "/net/tcp6")) {
            try (BufferedReader lines = Files.newBufferedReader(Path.of(process + file), StandardCharsets.ISO_8859_1)) {
                lines.readLine();
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    Optional<Listener> listener = listener(line);
                    if (listener.isEmpty()) break;
                    all.add(listener.get());
                }
            } catch (IOException e) {
                // A kernel without IPv6, or a process that ended.
            }
        }
        return List.copyOf(all);
    }

    /// `   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12345 1 …`; 0A
    /// listens.
    static Optional<Listener> listener(String line) {
        String[] f = line.strip().split("\\s+", 11);
        if (f.length < 10 || !f[3].equals("0A")) return Optional.empty();
        int colon = f[1].indexOf(':');
        if (colon < 0) return Optional.empty();
        try {
            return Optional.of(new Listener(
                    address(f[1].substring(0, colon)),
                    Integer.parseInt(f[1].substring(colon + 1), 16),
                    Long.parseLong(f[7]),
                    Long.parseLong(f[9])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /// Four bytes a word, each word in the byte order of the machine, which is little-endian on both of ours.
    static String address(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            int word = i / 4 * 4;
            bytes[word + 3 - i % 4] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        if (bytes.length == 4) return dotted(bytes, 0);
        boolean mapped = bytes.length == 16 && bytes[10] == -1 && bytes[11] == -1 && allZero(bytes, 10);
        if (mapped) return dotted(bytes, 12);
        if (allZero(bytes, 16)) return "::";
        if (allZero(bytes, 15) && bytes[15] == 1) return "::1";
        StringBuilder text = new StringBuilder();
        for (int i = 0; i + 1 < bytes.length; i += 2)
            text.append(i == 0 ? "" : ":").append(Integer.toHexString((bytes[i] & 0xff) << 8 | bytes[i + 1] & 0xff));
        return text.toString();
    }

    private static String dotted(byte[] bytes, int from) {
        return (bytes[from] & 0xff) + "." + (bytes[from + 1] & 0xff) + "." + (bytes[from + 2] & 0xff) + "."
                + (bytes[from + 3] & 0xff);
    }

    private static boolean allZero(byte[] bytes, int end) {
        for (int i = 0; i < Math.min(end, bytes.length); i++) if (bytes[i] != 0) return false;
        return true;
    }

    /// Empty without the right to look.
    private static Optional<Set<Long>> inodes(String folder) {
        String[] names = new File(folder).list();
        if (names == null) return Optional.empty();
        // 3 before 10: the first ones opened.
        Arrays.sort(
                names, (a, b) -> a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b));
        Set<Long> inodes = new HashSet<>();
        for (int i = 0; i < Math.min(names.length, MOST_DESCRIPTORS); i++)
            link(folder + "/" + names[i])
                    .filter(target -> target.startsWith("socket:[") && target.endsWith("]"))
                    .ifPresent(target -> inodes.add(number(target.substring(8, target.length() - 1))));
        return Optional.of(inodes);
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static long uid(String process) {
        try {
            return ((Integer) Files.getAttribute(Path.of(process), "unix:uid")).longValue();
        } catch (IOException | RuntimeException e) {
            return -1;
        }
    }

    private static Optional<String> link(String path) {
        try {
            return Optional.of(Files.readSymbolicLink(Path.of(path)).toString());
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }
}
