// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.NvmlText;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A driver that is stuck, and libraries that do not load.
class NvmlHangTest {
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @Test
    void a_driver_that_never_initialises_is_timed_out_and_names_the_call() throws IOException {
        Nvml nvml = Nvml.of(FakeNvml.library(folder, "hang nvmlInit_v2\ngpu NVIDIA H100\n"), SHORT, LONG);

        nvml.open();
        Reading<String> answer = nvml.ask();

        NvmlTest.assertAbsent(
                AbsentCause.TIMED_OUT, "nvmlInit_v2 did not return within 3.0 s: the driver is stuck", answer);
        // No second try: it would take a second thread and a second wait.
        long begun = System.nanoTime();
        assertSame(answer, nvml.ask());
        nvml.open();
        assertTrue(System.nanoTime() - begun < SHORT.toNanos());
    }

    @Test
    void what_was_told_before_the_driver_got_stuck_is_kept() throws IOException {
        Nvml nvml = Nvml.of(FakeNvml.library(folder, """
                        driver 550.54
                        gpu NVIDIA H100
                        memory 1000 0 400 600
                        celsius 40
                        gpu NVIDIA A100
                        uuid GPU-1
                        memory 2000 0 1500 500
                        process 12 compute 400
                        hang nvmlDeviceGetUtilizationRates
                        gpu NVIDIA L4
                        memory 3000 0 3000 0
                        """), LONG, Duration.ofSeconds(2));

        List<Gpu> gpus = NvmlText.parse(nvml.ask().orThrow()).orThrow();

        String why = "nvmlDeviceGetUtilizationRates did not return within 2.0 s: the driver is stuck";
        assertEquals(3, gpus.size());
        assertEquals(40, gpus.get(0).health().celsius().orThrow());
        assertEquals(new Bytes(500), gpus.get(1).memory().orThrow().used());
        assertEquals(12, gpus.get(1).processes().orThrow().getFirst().pid());
        NvmlTest.assertAbsent(AbsentCause.TIMED_OUT, why, gpus.get(1).load());
        NvmlTest.assertAbsent(AbsentCause.TIMED_OUT, why, gpus.get(1).pcie());
        NvmlTest.assertAbsent(AbsentCause.TIMED_OUT, why, gpus.get(2).memory());
        // At the next instant as well, and at once.
        assertEquals(nvml.ask(), nvml.ask());
    }

    @Test
    void a_driver_that_gets_stuck_counting_its_gpus_is_timed_out() throws IOException {
        Nvml nvml = Nvml.of(FakeNvml.library(folder, "hang nvmlDeviceGetCount_v2\ngpu NVIDIA H100\n"), LONG, SHORT);

        NvmlTest.assertAbsent(
                AbsentCause.TIMED_OUT,
                "nvmlDeviceGetCount_v2 did not return within 3.0 s: the driver is stuck",
                nvml.ask());
    }

    @Test
    void a_driver_that_is_slow_to_wake_up_is_waited_for() throws IOException {
        Nvml nvml = Nvml.of(
                FakeNvml.library(folder, "slow nvmlInit_v2 900\ngpu NVIDIA L4\nmemory 100 0 50 50\n"), LONG, LONG);

        assertEquals(
                new Bytes(50),
                NvmlText.parse(nvml.ask().orThrow())
                        .orThrow()
                        .getFirst()
                        .memory()
                        .orThrow()
                        .used());
    }

    @Test
    void a_driver_of_another_version_than_its_library_says_so_and_is_asked_again_in_the_next_window()
            throws IOException {
        Path library = FakeNvml.library(folder, "fail nvmlInit_v2 18\ngpu NVIDIA L4\nmemory 100 0 50 50\n");
        Nvml nvml = FakeNvml.patient(library);

        NvmlTest.assertAbsent(
                AbsentCause.NOT_CONFIGURED,
                "nvmlInit_v2 said NVML_ERROR_LIB_RM_VERSION_MISMATCH: library and kernel module are of different"
                        + " versions: the driver was updated and not reloaded",
                nvml.ask());
        Files.writeString(folder.resolve("libnvidia-ml.so.1.script"), "gpu NVIDIA L4\nmemory 100 0 50 50\n");
        nvml.open();
        assertTrue(nvml.ask().isPresent());
    }

    @Test
    void a_file_that_is_no_library_is_refused_with_its_name() throws IOException {
        Path library = Files.writeString(folder.resolve("libnvidia-ml.so.1"), "no library at all");

        NvmlTest.assertAbsent(
                AbsentCause.NOT_PRESENT,
                "the linker refused " + library + ": another processor's, broken, or a library it needs is missing",
                FakeNvml.patient(library).ask());
    }

    @Test
    void code_that_others_than_root_can_write_is_not_run_as_root() throws IOException {
        Path library = Files.writeString(folder.resolve("libnvidia-ml.so.1"), "");

        // The folder of a test lies in one where everybody may write.
        assertTrue(NvmlFiles.refusal(library, true).orElseThrow().contains("written to by others than root"));
        assertTrue(NvmlFiles.refusal(library, false).isEmpty());
        assertTrue(NvmlFiles.refusal(Path.of("/bin/sh"), true).isEmpty());
    }

    @Test
    void a_host_without_an_nvidia_device_is_not_asked() {
        // This machine has none; where one has, its answer is a text.
        Reading<String> answer = Nvml.ofThisHost().ask();

        if (NvmlFiles.hasDevice()) assertTrue(answer.isPresent(), answer.toString());
        else NvmlTest.assertAbsent(AbsentCause.NOT_PRESENT, "this host has no NVIDIA device", answer);
    }
}
