// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.TextTree;
import dev.ullage.measure.Seconds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkloadsTest {
    private final Map<String, String> files = new HashMap<>();

    private void process(int pid, int parent, String command, long anonymousKiB, String model) {
        String folder = "proc/" + pid + "/";
        files.put(
                folder + "stat",
                pid + " (python3) S " + parent + " 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 1 0 " + pid
                        + " 8589934592 1000");
        files.put(folder + "cmdline", command.replace(' ', '\u0000'));
        files.put(folder + "status", "State:\tS\nVmRSS:\t" + anonymousKiB + " kB\nRssAnon:\t" + anonymousKiB + " kB\n");
        files.put(folder + "cgroup", "0::/box" + pid + "\n");
        files.put(
                folder + "maps",
                model.isEmpty() ? "" : "7f0000000000-7f0010000000 r--s 00000000 fe:00 7 " + model + "\n");
        if (model.isEmpty()) return;
        files.merge(
                "recorded/stat",
                model + "\tdev=254:0 ino=" + Math.abs(model.hashCode()) + " size=943718400 uid=0 kind=file\n",
                String::concat);
        files.merge("recorded/head", model + "\t4747554603000000\n", String::concat);
    }

    private List<List<Integer>> workloads(Focus focus) {
        Evidence evidence = Sampler.replay(new RecordedHost(TextTree.of(files)), focus);
        return evidence.workloads().stream()
                .map(w -> w.processes().stream().map(p -> p.pid()).toList())
                .toList();
    }

    @Test
    void a_parent_and_its_workers_are_one_server() {
        process(10, 1, "python3 /usr/bin/vllm serve x", 1000, "");
        process(11, 10, "VLLM::EngineCore", 900000, "");
        process(12, 11, "VLLM::Worker_TP0", 900000, "");
        assertEquals(List.of(List.of(10, 11, 12)), workloads(Focus.EVERYTHING));
    }

    @Test
    void siblings_with_one_model_are_a_pool() {
        process(20, 5, "python3 w.py --rank 0", 900000, "/m/a.gguf");
        process(21, 5, "python3 w.py --rank 1", 900000, "/m/a.gguf");
        assertEquals(List.of(List.of(20, 21)), workloads(Focus.EVERYTHING));
    }

    @Test
    void two_servers_under_one_supervisor_stay_two() {
        process(20, 5, "python3 w.py --model a", 1000, "/m/a.gguf");
        process(21, 5, "python3 w.py --model b", 1000, "/m/b.gguf");
        assertEquals(List.of(List.of(20), List.of(21)), workloads(Focus.EVERYTHING));
    }

    @Test
    void a_file_tool_with_a_model_is_no_server_and_a_small_process_no_workload() {
        process(30, 1, "vmtouch -t /m/a.gguf", 2000, "/m/a.gguf");
        process(31, 1, "python3 -m http.server", 20000, "");
        assertEquals(List.of(), workloads(Focus.EVERYTHING));
    }

    @Test
    void a_large_process_without_a_model_is_a_workload_after_the_servers() {
        process(40, 1, "java -jar search.jar", 8000000, "");
        process(41, 1, "llama-server -m /m/a.gguf", 1000, "/m/a.gguf");
        assertEquals(List.of(List.of(41), List.of(40)), workloads(Focus.EVERYTHING));
    }

    @Test
    void a_question_about_one_process_cgroup_or_path_is_about_its_server_only() {
        process(50, 1, "llama-server -m /m/a.gguf", 1000, "/m/a.gguf");
        process(51, 1, "llama-server -m /n/b.gguf", 1000, "/n/b.gguf");
        Seconds since = Focus.EVERYTHING.since();
        assertEquals(
                List.of(List.of(51)), workloads(new Focus(Optional.of(51), Optional.empty(), Optional.empty(), since)));
        assertEquals(
                List.of(List.of(50)),
                workloads(new Focus(Optional.empty(), Optional.of("/box50"), Optional.empty(), since)));
        assertEquals(
                List.of(List.of(51)),
                workloads(new Focus(Optional.empty(), Optional.empty(), Optional.of("/n"), since)));
    }
}
