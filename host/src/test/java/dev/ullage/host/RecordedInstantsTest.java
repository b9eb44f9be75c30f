// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedInstantsTest {
    private static RecordedHost host(String... pathsAndTexts) {
        return new RecordedHost(Recorded.tree(pathsAndTexts));
    }

    private static AbsentCause causeOf(Reading<?> reading) {
        return assertInstanceOf(Absent.class, reading).cause();
    }

    @Test
    void names_are_those_of_all_instants_up_to_now() {
        RecordedHost host = host(
                "proc/meminfo", "x",
                "at-0.000/proc/812/stat", "x",
                "at-1.500/proc/813/stat", "x",
                "at-3.000/recorded/absent", "/proc/812\tvanished\tit ended\n",
                "at-3.000/proc/900/stat", "x");
        assertEquals(List.of("812", "meminfo"), host.at(0).names("/proc").orThrow());
        assertEquals(List.of("812", "813", "meminfo"), host.at(1).names("/proc").orThrow());
        assertEquals(List.of("813", "900", "meminfo"), host.at(2).names("/proc").orThrow());
        assertEquals(AbsentCause.VANISHED, causeOf(host.at(2).names("/proc/812")));
        assertEquals(List.of("stat"), host.at(1).names("/proc/812").orThrow());
    }

    @Test
    void a_folder_that_was_absent_and_is_there_again_has_its_names() {
        RecordedHost host = host(
                "at-0.000/recorded/absent", "/proc/812\tvanished\tit ended\n",
                "at-3.000/proc/812/fd/3", "/models/a.gguf");
        assertEquals("/models/a.gguf", host.at(1).link("/proc/812/fd/3").orThrow());
        assertEquals(List.of("3"), host.at(1).names("/proc/812/fd").orThrow());
    }

    @Test
    void an_absence_holds_below_its_path_and_not_beside_it() {
        HostRoot host = Recorded.host(
                "recorded/absent", "/sys/fs/cgroup/a\tno-permission\topening it said EACCES\n",
                "sys/fs/cgroup/ab/x", "1");
        assertEquals(AbsentCause.NO_PERMISSION, causeOf(host.text("/sys/fs/cgroup/a")));
        assertEquals(AbsentCause.NO_PERMISSION, causeOf(host.text("/sys/fs/cgroup/a/b/c")));
        assertEquals(AbsentCause.NO_PERMISSION, causeOf(host.names("/sys/fs/cgroup/a/b")));
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(host.text("/sys/fs/cgroup/ab/y")));
        assertEquals("1", host.text("/sys/fs/cgroup/ab/x").orThrow());
        Absent<?> absent = (Absent<?>) host.text("/sys/fs/cgroup/a/b");
        assertEquals("/sys/fs/cgroup/a/b", absent.source());
        assertEquals("opening it said EACCES", absent.detail());
    }

    @Test
    void a_later_instant_without_an_answer_repeats_the_last_one() {
        RecordedHost host = host(
                "at-0.000/recorded/statfs", "/\tbsize=1\n/models\tbsize=2\n",
                "at-3.000/recorded/statfs", "/\tbsize=3\n",
                "at-6.000/recorded/absent", "/recorded/statfs:/models\ttimed-out\tit hangs\n");
        assertEquals("bsize=3", host.at(1).ask(Call.STATFS, "/").orThrow());
        assertEquals("bsize=2", host.at(1).ask(Call.STATFS, "/models").orThrow());
        assertEquals(AbsentCause.TIMED_OUT, causeOf(host.at(2).ask(Call.STATFS, "/models")));
        assertEquals("bsize=3", host.at(2).ask(Call.STATFS, "/").orThrow());
    }

    @Test
    void a_cause_of_a_later_version_and_a_line_without_detail_are_understood_as_far_as_possible() {
        HostRoot host = Recorded.host("recorded/absent", "/a\tfrobnicated\twhy\n/b\tvanished\n\nrubbish\n\t\n");
        assertEquals(AbsentCause.MALFORMED, causeOf(host.text("/a")));
        assertEquals(AbsentCause.VANISHED, causeOf(host.text("/b")));
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(host.text("/rubbish")));
    }

    @Test
    void the_clock_of_an_instant_is_in_its_name_when_it_was_not_recorded() {
        RecordedHost host = host("at-0.000/a", "x", "at-2.500/a", "y");
        assertEquals("- 2.5", host.at(1).ask(Call.CLOCK, "-").orThrow());
        Evidence evidence = Sampler.replay(host, Focus.EVERYTHING);
        assertEquals(2.5, evidence.window().seconds());
        assertEquals(0, evidence.from().monotonic().seconds());
    }

    @Test
    void a_kernel_log_that_was_refused_says_so_by_its_real_name() {
        HostRoot host = Recorded.host("recorded/absent", "/recorded/kmsg\tno-permission\topening it said EPERM\n");
        Absent<?> absent = (Absent<?>) host.ask(Call.KERNEL_LOG, "-");
        assertEquals("/dev/kmsg", absent.source());
        assertEquals(AbsentCause.NO_PERMISSION, absent.cause());
    }

    @Test
    void a_link_is_a_file_with_its_target() {
        assertEquals(
                "/usr/bin/my server",
                Recorded.host("proc/812/exe", "/usr/bin/my server\n")
                        .link("/proc/812/exe")
                        .orThrow());
    }
}
