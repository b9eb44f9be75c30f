// SPDX-License-Identifier: Apache-2.0
package dev.ullage.logs.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class PrefixesTest {
    private static void says(String worker, String text, String line) {
        Reading it = Reading.of(line);
        assertEquals(List.of(text), it.texts(), line);
        assertEquals(List.of(worker), it.workers(), line);
    }

    @Test
    void workers_of_every_engine_are_told_from_what_they_say() {
        says(
                "EngineCore_DP0 pid=316",
                "ERROR 09-28 15:47:24 [core.py:718] x",
                "(EngineCore_DP0 pid=316) ERROR 09-28 15:47:24 [core.py:718] x");
        says("VllmWorker rank=4 pid=555", "INFO y", "(VllmWorker rank=4 pid=555) INFO y");
        says("RayWorkerWrapper pid=12, ip=10.1.2.3", "z", "(RayWorkerWrapper pid=12, ip=10.1.2.3) z");
        says("raylet", "node_manager.cc:3007: 2 Workers", "(raylet) node_manager.cc:3007: 2 Workers");
        says("rank3", "  File \"x.py\"", "[rank3]:   File \"x.py\"");
        says("rank0", "[W1022 07:41:58.123 Process.cpp:1] x", "[rank0]:[W1022 07:41:58.123 Process.cpp:1] x");
        says("default1", "RuntimeError: NCCL", "[default1]:RuntimeError: NCCL");
        says("1,3", "x", "[1,3]<stderr>:x");
        says(
                "DP0 TP3",
                "[2026-11-30 07:41:58 DP0 TP3] Load weight end.",
                "[2026-11-30 07:41:58 DP0 TP3] Load weight end.");
    }

    @Test
    void what_runs_the_engine_puts_its_own_in_front() {
        says("vllm-1", "INFO x", "vllm-1  | INFO x");
        says("web_1 / EngineCore pid=7", "x", "web_1     | (EngineCore pid=7) x");
        says(
                "ollama[6012]",
                "time=2026-05-16T17:44:49.091+02:00 level=INFO msg=x",
                "May 16 17:44:49 gpu1 ollama[6012]: time=2026-05-16T17:44:49.091+02:00 level=INFO msg=x");
        says("pod/vllm-0/server", "INFO x", "[pod/vllm-0/server] INFO x");
        says("", "RuntimeError: CUDA error", "2026-11-30T22:01:02.123456789Z RuntimeError: CUDA error");
        says(
                "",
                "ERROR text_generation_launcher: Method",
                "2026-11-30T22:01:02.123456Z ERROR text_generation_launcher: Method");
        says(
                "systemd[1]",
                "ollama.service: Failed with result 'oom-kill'.",
                "Tue 2026-12-01 05:55:22 UTC gpu1 systemd[1]: ollama.service: Failed with result 'oom-kill'.");
    }

    @Test
    void the_kernel_is_known_in_every_coat() {
        String text = "Out of memory: Killed process 61 (python)";
        says("kernel", text, "[26002.108918] " + text);
        says("kernel", text, "[    5.140900][  T812] " + text);
        says("kernel", text, "kern  :err   : [26002.108918] " + text);
        says("kernel", text, "[Thu Mar 14 01:57:54 2019] " + text);
        says("kernel", text, "Nov 30 22:01:02 gpu1 kernel: [26002.108918] " + text);
        says("kernel", text, "2026-11-30T22:01:02.123456+01:00 gpu1 kernel: " + text);
        says("kernel", text, "[26002.108918] gpu1 kernel: " + text);
        says("kernel", text, "kernel: " + text);
        says(
                "kernel",
                "[   4159]     0  4159   123  45 python",
                "Nov 30 22:01:02 gpu1 kernel: [   4159]     0  4159   123  45 python");
    }

    @Test
    void look_alikes_keep_their_words() {
        for (String line : List.of(
                "(CUDA) out of memory",
                "model | size",
                "| Allocated memory      |   1024 MiB |",
                "INFO 02-26 09:54:02 worker.py:267] Memory profiling takes 3.25 seconds",
                "E1022 07:41:58.123456    1234 file.go:12] x",
                "[TensorRT-LLM][INFO] Allocate 69524783104 bytes for k/v cache. ",
                "[   4159]     0  4159   123  45 python",
                "[1] 4159 killed  ./server",
                "rate(x[5m])",
                "Error: Warmup(Generation(\"CUDA out of memory\"))")) says("", line, line);
    }
}
