// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernellog;

import static dev.ullage.host.kernellog.KernelLogTest.log;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.kernellog.OomScope.Nodes;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Seconds;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// Reports as seven kernels write them, each whole.
class OomReportsTest {
    static OomKill only(String text) {
        List<OomKill> kills = OomReports.in(log(text));
        assertEquals(1, kills.size(), kills.toString());
        return kills.getFirst();
    }

    private static Optional<Bytes> kib(long kib) {
        return Optional.of(Bytes.ofKiB(kib));
    }

    @Test
    void linux_6_18_the_limit_above_the_victims_cgroup() {
        OomKill kill = only(Linux618Text.LINUX_6_18);
        assertEquals(Optional.of(new Seconds(1213.544163)), kill.sinceBoot());
        assertEquals(new OomScope.OfCgroup("/klogtest"), kill.scope());
        assertEquals(
                new OomVictim(
                        4162,
                        "python3",
                        Optional.of("/klogtest/worker"),
                        OptionalLong.of(0),
                        kib(75_176),
                        kib(64_640),
                        kib(6_620),
                        kib(0),
                        OptionalInt.of(0)),
                kill.victim());
        assertEquals(Optional.of("python3"), kill.invokedBy());
        OomCgroup cgroup = kill.cgroup().orElseThrow();
        assertEquals(
                new OomCgroup.Charge(Bytes.ofMiB(64), Optional.of(Bytes.ofMiB(64)), 87),
                cgroup.memory().orElseThrow());
        assertEquals(Optional.empty(), cgroup.memoryAndSwap().orElseThrow().limit());
        assertEquals(kib(456), cgroup.kmem().map(OomCgroup.Charge::usage));
    }

    @Test
    void linux_6_18_on_cgroup_v1_tells_the_numbers_with_those_of_the_cgroups_below() {
        OomCgroup cgroup = only(Linux618Text.LINUX_6_18).cgroup().orElseThrow();
        assertEquals(Optional.of(new Bytes(66_547_712)), cgroup.anonymous());
        assertEquals(OptionalLong.of(19_330), cgroup.stat().get("pgpgin"));
        assertEquals(OptionalLong.empty(), cgroup.stat().get("total_rss"));
    }

    @Test
    void linux_6_18_tells_own_memory_of_a_task_from_its_files() {
        OomKill kill = only(Linux618Text.LINUX_6_18);
        assertEquals(4, kill.tasks().size());
        OomTask python = kill.largest().orElseThrow();
        assertEquals("python3", python.name());
        assertEquals(Bytes.ofPages(17_815), python.rss());
        assertEquals(Optional.of(Bytes.ofPages(16_160)), python.rssAnon());
        assertEquals(Optional.of(Bytes.ofPages(1_655)), python.rssFile());
        assertEquals(Optional.empty(), kill.largerThanTheVictim());
    }

    @Test
    void linux_6_12_a_tmpfs_that_fills_the_limit_belongs_to_no_task() {
        OomKill kill = only(DebianKernelText.LINUX_6_12_TMPFS);
        assertEquals(new OomScope.OfCgroup("/a"), kill.scope());
        OomCgroup cgroup = kill.cgroup().orElseThrow();
        assertEquals(Optional.of(new Bytes(32_423_936)), cgroup.shmem());
        assertEquals(Optional.of(Bytes.NONE), cgroup.pageCache());
        assertTrue(Bytes.ofMiB(2).isMoreThan(kill.largest().orElseThrow().held()));
        assertEquals(Optional.empty(), cgroup.swap().orElseThrow().limit());
    }

    @Test
    void linux_6_1_the_processes_of_a_group_die_by_one_kill() {
        OomKill kill = only(DebianKernelText.LINUX_6_1_GROUP);
        assertEquals(Optional.of("/llm/worker"), kill.group());
        assertEquals(
                List.of("VLLM::EngineCor", "vllm-w0", "vllm-w1"),
                kill.killed().stream().map(OomVictim::name).toList());
        assertEquals(new OomScope.OfCgroup("/llm"), kill.scope());
        assertTrue(kill.hasKilled(93));
        assertFalse(kill.hasKilled(88));
        assertEquals(4, kill.tasks().size());
        assertEquals(
                Optional.of(new Bytes(66_670_592)), kill.cgroup().orElseThrow().anonymous());
    }

