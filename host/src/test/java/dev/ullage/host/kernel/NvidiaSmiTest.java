// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.ullage.host.kernel.HostPrograms.Ran;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class NvidiaSmiTest {
    @Test
    void what_it_prints_when_it_fails_is_an_answer() {
        Reading<String> answer =
                NvidiaSmi.tell(Optional.of(new Ran("Failed to initialize NVML: Unknown Error\n", OptionalInt.of(255))));

        assertEquals("Failed to initialize NVML: Unknown Error\n", answer.orThrow());
    }

    @Test
    void one_that_hangs_is_timed_out() {
        Absent<?> absent =
                assertInstanceOf(Absent.class, NvidiaSmi.tell(Optional.of(new Ran("", OptionalInt.empty()))));

        assertEquals(AbsentCause.TIMED_OUT, absent.cause());
        assertEquals("it did not end within 10 s: the driver is stuck", absent.detail());
    }

    @Test
    void one_that_is_not_there_or_says_nothing_says_so() {
        assertEquals(
                "there is none in a folder of the system that only root can write to",
                assertInstanceOf(Absent.class, NvidiaSmi.tell(Optional.empty())).detail());
        assertEquals(
                "it printed nothing and ended with status 9",
                assertInstanceOf(Absent.class, NvidiaSmi.tell(Optional.of(new Ran(" \n", OptionalInt.of(9)))))
                        .detail());
    }

    @Test
    void a_program_that_fails_is_told_apart_from_one_that_takes_too_long() {
        Ran failed = HostPrograms.run(List.of("false"), 20, 100).orElseThrow();
        assertEquals(OptionalInt.of(1), failed.exit());

        Ran late = HostPrograms.run(List.of("sleep", "60"), 1, 100).orElseThrow();
        assertEquals(OptionalInt.empty(), late.exit());

        Ran talkative = HostPrograms.run(List.of("seq", "100000"), 20, 100).orElseThrow();
        assertEquals(OptionalInt.empty(), talkative.exit());
    }
}
