// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.cgroup.CgroupMembers;
import dev.ullage.host.cgroup.CgroupPressure;
import dev.ullage.host.cgroup.MemoryCgroup;
import dev.ullage.host.memory.MemInfo;
import dev.ullage.host.memory.VmStat;
import dev.ullage.host.process.CommandLine;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessIo;
import dev.ullage.host.process.ProcessMemory;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.process.ThreadStates;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.PageCache;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.BytesPerSecond;
import dev.ullage.measure.PerSecond;
import dev.ullage.measure.Seconds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A whole small host, from its files to what rules see.
class SmallHostTest {
    private static final ProcessId SERVER = new ProcessId(812, 51234);
    private static final CgroupId CONTAINER = new CgroupId(CgroupId.Version.V2, "/sys/fs/cgroup", "/docker/3f1c");

    private static Evidence replay(Map<String, String> files) {
        return Sampler.replay(new RecordedHost(TextTree.of(files)), Focus.EVERYTHING);
    }

    @Test
    void a_recorded_host_is_followed_from_its_processes_to_their_cgroups_and_models() {
        Evidence evidence = replay(SmallHost.files());
        assertEquals(1, evidence.servers().size());
        assertEquals("llama-server (pid 812)", evidence.servers().getFirst().shown());
        ModelFile model = evidence.servers().getFirst().models().getFirst();
        assertEquals(SmallHost.MODEL, model.path());
        assertEquals(Bytes.ofMiB(900), model.size());
        assertEquals(
                List.of("/docker/3f1c", "/docker", "/"),
                evidence.subjects(MemoryCgroup.FACT).stream()
                        .map(CgroupId::path)
                        .toList());
        assertEquals(
                Optional.of(Bytes.ofGiB(1)),
                evidence.latest(MemoryCgroup.FACT, CONTAINER).orThrow().limit());
        assertTrue(evidence.latest(CgroupPressure.MEMORY, CONTAINER).isPresent());
        assertEquals(40, evidence.latest(ThreadStates.FACT, SERVER).orThrow().waiting());
        assertEquals(1, evidence.subjects(FileSystemSpace.FACT).size(), "the cgroup mount holds no files");
    }

    @Test
    void a_folder_and_a_tree_in_memory_are_the_same_host(@TempDir Path folder) throws IOException {
        SmallHost.write(folder);
        Evidence a = Sampler.replay(new RecordedHost(new FolderTree(folder)), Focus.EVERYTHING);
        Evidence b = replay(SmallHost.files());
        assertEquals(b.workloads(), a.workloads());
        assertEquals(b.window(), a.window());
        assertEquals(b.change(VmStat.FACT), a.change(VmStat.FACT));
    }

    @Test
    void rates_are_those_of_the_window() {
        Evidence evidence = replay(SmallHost.files());
        assertEquals(new Seconds(3), evidence.window());
        assertEquals(new PerSecond(1000), evidence.change(VmStat.FACT).orThrow().rate(VmStat::refaultedFilePages));
        assertEquals(
                new PerSecond(100),
                evidence.change(ProcessStat.FACT, SERVER).orThrow().rate(ProcessStat::majorFaults));
        assertEquals(
                new BytesPerSecond(100_000),
                evidence.change(ProcessIo.FACT, SERVER).orThrow().movedRate(ProcessIo::readFromStorage));
        ModelFile model = evidence.servers().getFirst().models().getFirst();
        assertEquals(
                Bytes.ofPages(3000),
                evidence.change(PageCache.FACT, model).orThrow().growth(PageCache::resident));
        assertEquals(
                Bytes.ofKiB(-1_000_000), evidence.change(MemInfo.FACT).orThrow().growth(MemInfo::available));
    }

    @Test
    void a_process_that_is_asked_for_is_looked_at_however_small_it_is() {
        Focus focus = new Focus(Optional.of(500), Optional.empty(), Optional.empty(), Focus.EVERYTHING.since());
        Evidence evidence = Sampler.replay(new RecordedHost(TextTree.of(SmallHost.files())), focus);
        assertTrue(evidence.subjects(ProcessMemory.FACT).contains(new ProcessId(500, 700)));
    }