    @Test
    void linux_6_1_the_one_that_filled_the_host_is_not_the_one_that_died() {
        OomKill kill = only(DebianKernelText.LINUX_6_1_HOST);
        assertEquals(new OomScope.OfTheHost(Nodes.ALL), kill.scope());
        assertEquals("sacrificed", kill.victim().name());
        assertEquals(OptionalInt.of(1000), kill.victim().oomScoreAdj());
        assertEquals(Optional.of("guilty"), kill.largerThanTheVictim().map(OomTask::name));
        OomHostMemory host = kill.host().orElseThrow();
        assertEquals(Optional.of(Bytes.ofPages(646 + 48_140)), host.anonymous());
        assertEquals(Optional.of(Bytes.NONE), host.pageCache());
        assertEquals(Optional.of(Bytes.NONE), host.swapTotal());
        assertEquals(Optional.of(Bytes.ofPages(65_406)), host.ram());
        assertEquals(Optional.empty(), kill.cgroup());
    }

    @Test
    void linux_5_15_pages_of_64_kib_are_seen_from_the_victims_two_sizes() {
        OomKill kill = only(OlderKernelText.LINUX_5_15);
        assertEquals("node", kill.victim().name());
        OomTask python = kill.largerThanTheVictim().orElseThrow();
        assertEquals("python3", python.name());
        assertEquals(new Bytes(8_371_000L * 65_536), python.rss());
        assertEquals(new OomScope.OfCgroup("/kubepods.slice/pod1:cri:a"), kill.scope());
        assertEquals(
                Optional.of(Bytes.ofGiB(512)),
                kill.cgroup().orElseThrow().memory().orElseThrow().limit());
    }

    @Test
    void linux_5_10_a_name_may_hold_blanks_and_brackets() {
        OomKill kill = only(DebianKernelText.LINUX_5_10);
        assertEquals("llama-server", kill.victim().name());
        assertTrue(kill.tasks().stream().anyMatch(task -> task.name().equals("tokio (w) 1") && task.pid() == 81));
    }

    @Test
    void linux_5_4_a_name_and_a_cgroup_may_hold_commas_and_others_write_between_the_lines() {
        OomKill kill = only(OlderKernelText.LINUX_5_4);
        assertEquals("python (tp 0, r 1)", kill.victim().name());
        assertEquals(Optional.of("/user.slice/a,b=c"), kill.victim().cgroup());
        assertEquals(new OomScope.OfTheHost(Nodes.CPUSET), kill.scope());
        assertEquals(2, kill.tasks().size());
        assertEquals(Optional.of("ray::IDLE"), kill.invokedBy());
        assertEquals(OptionalLong.of(1000), kill.victim().uid());
    }

    @Test
    void linux_4_19_a_child_dies_for_the_chosen_one_and_the_group_after_it() {
        OomKill kill = only(OlderKernelText.LINUX_4_19);
        assertEquals(new OomScope.OfCgroup("/kubepods/pod951/024952"), kill.scope());
        assertEquals(
                List.of(62_769, 62_685),
                kill.killed().stream().map(OomVictim::pid).toList());
        assertEquals(kib(503_344), kill.cgroup().orElseThrow().shmem());
        assertEquals(OptionalInt.of(-998), kill.victim().oomScoreAdj());
    }

