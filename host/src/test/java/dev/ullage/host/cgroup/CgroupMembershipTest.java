// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.cgroup;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.measure.AbsentCause;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CgroupMembershipTest {
    private static CgroupMembership of(String text) {
        return CgroupMembership.parse(text).orThrow();
    }

    @Test
    void a_process_of_linux_3_10_is_in_many_hierarchies() {
        CgroupMembership member = of("""
                11:memory:/docker/3f1c
                10:blkio:/docker/3f1c
                4:cpuacct,cpu:/docker/3f1c
                1:name=systemd:/docker/3f1c
                """);
        assertEquals(Optional.of("/docker/3f1c"), member.v1Path("cpu"));
        assertEquals(Optional.of("/docker/3f1c"), member.v1Path("cpuacct"));
        assertEquals(Optional.empty(), member.v2Path());
    }

    @Test
    void a_process_of_linux_6_8_is_in_one() {
        CgroupMembership member = of("0::/user.slice/user-1000.slice/user@1000.service/app.slice/ollama.service\n");
        assertEquals(
                Optional.of("/user.slice/user-1000.slice/user@1000.service/app.slice/ollama.service"), member.v2Path());
        assertEquals(Optional.empty(), member.v1Path("memory"));
    }

    @Test
    void only_the_first_two_colons_count() {
        assertEquals(Optional.of("/kubepods/x:y:z"), of("0::/kubepods/x:y:z\n").v2Path());
        assertEquals(Optional.of("/a b (c)"), of("4:memory:/a b (c)\n").v1Path("memory"));
    }

    @Test
    void a_cgroup_that_was_deleted_is_named_as_it_was() {
        assertEquals(Optional.of("/a"), of("3:memory:/a (deleted)\n").v1Path("memory"));
        assertEquals(Optional.of("/"), of("0::/ (deleted)\n").v2Path());
    }

    @Test
    void half_a_file_is_read_as_far_as_it_goes_and_nothing_is_malformed() {
        CgroupMembership member = of("4:memory:/docker/3f1c\n2:cpu,cpu");
        assertEquals(Optional.of("/docker/3f1c"), member.v1Path("memory"));
        for (String text : List.of("", "\n", "0:", "memory:/a", "\0"))
            assertEquals(AbsentCause.MALFORMED, causeOf(CgroupMembership.parse(text)), text);
    }
}
