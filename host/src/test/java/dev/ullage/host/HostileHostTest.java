// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.ullage.host.cgroup.CgroupId;
import dev.ullage.host.memory.HugePages;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.storage.ModelFile;
import dev.ullage.host.storage.ModelFormat;
import dev.ullage.host.storage.Mounts.Mount;
import dev.ullage.host.storage.RaidArrays;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whole hosts that lie. One odd file costs its own fact and nothing else.
class HostileHostTest {
    private static final ProcessId PROCESS = new ProcessId(812, 1);

    /// A host every file of which has one text, and every folder of which has the same few names.
    private record Everywhere(String text, List<String> names) implements TextTree {
        @Override
        public Optional<String> text(String path) {
            return path.contains("recorded/absent") ? Optional.empty() : Optional.of(text);
        }

        @Override
        public List<String> names(String directory) {
            return names;
        }
    }

    private static List<Reading<?>> readings(HostRoot host) {
        List<Reading<?>> all = new ArrayList<>();
        Facts.OF_THE_HOST.forEach(fact -> all.add(fact.read(host, Host.THE_HOST)));
        Facts.COURSES_OF_THE_HOST.forEach(fact -> all.add(fact.read(host, Host.THE_HOST)));
        List<Fact<ProcessId, ?>> ofProcesses = new ArrayList<>(Facts.OF_EVERY_PROCESS);
        ofProcesses.addAll(Facts.OF_A_CANDIDATE);
        ofProcesses.addAll(Facts.OF_A_WORKLOAD);
        ofProcesses.addAll(Facts.ON_A_GPU_OF_DRM);
        ofProcesses.add(ProcessStat.FACT);
        ofProcesses.forEach(fact -> all.add(fact.read(host, PROCESS)));
        Mount mount = new Mount("254:0", "/", "/", "ext4", "/dev/vda", List.of("rw"), List.of("rw"));
        Facts.OF_A_MOUNT.forEach(fact -> all.add(fact.read(host, mount)));
        for (CgroupId.Version version : CgroupId.Version.values()) {
            CgroupId cgroup = new CgroupId(version, "/sys/fs/cgroup", "/a");
            List<Fact<CgroupId, ?>> ofCgroups = new ArrayList<>(Facts.OF_A_MEMORY_CGROUP);
            ofCgroups.addAll(Facts.OF_A_CPU_CGROUP);
            ofCgroups.addAll(Facts.OF_AN_IO_CGROUP);
            ofCgroups.addAll(Facts.OF_A_UNIFIED_CGROUP);
            ofCgroups.addAll(Facts.OF_A_CGROUP_WITH_A_KILL);
            ofCgroups.forEach(fact -> all.add(fact.read(host, cgroup)));
        }
        ModelFile file = new ModelFile("/m", "/m", "254:0", 7, Bytes.ofMiB(1), ModelFormat.GGUF, false);
        Facts.OF_A_MODEL_FILE.forEach(fact -> all.add(fact.read(host, file)));
        return all;
    }

    @Test
    void no_fact_throws_whatever_its_files_say() {
        List<String> names = List.of("0", "812", "..", "a b", "loop0", "nvme0n1", "card0", "\0");
        for (String text : HostileText.ALL) {
            HostRoot host = new RecordedHost(new Everywhere(text, names)).at(0);
            List<Reading<?>> all = assertDoesNotThrow(() -> readings(host), text);
            for (Reading<?> reading : all)
                if (reading instanceof Absent<?> absent)
                    assertFalse(absent.detail().isBlank(), absent::source);
        }
    }

    @Test
    void a_whole_window_over_a_lying_host_ends_and_finds_no_server() {
        List<String> names = List.of("1", "812", "99999999999", "self", "..", "at-0.000");
        assertTimeoutPreemptively(Duration.ofSeconds(120), () -> {
            for (String text : HostileText.ALL) {
                Evidence evidence = Sampler.replay(new RecordedHost(new Everywhere(text, names)), Focus.EVERYTHING);
                assertEquals(List.of(), evidence.servers(), text);
            }
        });
    }

    @Test
    void a_host_of_which_nothing_was_recorded_is_absent_and_never_zero() {
        for (Reading<?> reading : readings(Recorded.host("proc/version", "Linux version 6.18.44")))
            assertEquals(AbsentCause.NOT_RECORDED, Absence.causeOf(reading));
    }

    @Test
    void a_cause_that_was_recorded_is_the_cause_of_every_fact_below_it() {
        HostRoot host = Recorded.host(
                "recorded/absent",
                "/proc\tno-permission\topening it said EACCES\n"
                        + "/sys\tno-permission\topening it said EACCES\n"
                        + "/recorded\ttimed-out\tit hung\n");
        for (Reading<?> reading : readings(host)) {
            assertFalse(reading.isPresent(), () -> "seen all the same: " + reading);
            AbsentCause cause = Absence.causeOf(reading);
            assertFalse(cause == AbsentCause.NOT_RECORDED || cause == AbsentCause.MALFORMED, reading::toString);
        }
    }

    @Test
    void what_is_not_there_is_none_where_a_file_is_there_only_when_there_is_something_to_tell() {
        HostRoot host = Recorded.host(
                "recorded/absent",
                "/proc/mdstat\tnot-on-this-kernel\tno RAID\n/sys/kernel/mm/hugepages\tnot-present\tno pools\n");
        assertEquals(
                List.of(), RaidArrays.FACT.read(host, Host.THE_HOST).orThrow().arrays());
        assertEquals(
                List.of(), HugePages.FACT.read(host, Host.THE_HOST).orThrow().pools());
    }

    @Test
    void a_host_whose_files_were_all_cut_in_half_is_read_as_far_as_it_goes(@TempDir Path folder) throws IOException {
        Map<String, String> whole = SmallHost.files();
        for (int cut = 0; cut < 40; cut++) {
            Map<String, String> files = new HashMap<>();
            int at = cut;
            whole.forEach((path, text) -> files.put(path, text.substring(0, text.length() * at / 40)));
            assertDoesNotThrow(
                    () -> Sampler.replay(new RecordedHost(TextTree.of(files)), Focus.EVERYTHING)
                            .workloads(),
                    "cut at " + at + "/40");
        }
        SmallHost.write(folder);
        Files.write(folder.resolve("at-3.000/proc/meminfo"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1, 2});
        Evidence evidence = Sampler.replay(new RecordedHost(new FolderTree(folder)), Focus.EVERYTHING);
        assertEquals(1, evidence.servers().size(), "one bad file hides no server");
    }
}
