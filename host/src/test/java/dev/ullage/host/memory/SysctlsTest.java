// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.memory;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.Host;
import dev.ullage.host.Recorded;
import dev.ullage.measure.AbsentCause;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SysctlsTest {
    private static Sysctls read(String... files) {
        return Sysctls.FACT.read(Recorded.host(files), Host.THE_HOST).orThrow();
    }

    @Test
    void settings_are_read_by_their_sysctl_name() {
        Sysctls sysctls = read(
                "proc/sys/vm/overcommit_memory", "2\n",
                "proc/sys/vm/max_map_count", "65530\n",
                "proc/sys/vm/min_free_kbytes", "67584\n",
                "proc/sys/kernel/task_delayacct", "0\n");
        assertEquals(OptionalLong.of(2), sysctls.number("vm.overcommit_memory"));
        assertEquals(OptionalLong.of(65_530), sysctls.number("vm.max_map_count"));
        assertEquals(Optional.of("0"), sysctls.get("kernel.task_delayacct"));
    }

    @Test
    void a_setting_of_several_numbers_is_its_first() {
        assertEquals(
                OptionalLong.of(1984),
                read("proc/sys/fs/file-nr", "1984\t0\t9223372036854775807\n").number("fs.file-nr"));
    }

    @Test
    void a_setting_that_is_not_there_or_no_number_is_none() {
        Sysctls sysctls = read("proc/sys/vm/swappiness", "\n", "proc/sys/vm/dirty_ratio", "lots\n");
        assertEquals(OptionalLong.empty(), sysctls.number("vm.swappiness"));
        assertEquals(OptionalLong.empty(), sysctls.number("vm.dirty_ratio"));
        assertEquals(OptionalLong.empty(), sysctls.number("vm.panic_on_oom"));
        assertEquals(Optional.empty(), sysctls.get("vm.panic_on_oom"));
    }

    @Test
    void a_host_where_none_can_be_read_says_why() {
        var refused = Recorded.host("recorded/absent", "/proc/sys\tno-permission\topening it said EACCES\n");
        assertEquals(AbsentCause.NO_PERMISSION, causeOf(Sysctls.FACT.read(refused, Host.THE_HOST)));
    }
}
