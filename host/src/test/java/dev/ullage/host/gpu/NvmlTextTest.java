// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class NvmlTextTest {
    private static List<Gpu> gpus(String text) {
        return NvmlText.parse(text).orThrow();
    }

    private static AbsentCause cause(Reading<?> reading) {
        return assertInstanceOf(Absent.class, reading).cause();
    }

    @Test
    void a_line_that_is_missing_was_not_asked_for() {
        Gpu gpu = gpus("gpu 0 NVIDIA L4\nmemory total=100 used=60 free=40\n").getFirst();

        assertEquals(new Bytes(60), gpu.memory().orThrow().used());
        assertEquals(AbsentCause.NOT_RECORDED, cause(gpu.processes()));
        assertEquals(AbsentCause.NOT_RECORDED, cause(gpu.health().celsius()));
        assertEquals(AbsentCause.NOT_RECORDED, cause(gpu.nvidia().orElseThrow().mig()));
    }

    @Test
    void nobody_on_a_gpu_is_an_empty_list_and_not_an_absent_one() {
        assertEquals(
                List.of(),
                gpus("gpu 0 NVIDIA L4\nprocesses\n").getFirst().processes().orThrow());
    }

    @Test
    void everything_absent_means_what_has_no_line_of_its_own() {
        Gpu gpu = gpus("""
                gpu 0 NVIDIA L4
                memory total=100 used=60 free=40
                absent ecc not-configured ECC is switched off
                absent everything timed-out nvmlDeviceGetName did not return within 5.0 s
                """).getFirst();

        assertTrue(gpu.memory().isPresent());
        assertEquals(AbsentCause.NOT_CONFIGURED, cause(gpu.health().ecc()));
        assertEquals(AbsentCause.TIMED_OUT, cause(gpu.processes()));
        assertEquals(
                "libnvidia-ml.so.1 processes",
                assertInstanceOf(Absent.class, gpu.processes()).source());
        assertEquals(AbsentCause.TIMED_OUT, cause(gpu.nvidia().orElseThrow().power()));
    }

    @Test
    void a_gpu_without_a_name_has_none() {
        Gpu gpu = gpus("driver 550\ngpu 3\nabsent everything vanished gone\n").getFirst();

        assertEquals("GPU 0 (NVIDIA)", gpu.shown());
        assertEquals("550", gpu.driver());
    }

    @Test
    void numbers_that_are_none_are_malformed_and_say_what_was_found() {
        Gpu gpu = gpus("""
                gpu 0 NVIDIA L4
                memory total=many used=60 free=40
                load compute=high
                celsius warm
                power limit=7
                process pid=x kind=compute memory=y
                processes
                """).getFirst();

        assertEquals(AbsentCause.MALFORMED, cause(gpu.memory()));
        assertTrue(assertInstanceOf(Absent.class, gpu.memory()).detail().contains("total=many"));
        assertEquals(AbsentCause.MALFORMED, cause(gpu.load()));
        assertEquals(AbsentCause.MALFORMED, cause(gpu.health().celsius()));
        assertEquals(AbsentCause.MALFORMED, cause(gpu.nvidia().orElseThrow().power()));
        assertFalse(gpu.processes().orThrow().getFirst().memory().isPresent());
    }

    @Test
    void an_instance_whose_memory_is_not_told_is_there_without_it() {
        Gpu gpu = gpus("""
                gpu 0 NVIDIA A100
                instance 7 MIG-aaaa
                instance 9 MIG-bbbb total=100 used=60 free=40
                process pid=1 kind=compute memory=50 instance=1
                processes
                """).getFirst();

        assertFalse(gpu.instances().get(0).memory().isPresent());
        assertEquals(9, gpu.instances().get(1).gpuInstance());
        assertEquals(OptionalInt.of(1), gpu.processes().orThrow().getFirst().instance());
    }

    @Test
    void hostile_text_is_read_without_harm() {
        String lines =
                "gpu\n" + "process\ninstance\nabsent\nabsent x\nmemory\nuuid\n\n \u0000\nmig current=\n".repeat(20_000);
        String wide = "gpu 0 x\nprocess " + "pid=1 ".repeat(200_000) + "\nabsent " + "y ".repeat(200_000);

        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            assertEquals(1, gpus(lines).size());
            assertEquals(1, gpus(wide).size());
            assertEquals(0, gpus("").size());
            assertEquals(0, gpus("no gpu at all\nmemory total=1").size());
        });
    }

    @Test
    void chips_with_the_hosts_memory_are_known_by_name() {
        for (String name : List.of("NVIDIA GB10", "Orin (nvgpu)", "NVIDIA Jetson AGX Thor", "NVIDIA N1X"))
            assertTrue(NvmlText.isUnified(name), name);
        for (String name : List.of("NVIDIA GB100", "NVIDIA GH200 480GB", "NVIDIA H100", "NVIDIA Thorium", ""))
            assertFalse(NvmlText.isUnified(name), name);
    }
}
