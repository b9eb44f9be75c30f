// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.ullage.host.Host;
import dev.ullage.host.MemoryTree;
import dev.ullage.host.RecordedHost;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GpusTest {
    private static final String NVML = """
            driver 550.54.15
            gpu 0 NVIDIA L4
            memory total=100 used=60 free=40
            """;

    private static Reading<Gpus> read(Map<String, String> files) {
        return Gpus.FACT.read(new RecordedHost(new MemoryTree(new TreeMap<>(files))).at(0), Host.THE_HOST);
    }

    @Test
    void the_library_is_believed_before_the_program() {
        Gpus gpus = read(Map.of("recorded/nvml", NVML, "recorded/nvidia-smi", NvidiaSmiXmlTest.text("r550-h100")))
                .orThrow();

        assertEquals("NVIDIA L4", gpus.gpus().getFirst().name());
        assertEquals(new Bytes(60), gpus.gpus().getFirst().memory().orThrow().used());
    }

    @Test
    void where_the_library_could_not_be_loaded_the_program_tells() {
        String absent = "/recorded/nvml\tnot-present\tnot in /usr/lib64\n";
        Gpus gpus = read(Map.of("recorded/absent", absent, "recorded/nvidia-smi", NvidiaSmiXmlTest.text("r550-h100")))
                .orThrow();

        assertEquals("NVIDIA H100 80GB HBM3", gpus.gpus().getFirst().name());
    }

    @Test
    void a_driver_that_is_stuck_is_not_asked_again_by_another_program() {
        String absent = "/recorded/nvml\ttimed-out\tnvmlInit_v2 did not return within 10.0 s: the driver is stuck\n";
        Reading<Gpus> reading =
                read(Map.of("recorded/absent", absent, "recorded/nvidia-smi", NvidiaSmiXmlTest.text("r550-h100")));

        assertEquals(
                AbsentCause.TIMED_OUT, assertInstanceOf(Absent.class, reading).cause());
    }

    @Test
    void with_neither_the_reason_is_the_librarys() {
        String absent = "/recorded/nvml\tnot-present\tnot in /usr/lib64\n/recorded/nvidia-smi\tnot-present\tnone\n";
        Absent<?> reading = assertInstanceOf(
                Absent.class,
                read(Map.of(
                        "recorded/absent", absent, "proc/driver/nvidia/gpus/0000:3b:00.0/information", "Model: H100")));

        assertEquals("not in /usr/lib64", reading.detail());
        assertEquals("libnvidia-ml.so.1", reading.source());
    }
}
