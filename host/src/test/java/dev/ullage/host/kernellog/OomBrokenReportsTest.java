// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import static dev.ullage.host.kernellog.KernelLogTest.log;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Reports that were cut, mixed or made up.
class OomBrokenReportsTest {
    private static final List<String> ALL = List.of(
            Linux618Text.LINUX_6_18,
            DebianKernelText.LINUX_6_12_TMPFS,
            DebianKernelText.LINUX_6_1_GROUP,
            DebianKernelText.LINUX_6_1_HOST,
            DebianKernelText.LINUX_5_10,
            OlderKernelText.LINUX_5_15,
            OlderKernelText.LINUX_5_4,
            OlderKernelText.LINUX_4_19,
            OlderKernelText.LINUX_4_15,
            OlderKernelText.LINUX_3_10);

    private static List<OomKill> kills(String text) {
        return OomReports.in(log(text));
    }

    private static String join(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }

    @Test
    void a_report_whose_beginning_was_overwritten_is_still_one_kill_of_the_same_victim() {
        for (String whole : ALL) {
            OomKill expected = kills(whole).getFirst();
            List<String> lines = whole.lines().toList();
            int last = 0;
            for (int i = 0; i < lines.size() && last == 0; i++) if (lines.get(i).contains("Killed process ")) last = i;
            for (int from = 0; from <= last; from++) {
                List<OomKill> kills = kills(join(lines.subList(from, lines.size())));
                assertEquals(1, kills.size(), "from " + lines.get(from));
                assertEquals(expected.victim().pid(), kills.getFirst().victim().pid());
                assertEquals(
                        expected.alsoKilled().size(),
                        kills.getFirst().alsoKilled().size());
            }
        }
    }

    @Test
    void a_report_that_breaks_off_is_a_kill_as_soon_as_it_names_the_victim() {
        List<String> lines = Linux618Text.LINUX_6_18.lines().toList();
        List<OomKill> named = kills(join(lines.subList(0, lines.size() - 1)));
        assertEquals("python3", named.getFirst().victim().name());
        assertEquals(new OomScope.OfCgroup("/klogtest"), named.getFirst().scope());
        assertEquals(
                Optional.of(dev.ullage.measure.Bytes.ofPages(16_160)),
                named.getFirst().victim().anonRss());
        assertEquals(List.of(), kills(join(lines.subList(0, lines.size() - 2))));
    }

    @Test
    void a_report_without_a_victim_is_no_kill() {
        assertEquals(
                List.of(),
                kills("[ 1.0] x invoked oom-killer: gfp_mask=0xd0\n"
                        + "[ 1.1] Out of memory and no killable processes...\n"));
        assertEquals(List.of(), kills("[ 1.0] Kill process 5 (x) sharing same memory\n[ 1.0] OOM killer enabled.\n"));
    }

