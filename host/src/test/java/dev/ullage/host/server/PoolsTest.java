// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.TextTree;
import dev.ullage.host.process.ProcessId;
import dev.ullage.measure.Bytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Trees of processes as the engines make them: which of them are one server.
class PoolsTest {
    private final Map<String, String> files = new HashMap<>();
    private final Map<String, Integer> inodes = new HashMap<>();

    /// Pids are start times too, so a smaller one started first.
    private void process(int pid, int parent, String command) {
        String folder = "proc/" + pid + "/";
        files.put(
                folder + "stat",
                pid + " (x) S " + parent + " 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 1 0 " + pid + " 8589934592 1000");
        files.put(folder + "cmdline", command.replace('|', '\0') + "\0");
        files.put(folder + "status", "State:\tS\nVmRSS:\t 9000 kB\nRssAnon:\t 9000 kB\n");
        files.put(folder + "maps", "");
        files.put(
                "proc/self/mountinfo",
                "27 1 254:0 / / rw - ext4 /dev/vda rw\n31 27 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    }

    private void holds(int pid, long anonymousKiB) {
        files.put(
                "proc/" + pid + "/status",
                "State:\tS\nVmRSS:\t" + anonymousKiB + " kB\nRssAnon:\t" + anonymousKiB + " kB\n");
    }

    private void isIn(int pid, String cgroup) {
        files.put("proc/" + pid + "/cgroup", "0::" + cgroup + "\n");
    }

    private void exists(String model) {
        int inode = inodes.computeIfAbsent(model, _ -> inodes.size() + 1);
        files.merge(
                "recorded/stat",
                model + "\tdev=254:0 ino=" + inode + " size=943718400 uid=0 kind=file\n",
                (a, b) -> a.contains(b) ? a : a + b);
        files.merge("recorded/head", model + "\t4747554603000000\n", (a, b) -> a.contains(b) ? a : a + b);
    }

    private void maps(int pid, String model) {
        exists(model);
        files.merge(
                "proc/" + pid + "/maps",
                "7f0000000000-7f0010000000 r--s 00000000 fe:00 7 " + model + "\n",
                String::concat);
    }

    private void opens(int pid, String model) {
        exists(model);
        files.put("proc/" + pid + "/fd/7", model);
    }

    private List<Workload> workloads(Focus focus) {
        Evidence evidence = Sampler.replay(new RecordedHost(TextTree.of(files)), focus);
        return evidence.workloads();
    }

    private List<Workload> workloads() {
        return workloads(Focus.EVERYTHING);
    }

    private static List<List<Integer>> pids(List<Workload> workloads) {
        return workloads.stream()
                .map(w -> w.processes().stream().map(ProcessId::pid).toList())
                .toList();
    }

    @Test
    void vllm_with_its_engine_and_workers_is_one_and_is_called_by_what_was_started_first() {
        process(100, 1, "/usr/bin/python3|/usr/bin/vllm|serve|x|--tensor-parallel-size|2");
        process(150, 100, "/usr/bin/python3|-c|from multiprocessing.resource_tracker import main;main(5)");
        process(200, 100, "VLLM::EngineCore");
        process(201, 200, "VLLM::Worker_TP0");
        process(202, 200, "VLLM::Worker_TP1");
        List<Workload> all = workloads();
        assertEquals(List.of(List.of(100, 200, 201, 202)), pids(all));
        assertEquals(Optional.of(Engine.VLLM), all.getFirst().engine());
        assertEquals(100, all.getFirst().main().pid());
        assertEquals("vllm (pid 100, 4 processes)", all.getFirst().shown());
    }

    @Test
    void ollama_with_its_runners_is_one_server_of_ollama_with_two_models() {
        process(300, 1, "/usr/local/bin/ollama|serve");
        process(301, 300, "/usr/local/bin/ollama|runner|--model|/b/sha256-1");
        process(302, 300, "/usr/local/bin/ollama|runner|--model|/b/sha256-2");
        maps(301, "/b/sha256-1");
        maps(302, "/b/sha256-2");
        List<Workload> all = workloads();
        assertEquals(List.of(List.of(300, 301, 302)), pids(all));
        assertEquals(2, all.getFirst().models().size());
        assertEquals(Optional.of(Engine.OLLAMA), all.getFirst().engine());
    }

    @Test
    void ollama_that_starts_llama_server_is_ollama() {
        process(300, 1, "/usr/local/bin/ollama|serve");
        process(301, 300, "/usr/local/lib/ollama/llama-server|--model|/b/sha256-1");
        List<Workload> all = workloads();
        assertEquals(List.of(List.of(300, 301)), pids(all));
        assertEquals(Optional.of(Engine.OLLAMA), all.getFirst().engine());
    }

    @Test
    void sglang_with_its_schedulers_is_one() {
        process(400, 1, "python3|-m|sglang.launch_server|--model-path|x|--tp|2");
        process(401, 400, "sglang::scheduler_TP0");
        process(402, 400, "sglang::scheduler_TP1");
        process(403, 400, "sglang::detokenizer");
        assertEquals(List.of(List.of(400, 401, 402, 403)), pids(workloads()));
    }

    @Test
    void ranks_of_torchrun_belong_to_it() {
        process(500, 1, "/usr/bin/python3|/usr/bin/torchrun|--nproc-per-node|2|train.py");
        process(501, 500, "/usr/bin/python3|-u|train.py");
        process(502, 500, "/usr/bin/python3|-u|train.py");
        maps(501, "/m/a.gguf");
        maps(502, "/m/a.gguf");
        assertEquals(List.of(List.of(500, 501, 502)), pids(workloads()));
    }

    @Test
    void workers_of_a_python_pool_without_a_known_parent_are_one_server() {
        process(600, 7, "python3|serve.py|--rank|0");
        process(601, 7, "python3|serve.py|--rank|1");
        process(602, 7, "python3|other.py");
        maps(600, "/m/a.gguf");
        maps(601, "/m/a.gguf");
        maps(602, "/m/b.gguf");
        List<Workload> all = workloads();
        assertEquals(List.of(List.of(600, 601), List.of(602)), pids(all));
        assertEquals(Optional.of(Engine.UNKNOWN), all.getFirst().engine());
    }

    @Test
    void servers_under_one_supervisor_or_under_init_stay_apart() {
        process(700, 1, "supervisord");
        process(701, 700, "llama-server|-m|/m/a.gguf|--port|8080");
        process(702, 700, "llama-server|-m|/m/b.gguf|--port|8081");
        process(703, 1, "llama-server|-m|/m/c.gguf");
        process(704, 1, "llama-server|-m|/m/c.gguf");
        for (int pid = 701; pid <= 704; pid++) maps(pid, "/m/" + (pid == 701 ? "a" : pid == 702 ? "b" : "c") + ".gguf");
        assertEquals(List.of(List.of(701), List.of(702), List.of(703), List.of(704)), pids(workloads()));
    }

    @Test
    void engines_of_two_kinds_under_each_other_are_two() {
        process(800, 1, "vllm|serve|x");
        process(801, 800, "llama-server|-m|a.gguf");
        assertEquals(List.of(List.of(800), List.of(801)), pids(workloads()));
    }

    @Test
    void a_script_that_names_its_model_is_a_server_whether_it_maps_it_or_not() {
        process(900, 1, "python3|serve.py|--model|/m/x.gguf");
        exists("/m/x.gguf");
        process(901, 1, "python3|serve.py|--device|cuda");
        opens(901, "/m/y.gguf");
        assertEquals(List.of(List.of(900), List.of(901)), pids(workloads()));
    }

    @Test
    void what_handles_a_model_as_a_file_is_no_server() {
        process(910, 1, "cat|/m/a.gguf");
        process(911, 1, "rsync|-a|/m/a.gguf|/backup");
        process(912, 1, "hf|download|Qwen/Qwen3-8B");
        process(913, 1, "python3|/usr/bin/huggingface-cli|download|Qwen/Qwen3-8B");
        for (int pid = 910; pid <= 913; pid++) opens(pid, "/m/a.gguf");
        assertEquals(List.of(), workloads());
    }

    @Test
    void a_folder_for_downloads_makes_a_server_no_downloader() {
        process(920, 1, "python3|serve.py|--model|/downloads/x.gguf");
        opens(920, "/downloads/x.gguf");
        process(921, 1, "python3|serve.py|--download-dir|/cache");
        opens(921, "/cache/y.gguf");
        assertEquals(List.of(List.of(920), List.of(921)), pids(workloads()));
    }

    @Test
    void a_web_application_is_a_workload_only_when_it_is_large() {
        process(930, 1, "python3|/usr/bin/gunicorn|web:app");
        process(931, 1, "python3|/usr/bin/celery|worker");
        holds(930, 9_000);
        holds(931, 900_000);
        List<Workload> all = workloads();
        assertEquals(List.of(List.of(931)), pids(all));
        assertTrue(all.stream().noneMatch(Workload::isServer));
    }

    @Test
    void the_largest_model_of_a_server_is_named_first() {
        process(940, 1, "llama-server|-m|/m/main.gguf|-md|/m/draft.gguf");
        maps(940, "/m/main.gguf");
        maps(940, "/m/draft.gguf");
        files.computeIfPresent(
                "recorded/stat", (_, text) -> text.replaceFirst("(main.gguf.*size=)\\d+", "$19437184000"));
        assertEquals(
                List.of("main.gguf", "draft.gguf"),
                workloads().getFirst().models().stream().map(m -> m.name()).toList());
        assertTrue(workloads().getFirst().models().getFirst().size().isMoreThan(Bytes.ofGiB(8)));
    }

    private static Focus onCgroup(String cgroup) {
        return new Focus(Optional.empty(), Optional.of(cgroup), Optional.empty(), Focus.EVERYTHING.since());
    }

    @Test
    void a_question_about_a_cgroup_is_about_what_is_in_it_and_below_it_by_both_its_names() {
        process(950, 1, "llama-server|-m|/m/a.gguf");
        process(951, 1, "llama-server|-m|/m/b.gguf");
        process(952, 1, "llama-server|-m|/m/c.gguf");
        isIn(950, "/kubepods.slice/pod1/c1");
        isIn(951, "/kubepods.slice/pod12");
        isIn(952, "/pod1");
        for (String name :
                List.of("/kubepods.slice/pod1", "/sys/fs/cgroup/kubepods.slice/pod1", "/kubepods.slice/pod1/"))
            assertEquals(List.of(List.of(950)), pids(workloads(onCgroup(name))), name);
        assertEquals(List.of(List.of(950)), pids(workloads(onCgroup("/kubepods.slice/pod1/c1"))));
        assertEquals(List.of(), pids(workloads(onCgroup("/kubepods.slice/pod"))), "a beginning of a name is no cgroup");
    }

    @Test
    void a_parent_that_is_its_own_child_ends() {
        process(960, 961, "llama-server|-m|a");
        process(961, 960, "llama-server|-m|a");
        process(962, 962, "llama-server|-m|a");
        assertEquals(List.of(List.of(960, 961), List.of(962)), pids(workloads()));
    }
}
