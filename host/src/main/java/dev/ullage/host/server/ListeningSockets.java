// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.Call;
import dev.ullage.host.HostRoot;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// The TCP ports a process listens on, and whether loopback reaches them: `namespace=ours by=fd 127.0.0.1:8000
/// [::]:8001`.
///
/// Two files of the kernel and a link for each descriptor make one such line, so the line is what is recorded: the
/// files of a busy host have 50,000 lines about other people's connections.
///
/// @param isReachable whether it shares our network namespace; in a container's own, our loopback is another one
/// @param isOwn whether the sockets are its own by its descriptors; without the right to see those they are its user's
public record ListeningSockets(boolean isReachable, boolean isOwn, List<Address> sockets) {
    /// @param address as the kernel has it, without brackets
    public record Address(String address, int port) {
        /// Whether a connection to 127.0.0.1 or ::1 gets there.
        boolean isOnLoopback() {
            return address.equals("0.0.0.0")
                    || address.equals("::")
                    || address.equals("::1")
                    || address.startsWith("127.");
        }
    }

    static Reading<ListeningSockets> of(HostRoot root, ProcessId id) {
        return root.ask(Call.LISTENING, String.valueOf(id.pid())).flatMap(ListeningSockets::parse);
    }

    static Reading<ListeningSockets> parse(String text) {
        List<Address> sockets = new ArrayList<>();
        boolean ours = false;
        boolean own = false;
        boolean known = false;
        for (String word : text.strip().split(" ")) {
            if (word.startsWith("namespace=")) {
                known = true;
                ours = word.endsWith("=ours");
            } else if (word.startsWith("by=")) {
                own = word.endsWith("=fd");
            } else {
                int colon = word.lastIndexOf(':');
                String port = word.substring(colon + 1);
                if (colon > 0 && port.matches("\\d{1,5}"))
                    sockets.add(new Address(
                            word.substring(0, colon).replace("[", "").replace("]", ""), Integer.parseInt(port)));
            }
        }
        return known
                ? Reading.of(new ListeningSockets(ours, own, List.copyOf(sockets)))
                : Reading.malformed("listening", text, "\"namespace=ours|other by=fd|uid <address>:<port> …\"");
    }

    boolean hasPort(int port) {
        return sockets.stream().anyMatch(s -> s.port() == port);
    }

    boolean isOnLoopback(int port) {
        return sockets.stream().anyMatch(s -> s.port() == port && s.isOnLoopback());
    }

    TreeSet<Integer> ports() {
        TreeSet<Integer> ports = new TreeSet<>();
        sockets.forEach(s -> ports.add(s.port()));
        return ports;
    }
}