    @Test
    void two_reports_at_once_are_two_kills_with_their_own_numbers() {
        String other = OlderKernelText.LINUX_3_10
                .replace("/docker/pod", "/docker/box")
                .replace("28438", "38438")
                .replace("24572", "34572")
                .replace("usage 524288kB, limit 524288kB", "usage 99kB, limit 99kB");
        List<String> a = OlderKernelText.LINUX_3_10.lines().toList();
        List<String> b = other.lines().toList();
        List<String> mixed = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            mixed.add(a.get(i));
            mixed.add(b.get(i));
        }
        List<OomKill> kills = kills(join(mixed));
        assertEquals(2, kills.size());
        OomKill first = kills(OlderKernelText.LINUX_3_10).getFirst();
        OomKill second = kills(other).getFirst();
        // All but the task tables, whose rows cannot be told apart.
        assertEquals(List.of(withoutTasks(first), withoutTasks(second)), kills);
    }

    private static OomKill withoutTasks(OomKill k) {
        return new OomKill(
                k.sinceBoot(),
                k.scope(),
                k.victim(),
                k.alsoKilled(),
                k.group(),
                k.invokedBy(),
                k.cgroup(),
                k.host(),
                List.of());
    }

    @Test
    void two_reports_mixed_in_any_order_are_two_victims() {
        String other = OlderKernelText.LINUX_3_10.replace("28438", "38438").replace("24572", "34572");
        List<String> a = OlderKernelText.LINUX_3_10.lines().toList();
        List<String> b = other.lines().toList();
        Random random = new Random(310);
        for (int round = 0; round < 200; round++) {
            List<String> mixed = new ArrayList<>();
            for (int i = 0, j = 0; i < a.size() || j < b.size(); ) {
                boolean first = j == b.size() || i < a.size() && random.nextBoolean();
                mixed.add(first ? a.get(i++) : b.get(j++));
            }
            assertEquals(
                    List.of(28_438, 38_438),
                    kills(join(mixed)).stream()
                            .map(k -> k.victim().pid())
                            .sorted()
                            .toList());
        }
    }

    @Test
    void reports_of_one_log_are_kept_apart() {
        String log = ALL.stream().collect(Collectors.joining());
        assertEquals(ALL.size(), kills(log).size());
        assertEquals(
                ALL.stream().map(text -> kills(text).getFirst().victim().pid()).toList(),
                kills(log).stream().map(kill -> kill.victim().pid()).toList());
    }

    @Test
    void a_line_in_pieces_is_one_line() {
        List<OomKill> kills = kills("""
                [ 7.000001] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)
                [ 7.000002] eth0: link up
                [ 7.000003] ,cpuset=/,mems_allowed=0,oom_memcg=/a,task_memcg=/a/b
                [ 7.000004] ,task=x,pid=42,uid=5
                [ 7.000005] Memory cgroup out of memory: Killed process 42 (x) total-vm:8kB
                """);
        assertEquals(1, kills.size());
        assertEquals(new OomScope.OfCgroup("/a"), kills.getFirst().scope());
        assertEquals(Optional.of("/a/b"), kills.getFirst().victim().cgroup());
    }

    @Test
    void kills_that_follow_each_other_without_reports_are_each_one() {
        StringBuilder text = new StringBuilder(Linux618Text.LINUX_6_18);
        for (int i = 0; i < 100; i++)
            text.append("3,500,1213600000,-;Memory cgroup out of memory: Killed process ")
                    .append(5_000 + i)
                    .append(" (x) total-vm:75176kB, anon-rss:64640kB\n");
        assertEquals(101, kills(text.toString()).size());
    }

    @Test
    void numbers_too_large_for_any_machine_are_held_and_their_sums_stay_positive() {
        String nines = "99999999999999999999";
        String huge = Linux618Text.LINUX_6_18.replaceAll("\\b\\d{3,6}\\b", nines);
        for (OomKill kill : kills(huge + DebianKernelText.LINUX_6_1_HOST.replaceAll(":\\d+", ":" + nines))) {
            for (OomTask task : kill.tasks()) assertTrue(task.held().bytes() >= 0);
            assertFalse(kill.victim().totalVm().isPresent()
                    && kill.victim().totalVm().get().bytes() < 0);
        }
        assertEquals(List.of(), kills("Killed process 99999999999 (x) total-vm:1kB\nKilled process 0 (x)"));
    }

    @Test
    void junk_is_read_without_a_failure() {
        Random random = new Random(6_18);
        for (String whole : ALL) {
            for (int round = 0; round < 100; round++) {
                char[] chars = whole.toCharArray();
                for (int i = 0; i < chars.length / 50; i++)
                    chars[random.nextInt(chars.length)] = (char) random.nextInt(round % 2 == 0 ? 128 : 0x1_0000);
                kills(new String(chars));
                IoErrors.in(log(new String(chars)));
                int cut = random.nextInt(whole.length());
                kills(whole.substring(cut) + whole.substring(0, cut));
            }
        }
    }

    @Test
    void hostile_text_is_read_in_bounded_time() {
        List<String> evils = List.of(
                "x".repeat(1 << 20),
                "6,1,1,-;" + "\\x0a".repeat(1 << 18),
                "kernel: ".repeat(1 << 17),
                "(".repeat(1 << 20),
                "Memory cgroup stats for " + ": a".repeat(1 << 18),
                "6,1,1,+;more\n".repeat(1 << 16),
                "[1] 0 1 2 3 4 5 6 x\n".repeat(1 << 16),
                "1.0 invoked oom-killer:\n".repeat(1 << 16),
                "active_anon:1 ".repeat(1 << 16) + "\n",
                "Tasks in /a are going to be killed due to memory.oom.group set\n".repeat(1 << 15));
        StringBuilder many = new StringBuilder("Tasks in /a are going to be killed due to memory.oom.group set\n");
        for (int i = 1; i < 100_000; i++)
            many.append("Killed process ").append(i).append(" (x) total-vm:1kB\n");
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (String evil : evils) {
                kills(evil);
                IoErrors.in(log(evil));
            }
            kills(many.toString());
        });
    }
}