    @Test
    void one_instant_is_a_host_without_rates() {
        Map<String, String> files = new HashMap<>();
        SmallHost.files().forEach((path, text) -> {
            if (!path.startsWith("at-3")) files.put(path.replace("at-0.000/", ""), text);
        });
        Evidence evidence = replay(files);
        assertEquals(1, evidence.servers().size());
        assertFalse(evidence.hasWindow());
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(evidence.change(VmStat.FACT)));
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(evidence.change(ProcessStat.FACT, SERVER)));
    }

    /// Only `stat` carries the start time; what else lies under the number is another process's.
    @Test
    void what_another_process_with_the_same_number_says_is_not_said_of_the_first() {
        Map<String, String> files = SmallHost.files();
        files.put("at-3.000/proc/812/stat", SmallHost.stat(812, "python3", 1, 4194304, 0, 3, 777777, 9_000_000_000L));
        files.put("at-3.000/proc/812/cmdline", "python3\0train.py\0");
        files.put("at-3.000/proc/812/status", "State:\tS\nVmRSS:\t 9000000 kB\nRssAnon:\t 9000000 kB\n");
        Evidence evidence = replay(files);
        ProcessId later = new ProcessId(812, 777777);
        assertFalse(evidence.change(ProcessMemory.FACT, SERVER).isPresent(), "a leak of 9 GB in 3 s");
        assertFalse(evidence.change(ProcessIo.FACT, SERVER).isPresent());
        assertFalse(evidence.change(ProcessMemory.FACT, later).isPresent());
        assertEquals(AbsentCause.VANISHED, causeOf(evidence.latest(ProcessMemory.FACT, SERVER)));
        assertEquals(
                "python3 train.py",
                evidence.latest(CommandLine.FACT, later).orThrow().joined());
    }

    @Test
    void a_number_that_changes_hands_between_the_ends_makes_no_rate_either() {
        Map<String, String> files = SmallHost.files();
        files.put("at-1.000/recorded/clock", "- 4568.0");
        files.put(
                "at-1.000/proc/812/stat",
                SmallHost.stat(812, "python3", 1, 4194304, 900_000, 3, 777777, 9_000_000_000L));
        files.put("at-1.000/proc/812/status", "State:\tS\nVmRSS:\t 9000000 kB\nRssAnon:\t 9000000 kB\n");
        files.put("at-3.000/proc/812/stat", files.get("at-1.000/proc/812/stat"));
        Evidence evidence = replay(files);
        assertFalse(evidence.change(ProcessStat.FACT, SERVER).isPresent());
        assertFalse(evidence.change(ProcessMemory.FACT, SERVER).isPresent());
    }

    @Test
    void a_host_whose_clock_was_recorded_once_still_has_the_window_of_its_instants() {
        Map<String, String> files = SmallHost.files();
        files.remove("at-3.000/recorded/clock");
        assertEquals(new Seconds(3), replay(files).window());
        files.put("recorded/clock", files.remove("at-0.000/recorded/clock"));
        assertEquals(new Seconds(3), replay(files).window());
    }

    @Test
    void the_cgroup_of_a_kill_is_asked_who_is_left_in_it() {
        Map<String, String> files = SmallHost.files();
        files.put(
                "at-3.000/recorded/kmsg",
                "6,339,5140900,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,"
                        + "mems_allowed=0,oom_memcg=/docker/dead,task_memcg=/docker/dead,task=python3,pid=4000,uid=0\n"
                        + "3,340,5140901,-;Memory cgroup out of memory: Killed process 4000 (python3) total-vm:75176kB, "
                        + "anon-rss:64640kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:188kB oom_score_adj:0\n");
        files.put("at-3.000/recorded/absent", "/sys/fs/cgroup/docker/dead\tnot-present\tno such file\n");
        CgroupId dead = new CgroupId(CgroupId.Version.V2, "/sys/fs/cgroup", "/docker/dead");
        assertEquals(AbsentCause.NOT_PRESENT, causeOf(replay(files).latest(CgroupMembers.FACT, dead)));
    }
}
