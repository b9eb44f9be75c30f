// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Call;
import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.HostRoot;
import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.SmallHost;
import dev.ullage.host.gpu.DrmClients;
import dev.ullage.host.gpu.Gpus;
import dev.ullage.host.kernel.LiveHost;
import dev.ullage.host.process.OpenFiles;
import dev.ullage.host.process.ProcessId;
import dev.ullage.host.process.ProcessStat;
import dev.ullage.host.storage.FileSystemSpace;
import dev.ullage.host.storage.ModelFiles;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RecordingHostTest {
    private static final ProcessId SERVER = new ProcessId(812, 51234);

    /// What the sampler saw through the recorder, and what it sees in the recording.
    private record Both(Evidence live, Evidence replayed, NavigableMap<String, String> tree) {}

    private static Both record(MovingHost host) {
        Sampler sampler = new Sampler(Focus.EVERYTHING);
        RecordingHost recorder = new RecordingHost(host);
        int last = host.host.instants() - 1;
        for (host.at = 0; host.at <= last; host.at++) sampler.take(recorder, host.at == 0, host.at == last);
        NavigableMap<String, String> tree = recorder.finish();
        return new Both(
                sampler.evidence(), Sampler.replay(new RecordedHost(new MemoryTree(tree)), Focus.EVERYTHING), tree);
    }

    private static Both recordWith(String... pathsAndTexts) {
        Map<String, String> files = SmallHost.files();
        for (int i = 0; i < pathsAndTexts.length; i += 2) files.put(pathsAndTexts[i], pathsAndTexts[i + 1]);
        return record(new MovingHost(files));
    }

    @Test
    void a_replayed_recording_gives_every_reading_again() {
        Both both = recordWith();
        assertEquals(1, both.live.servers().size());
        assertEquals(AllReadings.of(both.live), AllReadings.of(both.replayed));
    }

    @Test
    void this_machine_recorded_and_replayed_gives_every_reading_again() {
        Sampler sampler = new Sampler(Focus.EVERYTHING);
        RecordingHost recorder = new RecordingHost(new LiveHost());
        sampler.take(recorder, true, false);
        LockSupport.parkNanos(300_000_000);
        sampler.take(recorder, false, true);
        Evidence replayed = Sampler.replay(new RecordedHost(new MemoryTree(recorder.finish())), Focus.EVERYTHING);
        Map<String, String> live = AllReadings.of(sampler.evidence());
        assertTrue(live.size() > 20, live.keySet().toString());
        assertEquals(live, AllReadings.of(replayed));
    }

    @Test
    void gpus_of_the_kernel_are_replayed_and_survive_redaction() {
        Both both = recordWith(
                "sys/class/drm/card1/device/uevent",
                "DRIVER=amdgpu\nPCI_ID=1002:74A1\nPCI_SLOT_NAME=0000:03:00.0\n",
                "sys/class/drm/card1/device/mem_info_vram_total",
                "206141652992\n",
                "sys/class/drm/card1/device/mem_info_vram_used",
                "8601346048\n",
                "sys/class/drm/card1/device/hwmon/hwmon3/temp1_input",
                "54000\n",
                "sys/class/kfd/kfd/topology/nodes/1/gpu_id",
                "34832\n",
                "sys/class/kfd/kfd/topology/nodes/1/properties",
                "location_id 768\ndomain 0\n",
                "sys/class/kfd/kfd/proc/812/vram_34832",
                "8500000000\n",
                "at-0.000/proc/812/fd/5",
                "/dev/dri/renderD128\n",
                "at-0.000/proc/812/fdinfo/5",
                "pos:\t0\nmnt_id:\t77\ndrm-driver:\tamdgpu\ndrm-client-id:\t42\ndrm-client-name:\talice\n"
                        + "drm-pdev:\t0000:03:00.0\ndrm-memory-vram:\t1024 KiB\n");
        assertEquals(AllReadings.of(both.live), AllReadings.of(both.replayed));
        assertEquals(1, both.live.latest(Gpus.FACT).orThrow().gpus().size());
        NavigableMap<String, String> redacted = Redaction.of(both.tree);
        Evidence given = Sampler.replay(new RecordedHost(new MemoryTree(redacted)), Focus.EVERYTHING);
        assertEquals(both.live.latest(Gpus.FACT), given.latest(Gpus.FACT));
        assertEquals(both.live.latest(DrmClients.FACT, SERVER), given.latest(DrmClients.FACT, SERVER));
        assertTrue(given.latest(DrmClients.FACT, SERVER).orThrow().clients().size() == 1);
        assertFalse(redacted.values().stream().anyMatch(text -> text.contains("alice") || text.contains("mnt_id")));
    }

    @Test
    void a_process_that_ended_in_the_window_has_ended_in_the_recording() {
        Map<String, String> files = SmallHost.files();
        files.keySet().removeIf(path -> path.startsWith("at-3.000/proc/812/"));
        files.put("at-3.000/recorded/absent", "/proc/812\tvanished\tit ended\n");
        Both both = record(new MovingHost(files));
        assertEquals(List.of(), both.replayed.servers());
        assertEquals(AllReadings.of(both.live), AllReadings.of(both.replayed));
    }

    @Test
    void open_descriptors_empty_folders_and_links_come_back() {
        Both both = recordWith(
                "recorded/names", "/proc/812/fd\t0/1/2/5\n/sys/block/vda/slaves\t\n/proc/812/task\t812\n",
                "recorded/links", "/proc/812/fd/5\t" + SmallHost.MODEL + "\n/proc/812/fd/0\t/dev/null\n",
                "proc/812/task/812/schedstat", "1893412345 20311234 412\n",
                "sys/block/vda/queue/rotational", "0\n");
        assertEquals(AllReadings.of(both.live), AllReadings.of(both.replayed));
        assertEquals(
                4, both.replayed.latest(OpenFiles.FACT, SERVER).orThrow().open().count());
        assertTrue(both.tree.get("at-0.000/recorded/names").contains("/sys/block/vda/slaves\t\n"));
    }

    @Test
    void what_did_not_change_is_written_once() {
        Both both = recordWith();
        assertTrue(both.tree.containsKey("at-0.000/proc/812/maps"));
        assertFalse(
                both.tree.containsKey("at-3.000/proc/812/maps"),
                both.tree.keySet().toString());
        assertTrue(both.tree.containsKey("at-3.000/proc/vmstat"));
    }

    @Test
    void an_absence_does_not_hide_what_is_unchanged_below_it() {
        MovingHost host = new MovingHost(Map.of(
                "at-0.000/recorded/clock", "- 0",
                "at-0.000/recorded/statfs", "/mnt\tblocks=1\n/mnt/a\tblocks=2\n",
                "at-1.000/recorded/clock", "- 1",
                "at-1.000/recorded/absent", "/recorded/statfs:/mnt\ttimed-out\tit hung\n",
                "at-1.000/recorded/statfs", "/mnt/a\tblocks=2\n"));
        RecordingHost recorder = new RecordingHost(host);
        for (host.at = 0; host.at < 2; host.at++) {
            recorder.ask(Call.CLOCK, "-");
            recorder.ask(Call.STATFS, "/mnt");
            recorder.ask(Call.STATFS, "/mnt/a");
        }
        HostRoot replayed = new RecordedHost(new MemoryTree(recorder.finish())).at(1);
        assertEquals(AbsentCause.TIMED_OUT, ((Absent<?>) replayed.ask(Call.STATFS, "/mnt")).cause());
        assertEquals("blocks=2", replayed.ask(Call.STATFS, "/mnt/a").orThrow());
    }

    @Test
    void a_mount_that_never_answers_is_recorded_as_timed_out() {
        Map<String, String> files = SmallHost.files();
        files.put("proc/self/mountinfo", files.get("proc/self/mountinfo") + "31 27 0:50 / /nfs rw - nfs4 nas:/m rw\n");
        Both both = record(new MovingHost(files) {
            @Override
            public Reading<String> ask(Call call, String about) {
                if (about.equals("/nfs")) LockSupport.parkNanos(20_000_000_000L);
                return super.ask(call, about);
            }
        });
        for (Evidence evidence : List.of(both.live, both.replayed))
            assertEquals(
                    List.of(AbsentCause.TIMED_OUT),
                    evidence.subjects(FileSystemSpace.FACT).stream()
                            .filter(mount -> mount.point().equals("/nfs"))
                            .map(mount -> ((Absent<?>) evidence.latest(FileSystemSpace.FACT, mount)).cause())
                            .toList());
    }

    @Test
    void an_answer_that_came_after_the_sampler_gave_up_is_no_answer_in_the_recording_either() {
        Both both = record(withNfs((call, about) -> {
            // The first is given up after 200 ms and answers while the instant still waits for the second.
            if (about.equals("/nfs")) LockSupport.parkNanos(300_000_000L);
            if (about.equals("/nfs2")) LockSupport.parkNanos(1_000_000_000L);
        }));
        for (Evidence evidence : List.of(both.live, both.replayed))
            assertEquals(List.of(AbsentCause.TIMED_OUT, AbsentCause.TIMED_OUT), whyUnseen(evidence));
    }

    @Test
    void an_answer_that_is_slow_because_the_host_is_busy_is_recorded() {
        Both both = record(withNfs((call, about) -> {
            long end = System.nanoTime() + 350_000_000L;
            // At work, not asleep: the sampler waits for such a reader.
            while (about.equals("/nfs") && System.nanoTime() < end) Thread.onSpinWait();
        }));
        assertEquals(AllReadings.of(both.live), AllReadings.of(both.replayed));
        assertEquals(List.of(), whyUnseen(both.replayed));
    }

    private interface Slowness {
        void of(Call call, String about);
    }

    /// Two mounts of NFS, and how they make a caller wait.
    private static MovingHost withNfs(Slowness slowness) {
        Map<String, String> files = SmallHost.files();
        files.put(
                "proc/self/mountinfo",
                files.get("proc/self/mountinfo") + "31 27 0:50 / /nfs rw - nfs4 nas:/m rw\n"
                        + "32 27 0:51 / /nfs2 rw - nfs4 nas:/n rw\n");
        String space = "\ttype=0x6969 bsize=4096 blocks=100 bfree=50 bavail=50 files=10 ffree=5\n";
        files.put("recorded/statfs", files.getOrDefault("recorded/statfs", "") + "/nfs" + space + "/nfs2" + space);
        return new MovingHost(files) {
            @Override
            public Reading<String> ask(Call call, String about) {
                slowness.of(call, about);
                return super.ask(call, about);
            }
        };
    }

    private static List<AbsentCause> whyUnseen(Evidence evidence) {
        return evidence.subjects(FileSystemSpace.FACT).stream()
                .filter(mount -> mount.point().startsWith("/nfs"))
                .map(mount -> evidence.latest(FileSystemSpace.FACT, mount))
                .filter(reading -> !reading.isPresent())
                .map(reading -> ((Absent<?>) reading).cause())
                .toList();
    }

    @Test
    void the_number_of_mappings_stays_and_the_addresses_of_libraries_go() {
        String maps = "55d0c0000000-55d0c0100000 r-xp 00000000 fe:00 9    /usr/bin/llama-server\n"
                + "7f0000000000-7f0038400000 r--s 00000000 fe:00 1234    " + SmallHost.MODEL + "\n"
                + "7f1000000000-7f1000200000 r-xp 00000000 fe:00 77   /usr/lib/libcudart.so.12\n"
                + "7f2000000000-7f2000200000 r--s 00000000 fe:00 78   /home/alice/diary.sqlite\n"
                + "7f3000000000-7f3000200000 rw-p 00000000 00:00 0 \n";
        Both both = recordWith(
                "at-0.000/proc/812/maps",
                maps,
                "recorded/stat",
                SmallHost.MODEL + "\tdev=254:0 ino=1234 size=943718400 uid=0 kind=file\n"
                        + "/home/alice/diary.sqlite\tdev=254:0 ino=78 size=9437184 uid=0 kind=file\n",
                "recorded/head",
                SmallHost.MODEL + "\t4747554603000000\n/home/alice/diary.sqlite\t53514c697465\n");
        assertEquals(AllReadings.of(both.live), AllReadings.of(both.replayed));
        assertEquals(5, both.replayed.latest(ModelFiles.FACT, SERVER).orThrow().mappings());
        assertEquals("-\n" + maps.lines().toList().get(1) + "\n-\n-\n-\n", both.tree.get("at-0.000/proc/812/maps"));
        assertFalse(both.tree.toString().contains("diary"), both.tree.toString());
    }

    @Test
    void where_code_and_stack_lie_is_not_recorded() {
        String line = "812 (a b) c) S 1 2 3 0 -1 4 5 6 7 8 9 10 11 12 20 0 9 0 51234 8589 160 1844674 9485880 9485881 "
                + "1407323 1407324 1407325 0 0 0 0 4096 0 1 0 0 17 1 0 0 0 0 0 94858802 94858803 94858804 14073 14074 14075 14076 0\n";
        String kept = Kept.text("/proc/812/stat", line);
        assertFalse(kept.contains("94858") || kept.contains("14073"), kept);
        assertEquals(ProcessStat.parse(line), ProcessStat.parse(kept));
    }

    @Test
    void names_that_no_line_can_hold_are_escaped_and_come_back() {
        String odd = "/mnt/a\tb\nc\\040d\\x2d";
        RecordingHost recorder = new RecordingHost(new MovingHost(Map.of()) {
            @Override
            public Reading<String> ask(Call call, String about) {
                return Reading.of(call == Call.CLOCK ? "- 1" : "blocks=1");
            }

            @Override
            public Reading<List<String>> names(String directory) {
                return Reading.of(List.of("a\tb", "c\nd", "e\\x2df", "g\\101"));
            }
        });
        recorder.ask(Call.CLOCK, "-");
        recorder.ask(Call.STATFS, odd);
        recorder.names("/sys/d");
        HostRoot replayed = new RecordedHost(new MemoryTree(recorder.finish())).at(0);
        assertEquals("blocks=1", replayed.ask(Call.STATFS, odd).orThrow());
        assertEquals(
                List.of("a\tb", "c\nd", "e\\x2df", "g\\101"),
                replayed.names("/sys/d").orThrow());
    }
}
