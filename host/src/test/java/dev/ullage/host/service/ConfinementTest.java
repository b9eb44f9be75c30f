// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.service;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Host;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import org.junit.jupiter.api.Test;

class ConfinementTest {
    private static final String V2 = "31 27 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";

    private static Reading<Confinement> reading(String... pathsAndTexts) {
        return Confinement.FACT.read(Recorded.host(pathsAndTexts), Host.THE_HOST);
    }

    private static Confinement of(String mounts, String... pathsAndTexts) {
        String[] all = java.util.Arrays.copyOf(pathsAndTexts, pathsAndTexts.length + 2);
        all[pathsAndTexts.length] = "proc/self/mountinfo";
        all[pathsAndTexts.length + 1] = mounts;
        return reading(all).orThrow();
    }

    @Test
    void a_host_is_no_container_and_its_root_cgroup_has_no_limit_file() {
        assertEquals(new Confinement(false, false), of(V2, "sys/fs/cgroup/memory.stat", "anon 1\n"));
    }

    @Test
    void every_runtime_leaves_its_mark() {
        for (String mark : new String[] {
            ".dockerenv",
            "run/.containerenv",
            "var/run/secrets/kubernetes.io/serviceaccount/namespace",
            "run/systemd/container"
        }) assertEquals(new Confinement(true, false), of(V2, mark, ""), mark);
        assertEquals(
                new Confinement(true, false),
                of(V2, "recorded/absent", "/run/.containerenv\tno-permission\topening it said EACCES\n"),
                "what may not be read is there");
    }

    @Test
    void in_a_cgroup_namespace_of_v2_the_root_that_is_seen_is_none() {
        assertEquals(new Confinement(true, true), of(V2, ".dockerenv", "", "sys/fs/cgroup/memory.max", "max\n"));
        assertEquals(
                new Confinement(true, true),
                of(V2, ".dockerenv", "", "sys/fs/cgroup/cgroup.type", "domain\n"),
                "where the memory controller is not handed down the limit lies above too");
        assertEquals(
                new Confinement(false, true),
                of(V2, "sys/fs/cgroup/memory.max", "1073741824\n"),
                "a sandbox without marks");
    }

    @Test
    void in_a_container_of_v1_the_mount_shows_a_part_of_the_hierarchy() {
        // Docker on RHEL 7
        assertEquals(
                new Confinement(true, true),
                of("35 31 0:31 /docker/3f1c /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n", ".dockerenv", ""));
        assertEquals(
                new Confinement(false, false), of("35 31 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"));
    }

    @Test
    void without_any_cgroup_file_system_nothing_hides() {
        assertEquals(new Confinement(true, false), of("27 1 254:0 / / rw - ext4 /dev/vda rw\n", ".dockerenv", ""));
    }

    @Test
    void mounts_that_could_not_be_read_leave_it_open() {
        assertEquals(AbsentCause.NOT_RECORDED, causeOf(reading(".dockerenv", "")));
    }
}
