// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.ullage.host.HostileText;
import dev.ullage.host.storage.RaidArrays.Work;
import dev.ullage.measure.Ratio;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RaidArraysTest {
    @Test
    void a_disk_that_is_rebuilt_is_seen_with_its_progress_and_end() {
        // Linux 6.1, mdadm --add after a failed disk
        assertEquals(
                List.of(new Work("md127", "recovery", Ratio.ofPercent(12.6), "127.5min")),
                RaidArrays.parse("""
                        Personalities : [raid1] [linear] [multipath] [raid0] [raid6] [raid5] [raid4] [raid10]\s
                        md127 : active raid5 sdd1[4] sdc1[2] sdb1[1] sda1[0]
                              2929890816 blocks super 1.2 level 5, 512k chunk, algorithm 2 [4/3] [UUU_]
                              [==>..................]  recovery = 12.6% (123456789/976630272) finish=127.5min speed=111456K/sec
                              bitmap: 3/8 pages [12KB], 65536KB chunk

                        md0 : active raid1 nvme1n1p2[1] nvme0n1p2[0]
                              976630464 blocks super 1.2 [2/2] [UU]
                              bitmap: 0/8 pages [0KB], 65536KB chunk

                        unused devices: <none>
                        """).arrays());
    }

    @Test
    void checks_and_resyncs_count_and_each_belongs_to_its_array() {
        // Linux 3.10: the monthly check of Debian and RHEL, and an array that waits for it
        assertEquals(
                List.of(
                        new Work("md1", "check", Ratio.ofPercent(0.0), "1627.8min"),
                        new Work("md_d2", "reshape", Ratio.ofPercent(100), "0.0min")),
                RaidArrays.parse("""
                        Personalities : [raid1]
                        md1 : active raid1 sdb2[1] sda2[0]
                              1953382336 blocks super 1.0 [2/2] [UU]
                              [>....................]  check =  0.0% (12345/1953382336) finish=1627.8min speed=20000K/sec

                        md3 : active (auto-read-only) raid1 sdb3[1] sda3[0]
                              1953382336 blocks super 1.0 [2/2] [UU]
                              	resync=PENDING

                        md_d2 : active raid6 sdf[5] sde[4]
                              [=====================>]  reshape =100.0% (10/10) finish=0.0min speed=1K/sec
                        """).arrays());
    }

    @Test
    void an_array_that_waits_its_turn_or_was_stopped_takes_no_time_of_the_disks() {
        assertEquals(List.of(), RaidArrays.parse("""
                md0 : active raid1 sdb1[1] sda1[0]
                      976630464 blocks super 1.2 [2/2] [UU]
                      	resync=DELAYED

                md5 : inactive sdc1[0](S)
                      976630464 blocks super 1.2
                """).arrays());
        assertEquals(
                List.of(),
                RaidArrays.parse("Personalities : \nunused devices: <none>\n").arrays());
    }

    @Test
    void an_end_that_is_not_told_is_not_the_whole_line() {
        assertEquals(
                "an unknown time",
                RaidArrays.parse("md0 : active raid1 sda1[0]\n      [=>...]  resync = 5.5% (1/2)\n")
                        .arrays()
                        .getFirst()
                        .finish());
    }

    @Test
    void progress_of_no_array_and_hostile_text_are_nothing() {
        assertEquals(
                List.of(),
                RaidArrays.parse("  [=>..]  recovery = 12.6% (1/2) finish=1min\n")
                        .arrays());
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            for (String text : HostileText.ALL) RaidArrays.parse("md0 : active\n" + text);
            RaidArrays.parse("md0 : active\n" + ("recovery = 1" + "1".repeat(380) + "%\n").repeat(2000));
            RaidArrays.parse("md0 : active\n" + ("recovery = 1%" + " finish=".repeat(45) + "\n").repeat(2000));
        });
    }
}