    @Test
    void linux_4_15_by_the_wall_clock_has_no_time_since_boot() {
        OomKill kill = only(OlderKernelText.LINUX_4_15);
        assertEquals(Optional.empty(), kill.sinceBoot());
        assertEquals(new OomScope.OfTheHost(Nodes.ALL), kill.scope());
        assertEquals(Optional.of("systemd-journal"), kill.invokedBy());
        assertEquals(kib(62_809_332), kill.victim().anonRss());
        assertEquals(OptionalLong.of(1000), kill.victim().uid());
        OomHostMemory host = kill.host().orElseThrow();
        assertEquals(Optional.of(Bytes.ofPages(400_000)), host.shmem());
        assertEquals(Optional.of(Bytes.ofPages(66_220)), host.free());
        assertEquals(kib(2_097_148), host.swapTotal());
        assertEquals(kib(0), host.swapFree());
        assertEquals(Bytes.ofPages(500_000), kill.largest().orElseThrow().swap());
    }

    @Test
    void linux_3_10_the_lines_of_the_cgroups_below_the_limit_are_added_up() {
        OomKill kill = only(OlderKernelText.LINUX_3_10);
        assertEquals(new OomScope.OfCgroup("/docker/pod"), kill.scope());
        assertEquals("java worker", kill.victim().name());
        assertEquals(28_438, kill.victim().pid());
        assertEquals(Optional.of("/docker/pod/c1"), kill.victim().cgroup());
        OomCgroup cgroup = kill.cgroup().orElseThrow();
        assertEquals(kib(524_188), cgroup.anonymous());
        assertEquals(kib(100), cgroup.pageCache());
        assertEquals(kib(16), cgroup.mapped());
        assertEquals(kib(1_048_576), cgroup.memoryAndSwap().orElseThrow().limit());
        assertEquals(Bytes.ofPages(1_961 + 100_000), kill.tasks().getFirst().held());
        assertEquals("java worker", kill.largest().orElseThrow().name());
    }

    @Test
    void a_kill_of_which_only_the_last_line_was_written_says_a_cgroup_but_not_which() {
        OomKill kill = only("[ 5.0] Memory cgroup out of memory: Killed process 9 (x) total-vm:8kB, anon-rss:4kB");
        assertEquals(new OomScope.OfUnnamedCgroup(), kill.scope());
        assertEquals(kib(8), kill.victim().totalVm());
        assertEquals(kib(4), kill.victim().anonRss());
        assertEquals(Optional.empty(), kill.victim().fileRss());
        assertEquals(List.of(), kill.tasks());
    }

    @Test
    void a_number_at_which_the_line_breaks_off_is_not_taken_for_whole() {
        OomVictim victim =
                only("Killed process 9 (x) total-vm:1498536kB, anon-rss:72").victim();
        assertEquals(kib(1_498_536), victim.totalVm());
        assertEquals(Optional.empty(), victim.anonRss());
        assertEquals(
                List.of(),
                OomReports.in(log("oom-kill:constraint=CONSTRAINT_MEMCG,oom_memcg=/a,task_memcg=/a,task=x,pid=4")));
    }

    @Test
    void linux_5_0_writes_the_old_and_the_new_line_for_one_kill() {
        OomKill kill = only("""
                [ 1.0] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/a,task_memcg=/a/b,task=sh,pid=5,uid=0
                [ 1.0] Memory cgroup out of memory: Kill process 5 (sh) score 900 or sacrifice child
                [ 1.0] Killed process 6 (python) total-vm:8kB, anon-rss:4kB, file-rss:0kB, shmem-rss:0kB
                """);
        assertEquals("python", kill.victim().name());
        assertEquals(new OomScope.OfCgroup("/a"), kill.scope());
        assertEquals(Optional.of("/a/b"), kill.victim().cgroup());
    }

    @Test
    void memory_policies_and_rhel_6_have_their_own_words() {
        OomKill bound = only("No available memory (MPOL_BIND): Kill process 9 (x) score 1 or sacrifice child\n"
                + "Killed process 9, UID 679, (x) total-vm:8kB, anon-rss:4kB, file-rss:0kB");
        assertEquals(new OomScope.OfTheHost(Nodes.MEMORY_POLICY), bound.scope());
        assertEquals(OptionalLong.of(679), bound.victim().uid());
        assertEquals(
                new OomScope.NotSaid(),
                only("oom_reaper: reaped process 7 (x), now anon-rss:0kB").scope());
    }
}
