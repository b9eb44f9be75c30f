// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CpuCgroup;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.server.Engine;
import dev.ullage.host.server.ServerState;
import dev.ullage.host.server.Workload;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SamplerTest {
    private static final ProcessId SERVER = new ProcessId(812, 51234);

    private final Map<String, String> files = new HashMap<>();

    /// A host with one server in a cgroup, a small shell and a kernel thread, seen twice.
    private SamplerTest() {
        files.put("proc/self/mountinfo", """
                27 1 254:0 / / rw - ext4 /dev/vda rw
                30 27 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
                """);
        files.put("recorded/statfs", "/\ttype=0xef53 bsize=4096 blocks=1000 bfree=500 bavail=400 files=9 ffree=3\n");
        files.put(
                "proc/812/stat",
                "812 (llama-server) S 1 812 812 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 9 0 51234 8589934592 160000");
        files.put("proc/812/cmdline", "/usr/bin/llama-server\0-m\0/models/a.gguf\0");
        files.put("at-0.000/proc/812/status", "State:\tS\nVmRSS:\t640000 kB\nRssAnon:\t12000 kB\n");
        files.put("at-3.000/proc/812/status", "State:\tS\nVmRSS:\t650000 kB\nRssAnon:\t13000 kB\n");
        files.put("proc/812/cgroup", "0::/system.slice/llama.service\n");
        files.put("proc/812/maps", "7f0000000000-7f0004000000 r--s 00000000 fe:00 7 /models/a.gguf\n");
        files.put("recorded/stat", "/models/a.gguf\tdev=254:0 ino=7 size=67108864 uid=0 kind=file\n");
        files.put("recorded/head", "/models/a.gguf\t47475546030000002301\n");
        files.put("at-0.000/recorded/cachestat", "/models/a.gguf\tcached=16384 by=cachestat\n");
        files.put("at-3.000/recorded/cachestat", "/models/a.gguf\tcached=4096 by=cachestat\n");
        files.put("proc/900/stat", "900 (bash) S 1 900 900 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 1 0 52000 9000000 900");
        files.put("proc/900/cmdline", "bash\0");
        files.put("proc/2/stat", "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 1 0 0");
        for (String cgroup : List.of("", "/system.slice", "/system.slice/llama.service")) {
            files.put("sys/fs/cgroup" + cgroup + "/memory.stat", "anon 12288000\nfile 67108864\n");
            files.put("sys/fs/cgroup" + cgroup + "/cpu.stat", "usage_usec 1\n");
        }
    }

    private Evidence replay() {
        return Sampler.replay(new RecordedHost(TextTree.of(files)), Focus.EVERYTHING);
    }

    @Test
    void a_server_is_found_and_followed_to_its_model() {
        Evidence evidence = replay();
        assertEquals(1, evidence.servers().size());
        Workload server = evidence.servers().getFirst();
        assertEquals(Optional.of(Engine.LLAMA_CPP), server.engine());
        assertEquals(List.of(SERVER), server.processes());
        assertEquals("llama-server (pid 812)", server.shown());
        ModelFile model = server.models().getFirst();
        assertEquals("/models/a.gguf", model.path());
        assertEquals(
                List.of(Bytes.ofPages(16384), Bytes.ofPages(4096)),
                evidence.course(PageCache.FACT, model).stream()
                        .map(at -> at.value().resident())
                        .toList());
        assertEquals(
                Bytes.ofKiB(1000),
                evidence.change(ProcessMemory.FACT, SERVER).orThrow().growth(ProcessMemory::anonymous));
    }

    @Test
    void its_cgroup_is_read_with_everything_above_it() {
        Evidence evidence = replay();
        List<String> chain = List.of("/system.slice/llama.service", "/system.slice", "/");
        assertEquals(
                chain,
                evidence.subjects(MemoryCgroup.FACT).stream()
                        .map(CgroupId::path)
                        .toList());
        assertEquals(
                chain,
                evidence.subjects(CpuCgroup.FACT).stream().map(CgroupId::path).toList());
        for (CgroupId id : evidence.subjects(MemoryCgroup.FACT))
            assertTrue(evidence.latest(MemoryCgroup.FACT, id).isPresent(), id.path());
    }

    @Test
    void small_processes_and_kernel_threads_are_not_looked_at_closely() {
        Evidence evidence = replay();
        assertEquals(List.of(SERVER), List.copyOf(evidence.subjects(ProcessMemory.FACT)));
        assertTrue(evidence.subjects(ProcessStat.FACT).contains(new ProcessId(900, 52000)));
    }

    @Test
    void a_server_that_ended_in_the_window_serves_nobody() {
        files.put("at-3.000/recorded/absent", "/proc/812\tvanished\tit ended\n");
        files.remove("at-3.000/proc/812/status");
        Evidence evidence = replay();
        assertEquals(List.of(), evidence.servers());
        assertEquals(AbsentCause.VANISHED, ((Absent<?>) evidence.latest(ProcessMemory.FACT, SERVER)).cause());
        assertTrue(evidence.lastSeen(ProcessMemory.FACT, SERVER).isPresent());
    }

    @Test
    void a_server_that_started_in_the_window_is_found_at_its_end() {
        for (String name : List.of("stat", "cmdline", "cgroup", "maps"))
            files.put("at-3.000/proc/812/" + name, files.remove("proc/812/" + name));
        files.remove("at-0.000/proc/812/status");
        assertEquals(1, replay().servers().size());
        assertFalse(replay().change(ProcessMemory.FACT, SERVER).isPresent());
    }

    @Test
    void a_mount_that_hangs_keeps_the_model_on_it_from_being_opened() {
        files.put(
                "proc/self/mountinfo", files.get("proc/self/mountinfo") + "31 27 0:50 / /models rw - nfs4 nas:/m rw\n");
        files.put("recorded/statfs", "/\tbsize=4096 blocks=10\n");
        files.put("recorded/absent", "/recorded/statfs:/models\ttimed-out\tit did not answer\n");
        Evidence evidence = replay();
        assertEquals(1, evidence.servers().size());
        assertEquals(List.of(), evidence.servers().getFirst().models());
        assertEquals(
                1,
                evidence.subjects(FileSystemSpace.FACT).stream()
                        .filter(mount ->
                                !evidence.latest(FileSystemSpace.FACT, mount).isPresent())
                        .count());
    }

    @Test
    void a_host_of_which_nothing_was_recorded_is_no_mistake_of_ours() {
        Evidence evidence = Sampler.replay(new RecordedHost(Recorded.tree()), Focus.EVERYTHING);
        assertEquals(List.of(), evidence.workloads());
        assertFalse(evidence.hasWindow());
    }

    /// A recorded host on which some servers take a connection and say nothing.
    private record Silent(HostRoot host) implements HostRoot {
        @Override
        public Reading<String> text(String path) {
            return host.text(path);
        }

        @Override
        public Reading<List<String>> names(String directory) {
            return host.names(directory);
        }

        @Override
        public Reading<String> link(String path) {
            return host.link(path);
        }

        @Override
        public Reading<String> ask(Call call, String about) {
            if (call != Call.HTTP) return host.ask(call, about);
            try {
                Thread.sleep(1000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Reading.absent(about, AbsentCause.TIMED_OUT, "it did not answer within 1 s");
        }
    }

    @Test
    void servers_that_do_not_answer_are_waited_for_at_the_same_time() {
        for (int pid = 2001; pid <= 2006; pid++) {
            files.put(
                    "proc/" + pid + "/stat",
                    pid + " (vllm) S 1 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 9 0 " + pid + " 8589934592 160000");
            files.put("proc/" + pid + "/cmdline", "vllm\0serve\0m\0--port\0" + pid);
            files.put("proc/" + pid + "/status", "State:\tS\nVmRSS:\t640000 kB\nRssAnon:\t12000 kB\n");
        }
        HostRoot host = new Silent(new RecordedHost(TextTree.of(files)).at(0));
        Sampler sampler = new Sampler(Focus.EVERYTHING);
        long began = System.nanoTime();
        sampler.take(host, true, true);
        double took = (System.nanoTime() - began) / 1e9;
        assertTrue(took < 4, "seven servers of a second each took " + took + " s");
        for (int pid = 2001; pid <= 2006; pid++)
            assertEquals(
                    AbsentCause.TIMED_OUT,
                    Absence.causeOf(sampler.evidence().latest(ServerState.FACT, new ProcessId(pid, pid))));
    }
}
