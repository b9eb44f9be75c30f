// SPDX-License-Identifier: Apache-2.0
package dev.ullage.app;

import dev.ullage.host.Call;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.TextTree;
import dev.ullage.host.kernel.LiveHost;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.server.ServerState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A server for the training run, which is made where none runs: it is asked, and what servers answer is taken apart,
/// so that the start-up cache holds what that needs.
final class TrainServer {
    private static final String METRICS = """
            vllm:num_requests_running{engine="0",model_name="m"} 1.0
            vllm:num_requests_waiting{engine="0",model_name="m"} 0.0
            vllm:kv_cache_usage_perc{engine="0",model_name="m"} 0.5
            vllm:time_to_first_token_seconds_sum{engine="0",model_name="m"} 1.0
            vllm:time_to_first_token_seconds_count{engine="0",model_name="m"} 2.0
            vllm:cache_config_info{block_size="16",num_gpu_blocks="100"} 1.0
            """;

    private TrainServer() {}

    /// Asks it, live and recorded; where no port can be had, nothing is trained and nothing is said.
    static void askOne() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> answerOnce(socket));
            server.setDaemon(true);
            server.start();
            LiveHost host = new LiveHost();
            host.ask(Call.LISTENING, String.valueOf(ProcessHandle.current().pid()));
            host.ask(Call.HTTP, socket.getLocalPort() + "/metrics");
        } catch (IOException e) {
            return;
        }
        ServerState.FACT.read(
                new RecordedHost(TextTree.of(Map.of(
                                "proc/1/cmdline",
                                "vllm\0serve\0m\0",
                                "recorded/listening",
                                "1\tnamespace=ours by=fd 0.0.0.0:8000\n",
                                "recorded/http/8000/metrics",
                                METRICS,
                                "recorded/http/8000/version",
                                "{\"version\":\"1\"}")))
                        .at(0),
                new ProcessId(1, 1));
    }

    private static void answerOnce(ServerSocket socket) {
        try (Socket connection = socket.accept()) {
            connection
                    .getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nContent-Length: " + METRICS.length() + "\r\n\r\n" + METRICS)
                            .getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            // Whoever asked has gone.
        }
    }
}
