// SPDX-License-Identifier: Apache-2.0
package dev.ullage.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.diagnosis.Diagnosis.CouldNotSee;
import dev.ullage.diagnosis.Diagnosis.LayerStatus;
import dev.ullage.diagnosis.rules.CalmHost;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuLayerTest {
    private static final long GIB = 1L << 30;

    private static String gpu(int index, long total, long used, String more) {
        return "gpu " + index + " NVIDIA H100\nmemory total=" + total + " used=" + used + " free=" + (total - used)
                + " reserved=1\nprocesses\n" + more;
    }

    private static CalmHost nvidia(String text) {
        return new CalmHost()
                .with("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: NVIDIA H100\n")
                .with("recorded/nvml", text);
    }

    private static LayerStatus layer(Diagnosis diagnosis) {
        return diagnosis.layers().stream()
                .filter(l -> l.layer() == Layer.GPU_MEMORY)
                .findFirst()
                .orElseThrow();
    }

    private static void unknown(String because, CalmHost host) {
        Diagnosis diagnosis = host.diagnosis();
        assertEquals(new LayerStatus(Layer.GPU_MEMORY, Status.UNKNOWN, because), layer(diagnosis));
        assertEquals(Status.UNKNOWN, diagnosis.status());
    }

    private static List<CouldNotSee> notSeen(CalmHost host) {
        return host.diagnosis().couldNotSee().stream()
                .filter(c -> c.what().contains("GPU"))
                .toList();
    }

    @Test
    void a_full_card_that_its_server_fills_is_healthy_and_the_line_says_so() {
        Diagnosis diagnosis = nvidia(
                        gpu(0, 80 * GIB, 72 * GIB, "process pid=812 kind=compute memory=" + 72 * GIB + "\n"))
                .diagnosis();
        assertEquals(
                new LayerStatus(Layer.GPU_MEMORY, Status.HEALTHY, "VRAM 72.0 of 80.0 GiB in use by llama-server"),
                layer(diagnosis));
        assertTrue(
                diagnosis.numbers().contains(", VRAM 72.0 of 80.0 GiB in use by llama-server, "), diagnosis::numbers);
    }

    @Test
    void many_cards_are_one_clause() {
        String server = "process pid=812 kind=compute memory=" + 69 * GIB + "\nprocess pid=900 kind=compute memory=1\n";
        assertEquals(
                "2 GPUs, VRAM 70.0–72.0 of 80.0 GiB in use by llama-server",
                layer(nvidia(gpu(0, 80 * GIB, 72 * GIB, server) + gpu(1, 80 * GIB, 70 * GIB, server))
                                .diagnosis())
                        .because());
        assertEquals(
                "2 GPUs, VRAM 512.0 MiB–72.0 GiB of 24.0–80.0 GiB in use by a process that has ended",
                layer(nvidia(gpu(0, 80 * GIB, 72 * GIB, "process pid=7777 memory=1\n") + gpu(1, 24 * GIB, GIB / 2, ""))
                                .diagnosis())
                        .because());
    }

    @Test
    void a_host_without_a_gpu_has_no_such_layer_and_nothing_was_missed() {
        assertEquals(new LayerStatus(Layer.GPU_MEMORY, Status.ABSENT, "no GPU"), layer(new CalmHost().diagnosis()));
        assertEquals(List.of(), notSeen(new CalmHost()));
    }

    @Test
    void memory_that_is_the_hosts_is_said_and_not_judged() {
        Diagnosis diagnosis = nvidia("gpu 0 NVIDIA GB10\nabsent memory not-configured it shares the host's\n")
                .diagnosis();
        assertEquals(
                new LayerStatus(Layer.GPU_MEMORY, Status.ABSENT, "GPU shares the host's memory"), layer(diagnosis));
        assertEquals(Status.HEALTHY, diagnosis.status());
    }

    @Test
    void a_container_with_the_device_and_without_the_library_is_told_what_to_give_it() {
        CalmHost host = new CalmHost()
                .with(".dockerenv", "")
                .with("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: NVIDIA H100\n")
                .with("at-0.000/recorded/absent", "/recorded/nvml\tnot-present\tno libnvidia-ml.so.1\n");
        unknown("1 NVIDIA GPU, libnvidia-ml.so.1: not-present", host);
        assertTrue(notSeen(host).getFirst().wouldHelp().contains("NVIDIA_DRIVER_CAPABILITIES"), () -> notSeen(host)
                .toString());
    }

    @Test
    void an_amd_card_without_numbers_was_not_seen() {
        unknown(
                "/sys/class/drm/card1/device/mem_info_vram_total: not-recorded",
                new CalmHost().with("sys/class/drm/card1/device/uevent", "DRIVER=amdgpu\nPCI_ID=1002:74A1\n"));
    }

    @Test
    void memory_that_nobody_is_told_to_hold_was_not_seen() {
        unknown(
                "libnvidia-ml.so.1 processes: no-permission",
                nvidia(
                        "gpu 0 NVIDIA H100\nmemory total=100 used=50 free=50\nabsent processes no-permission refused\n"));
    }

    @Test
    void one_card_of_two_that_tells_nothing_was_not_seen() {
        unknown(
                "libnvidia-ml.so.1: not-present",
                nvidia(gpu(0, 80 * GIB, GIB, ""))
                        .with("proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: NVIDIA H100\n"));
    }

    @Test
    void inside_a_container_processes_of_the_host_are_named_as_such() {
        CalmHost host = nvidia(gpu(0, 80 * GIB, 72 * GIB, "process pid=40123 kind=compute memory=" + 72 * GIB + "\n"))
                .with(".dockerenv", "");
        assertEquals(
                "VRAM 72.0 of 80.0 GiB in use by pid 40123 of the host",
                layer(host.diagnosis()).because());
        assertEquals(1, notSeen(host).size());
    }
}
