// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static dev.ullage.host.Absence.causeOf;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.measure.AbsentCause;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProcessLimitsTest {
    private static final String LINUX_6_18 = """
            Limit                     Soft Limit           Hard Limit           Units    \s
            Max cpu time              unlimited            unlimited            seconds  \s
            Max stack size            8388608              unlimited            bytes    \s
            Max core file size        0                    unlimited            bytes    \s
            Max processes             96365                96365                processes\s
            Max open files            20000                20000                files    \s
            Max locked memory         8388608              8388608              bytes    \s
            Max address space         unlimited            unlimited            bytes    \s
            Max pending signals       96365                96365                signals  \s
            Max nice priority         0                    0                   \s
            Max realtime timeout      unlimited            unlimited            us       \s
            """;

    @Test
    void soft_limits_are_read_and_the_hard_ones_are_not() {
        ProcessLimits limits = ProcessLimits.parse(LINUX_6_18).orThrow();
        assertEquals(OptionalLong.of(20_000), limits.openFiles());
        assertEquals(OptionalLong.of(8 << 20), limits.lockedMemory());
        assertEquals(OptionalLong.empty(), limits.addressSpace());
        assertEquals(0, limits.soft().get("Max core file size"));
        assertEquals(0, limits.soft().get("Max nice priority"));
    }

    @Test
    void ulimit_v_is_a_limit_on_the_address_space() {
        // RHEL 7, Linux 3.10, after ulimit -v 2000000 -l 64
        ProcessLimits limits = ProcessLimits.parse("""
                Limit                     Soft Limit           Hard Limit           Units
                Max locked memory         65536                65536                bytes
                Max address space         2048000000           2048000000           bytes
                """).orThrow();
        assertEquals(OptionalLong.of(2_048_000_000), limits.addressSpace());
        assertEquals(OptionalLong.of(65_536), limits.lockedMemory());
    }

    @Test
    void a_table_that_breaks_off_gives_what_it_has() {
        ProcessLimits limits = ProcessLimits.parse(LINUX_6_18.substring(0, LINUX_6_18.indexOf("Max locked") + 20))
                .orThrow();
        assertEquals(OptionalLong.of(20_000), limits.openFiles());
        assertEquals(OptionalLong.empty(), limits.lockedMemory());
    }

    @Test
    void a_file_without_its_heading_is_malformed() {
        assertEquals(AbsentCause.MALFORMED, causeOf(ProcessLimits.parse("")));
        assertEquals(AbsentCause.MALFORMED, causeOf(ProcessLimits.parse("Max open files 1024 1024 files\n")));
    }
}
