// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.GpuLoad;
import dev.ullage.host.gpu.GpuProcess;
import dev.ullage.host.gpu.NvidiaDetails;
import dev.ullage.host.gpu.NvmlText;
import dev.ullage.host.gpu.PcieLink;
import dev.ullage.host.gpu.Vram;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The real way from a shared library to records; the library is the fake one.
class NvmlTest {
    static final String H100 = """
            driver 570.86.15
            cuda 12080
            gpu NVIDIA H100 80GB HBM3
            uuid GPU-0b1e2c3d-1111-2222-3333-444455556666
            pci 0 59 0
            memory 85520809984 642777088 6234832896 78643200000
            bar1 137438953472 137436725248 2228224
            process 812 compute 78110000000
            process 900 graphics 18446744073709551615
            sample 812 300 97 41
            load 97 41
            pcie 5 16 5 16 1024 2048
            throttling 4
            clock 1 1980 1980
            clock 2 2619 2619
            celsius 54
            power 312450 700000
            ecc 1 1 0 0 12 0
            rows 1 0 0 0
            persistence 1
            compute-mode 0
            addressing 1
            nvlink 1 1 1 0
            mig 0 0
            """;

    @TempDir
    Path folder;

    private List<Gpu> gpus(String script, String... without) throws IOException {
        Reading<String> text =
                FakeNvml.patient(FakeNvml.library(folder, script, without)).ask();
        return NvmlText.parse(text.orThrow()).orThrow();
    }

    @Test
    void what_is_asked_at_every_instant_is_memory_and_who_has_it_and_no_link_is_measured() throws IOException {
        String text =
                FakeNvml.patient(FakeNvml.library(folder, H100)).askMemory().orThrow();
        Gpu gpu = NvmlText.parse(text).orThrow().getFirst();

        assertEquals(new Bytes(78643200000L), gpu.memory().orThrow().used());
        assertEquals(
                List.of(Reading.of(new Bytes(78110000000L))),
                gpu.processes().orThrow().stream()
                        .filter(process -> process.pid() == 812)
                        .map(GpuProcess::memory)
                        .toList());
        assertFalse(gpu.pcie().isPresent(), text);
        assertFalse(text.contains("ecc") || text.contains("celsius"), text);
    }

    @Test
    void all_that_a_driver_tells_of_a_gpu_arrives_in_its_record() throws IOException {
        Gpu gpu = gpus(H100).getFirst();

        assertEquals("GPU 0 (NVIDIA H100 80GB HBM3)", gpu.shown());
        assertEquals("GPU-0b1e2c3d-1111-2222-3333-444455556666", gpu.uuid());
        assertEquals("0000:3b:00.0", gpu.pciAddress());
        assertEquals("570.86.15", gpu.driver());
        assertFalse(gpu.unifiedMemory());
        assertEquals(
                new Vram(
                        new Bytes(85520809984L),
                        new Bytes(78643200000L),
                        new Bytes(6234832896L),
                        new Bytes(642777088L)),
                gpu.memory().orThrow());
        assertEquals(
                new GpuLoad(Ratio.ofPercent(97), Ratio.ofPercent(41)),
                gpu.load().orThrow());
        PcieLink link = gpu.pcie().orThrow();
        assertEquals(5, link.generation());
        assertEquals(16, link.maxWidth());
        assertEquals(1048576, link.received().orThrow().bytesPerSecond());
        assertEquals(2097152, link.sent().orThrow().bytesPerSecond());
        assertEquals(54, gpu.health().celsius().orThrow());
        assertEquals(12, gpu.health().ecc().orThrow().correctedAggregate());
        assertEquals(1, gpu.health().repairs().orThrow().remappedRows());
        assertTrue(gpu.health().throttling().orThrow().isAtPowerLimit());
        assertEquals(1980, gpu.health().throttling().orThrow().maxClockMHz());

        NvidiaDetails details = gpu.nvidia().orElseThrow();
        assertEquals("12.8", details.cuda());
        assertEquals(
                new NvidiaDetails.Bar1(new Bytes(137438953472L), new Bytes(2228224)),
                details.bar1().orThrow());
        assertEquals(
                new NvidiaDetails.Power(312450, OptionalLong.of(700000)),
                details.power().orThrow());
        assertEquals(
                new NvidiaDetails.Clocks(1980, 1980, 2619, 2619),
                details.clocks().orThrow());
        assertEquals(new NvidiaDetails.Mode(true, true), details.eccMode().orThrow());
        assertEquals(new NvidiaDetails.Mode(false, false), details.mig().orThrow());
        assertTrue(details.persistence().orThrow());
        assertEquals("default", details.computeMode().orThrow());
        assertEquals("hmm", details.addressing().orThrow());
        assertEquals(new NvidiaDetails.NvLink(4, 3), details.nvlink().orThrow());
    }

    @Test
    void a_process_whose_memory_the_driver_does_not_know_has_none_that_is_known() throws IOException {
        List<GpuProcess> processes = gpus(H100).getFirst().processes().orThrow();

        GpuProcess graphics = process(processes, 900);
        assertEquals("graphics", graphics.kind());
        assertFalse(graphics.memory().isPresent());
        assertFalse(graphics.load().isPresent());
        GpuProcess compute = process(processes, 812);
        assertEquals(new Bytes(78110000000L), compute.memory().orThrow());
        assertEquals(Ratio.ofPercent(97), compute.load().orThrow().compute());
        assertEquals(2, processes.size());
    }

    @Test
    void a_process_in_two_lists_has_its_memory_once() throws IOException {
        List<GpuProcess> processes = gpus("""
                gpu NVIDIA RTX 4090
                memory 25757220864 400000000 20000000000 5357220864
                process 77 graphics 5000000000
                process 77 compute 5000000000
                process 78 compute 100
                process 78 mps 18446744073709551615
                """).getFirst().processes().orThrow();

        assertEquals(2, processes.size(), processes.toString());
        assertEquals("compute", process(processes, 77).kind());
        assertEquals("mps", process(processes, 78).kind());
        assertEquals(new Bytes(100), process(processes, 78).memory().orThrow());
    }

    @Test
    void entries_of_every_length_that_a_driver_has_used_are_read_right() throws IOException {
        for (String before : List.of("", "wipe\n"))
            for (String stride : List.of("16", "24", "32"))
                for (int count = 1; count <= 5; count++) {
                    StringBuilder script = new StringBuilder(before + "stride " + stride + "\n")
                            .append("gpu NVIDIA A100\nmemory 42949672960 0 42949672960 0\n");
                    List<Integer> pids = new ArrayList<>();
                    for (int i = 1; i <= count; i++) {
                        script.append("process ")
                                .append(100 + i)
                                .append(" compute ")
                                .append(1000 * i)
                                .append('\n');
                        pids.add(100 + i);
                    }
                    Files.createDirectories(folder);
                    List<GpuProcess> processes =
                            gpus(script.toString()).getFirst().processes().orThrow();

                    String what = count + " entries of " + stride + " bytes, " + before;
                    assertEquals(pids, processes.stream().map(GpuProcess::pid).toList(), what);
                    assertEquals(
                            new Bytes(1000L * count),
                            processes.getLast().memory().orThrow(),
                            what);
                    // Else the files of one turn would be those of the next.
                    folder = Files.createTempDirectory(folder, "next");
                }
    }

    @Test
    void a_process_in_the_first_instance_of_a_divided_gpu_is_listed_once() throws IOException {
        // Its numbers are 0 and 0: zeros that the library wrote.
        for (String before : List.of("", "wipe\n")) {
            Gpu gpu = gpus(before + """
                    gpu NVIDIA A100-SXM4-40GB
                    memory 42949672960 0 42749125632 200547328
                    mig 1 1
                    instance 0 MIG-aaaa 42000000000 0 41800000000 200000000
                    process 812 compute 200000000 0 0
                    """).getFirst();

            assertEquals(1, gpu.processes().orThrow().size(), gpu.processes().toString());
            assertEquals(OptionalInt.of(0), gpu.processes().orThrow().getFirst().instance());
            folder = Files.createTempDirectory(folder, "next");
        }
    }

    @Test
    void more_processes_than_there_was_room_for_are_all_listed() throws IOException {
        StringBuilder script = new StringBuilder("gpu NVIDIA A100\nmemory 100 0 50 50\n");
        for (int pid = 1; pid <= 700; pid++)
            script.append("process ").append(pid).append(" compute 1\n");

        assertEquals(
                700, gpus(script.toString()).getFirst().processes().orThrow().size());
    }

    @Test
    void what_the_driver_keeps_for_itself_is_not_counted_as_used_whichever_way_it_counts() throws IOException {
        // As the header says that version 2 counts: used with the reserved in it.
        Vram vram = gpus("""
                gpu NVIDIA H100
                memory 85520809984 642777088 6234832896 79285977088
                """).getFirst().memory().orThrow();

        assertEquals(new Bytes(78643200000L), vram.used());
        assertEquals(new Bytes(642777088L), vram.reserved());
    }

    @Test
    void memory_that_is_not_known_is_absent_and_not_zero() throws IOException {
        Gpu gpu = gpus("""
                gpu NVIDIA T4
                memory 18446744073709551615 18446744073709551615 18446744073709551615 18446744073709551615
                """).getFirst();

        Absent<?> absent = assertInstanceOf(Absent.class, gpu.memory());
        assertEquals(AbsentCause.NOT_CONFIGURED, absent.cause());
        assertFalse(gpu.unifiedMemory());
    }

    @Test
    void a_chip_without_memory_of_its_own_is_said_to_use_the_hosts() throws IOException {
        Gpu gpu = gpus("""
                driver 580.126.09
                gpu NVIDIA GB10
                uuid GPU-2dee1e25
                process 4711 compute 60000000000
                addressing 2
                """).getFirst();

        assertTrue(gpu.unifiedMemory());
        assertEquals(
                "nvmlDeviceGetMemoryInfo said NVML_ERROR_NOT_SUPPORTED: this GPU or its mode does not have it",
                assertInstanceOf(Absent.class, gpu.memory()).detail());
        assertEquals(
                new Bytes(60000000000L),
                gpu.processes().orThrow().getFirst().memory().orThrow());
        assertEquals("ats", gpu.nvidia().orElseThrow().addressing().orThrow());
    }

    @Test
    void an_old_driver_loses_what_it_lacks_and_not_the_gpu() throws IOException {
        Gpu gpu = gpus(
                        H100,
                        "nvmlInit_v2",
                        "nvmlSystemGetCudaDriverVersion_v2",
                        "nvmlDeviceGetCount_v2",
                        "nvmlDeviceGetHandleByIndex_v2",
                        "nvmlDeviceGetPciInfo_v3",
                        "nvmlDeviceGetMemoryInfo_v2",
                        "nvmlDeviceGetComputeRunningProcesses_v3",
                        "nvmlDeviceGetComputeRunningProcesses_v2",
                        "nvmlDeviceGetGraphicsRunningProcesses_v3",
                        "nvmlDeviceGetGraphicsRunningProcesses_v2",
                        "nvmlDeviceGetMPSComputeRunningProcesses_v3",
                        "nvmlDeviceGetMPSComputeRunningProcesses_v2",
                        "nvmlDeviceGetMPSComputeRunningProcesses",
                        "nvmlDeviceGetCurrentClocksEventReasons",
                        "nvmlDeviceGetTemperatureV",
                        "nvmlDeviceGetRemappedRows",
                        "nvmlDeviceGetMigMode",
                        "nvmlDeviceGetAddressingMode")
                .getFirst();

        // The first version counts the reserved as used.
        assertEquals(new Bytes(79285977088L), gpu.memory().orThrow().used());
        assertEquals(new Bytes(0), gpu.memory().orThrow().reserved());
        assertEquals("0000:3b:00.0", gpu.pciAddress());
        assertEquals(2, gpu.processes().orThrow().size());
        assertEquals(54, gpu.health().celsius().orThrow());
        assertEquals(4, gpu.health().throttling().orThrow().reasons());
        assertAbsent(
                AbsentCause.NOT_ON_THIS_KERNEL,
                "nvmlDeviceGetAddressingMode is not in this library",
                gpu.nvidia().orElseThrow().addressing());
        assertAbsent(
                AbsentCause.NOT_ON_THIS_KERNEL,
                "nvmlDeviceGetMigMode is not in this library",
                gpu.nvidia().orElseThrow().mig());
    }

    @Test
    void a_driver_without_the_function_that_counts_gpus_is_absent_and_says_which() throws IOException {
        Reading<String> answer = FakeNvml.patient(
                        FakeNvml.library(folder, H100, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"))
                .ask();

        assertAbsent(
                AbsentCause.NOT_ON_THIS_KERNEL,
                "nvmlDeviceGetCount_v2 said NVML_ERROR_FUNCTION_NOT_FOUND: this driver has no such function",
                answer);
    }

    @Test
    void each_refusal_is_told_with_its_meaning() throws IOException {
        Gpu gpu = gpus(H100 + """
                fail nvmlDeviceGetComputeRunningProcesses_v3 4
                fail nvmlDeviceGetTotalEccErrors 3
                fail nvmlDeviceGetUtilizationRates 999
                fail nvmlDeviceGetPowerUsage 12345
                """).getFirst();

        assertAbsent(
                AbsentCause.NO_PERMISSION,
                "nvmlDeviceGetComputeRunningProcesses_v3 said NVML_ERROR_NO_PERMISSION: the driver tells it to root only",
                gpu.processes());
        assertAbsent(
                AbsentCause.NOT_CONFIGURED,
                "nvmlDeviceGetTotalEccErrors said NVML_ERROR_NOT_SUPPORTED: this GPU or its mode does not have it",
                gpu.health().ecc());
        assertAbsent(
                AbsentCause.MALFORMED,
                "nvmlDeviceGetUtilizationRates said NVML_ERROR_UNKNOWN: the driver had an error of its own",
                gpu.load());
        assertAbsent(
                AbsentCause.MALFORMED,
                "nvmlDeviceGetPowerUsage said NVML error 12345: not among those of nvml.h 12",
                gpu.nvidia().orElseThrow().power());
        assertTrue(gpu.memory().isPresent());
    }

    @Test
    void ecc_that_is_switched_off_is_no_count_of_zero() throws IOException {
        Gpu gpu = gpus("""
                gpu NVIDIA A10
                memory 100 0 50 50
                ecc 0 1 0 0 0 0
                """).getFirst();

        assertAbsent(
                AbsentCause.NOT_CONFIGURED, "ECC is switched off", gpu.health().ecc());
        assertEquals(
                new NvidiaDetails.Mode(false, true),
                gpu.nvidia().orElseThrow().eccMode().orThrow());
    }

    @Test
    void cards_before_ampere_tell_retired_pages() throws IOException {
        Gpu gpu = gpus("""
                gpu Tesla V100-SXM2-16GB
                memory 100 0 50 50
                retired 3 2 1
                """).getFirst();

        assertEquals(5, gpu.health().repairs().orThrow().retiredPages());
        assertTrue(gpu.health().repairs().orThrow().pending());
    }

    @Test
    void a_lost_gpu_is_there_with_nothing_known_and_the_next_one_is_read() throws IOException {
        List<Gpu> gpus = gpus("""
                gpu NVIDIA H100
                fail nvmlDeviceGetHandleByIndex_v2 15
                gpu NVIDIA A100
                fail nvmlDeviceGetName 15
                gpu NVIDIA L4
                memory 100 0 50 50
                """);

        assertEquals(3, gpus.size());
        assertAbsent(
                AbsentCause.VANISHED,
                "nvmlDeviceGetHandleByIndex_v2 said NVML_ERROR_GPU_IS_LOST: the GPU has fallen off the bus",
                gpus.get(0).memory());
        assertAbsent(
                AbsentCause.VANISHED,
                "nvmlDeviceGetName said NVML_ERROR_GPU_IS_LOST: the GPU has fallen off the bus",
                gpus.get(1).processes());
        assertEquals(new Bytes(50), gpus.get(2).memory().orThrow().used());
        assertEquals(2, gpus.get(2).index());
    }

    @Test
    void instances_of_a_divided_gpu_have_their_own_memory_and_processes() throws IOException {
        Gpu gpu = gpus("""
                gpu NVIDIA A100-SXM4-40GB
                memory 42949672960 0 32749125632 10200547328
                mig 1 1
                instance 1 MIG-aaaa 21474836480 10485760 21400000000 64350720
                instance 5 MIG-bbbb 10737418240 5242880 732000000 10000175360
                process 812 compute 10000000000 5 0
                process 900 compute 60000000 1 0
                fail nvmlDeviceGetUtilizationRates 3
                """).getFirst();

        assertEquals(
                List.of(1, 5),
                gpu.instances().stream().map(i -> i.gpuInstance()).toList());
        assertEquals("MIG-bbbb", gpu.instances().get(1).uuid());
        assertEquals(
                new Bytes(10737418240L),
                gpu.instances().get(1).memory().orThrow().total());
        List<GpuProcess> processes = gpu.processes().orThrow();
        assertEquals(2, processes.size(), processes.toString());
        assertEquals(OptionalInt.of(1), process(processes, 812).instance());
        assertEquals(OptionalInt.of(0), process(processes, 900).instance());
        assertTrue(gpu.nvidia().orElseThrow().mig().orThrow().current());
    }

    @Test
    void each_question_is_asked_anew() throws IOException {
        Nvml nvml = FakeNvml.patient(FakeNvml.library(folder, """
                gpu NVIDIA H100
                @1 memory 1000 0 900 100
                @2 memory 1000 0 400 600
                @2 process 7 compute 500
                """));

        Gpu first = NvmlText.parse(nvml.ask().orThrow()).orThrow().getFirst();
        Gpu second = NvmlText.parse(nvml.ask().orThrow()).orThrow().getFirst();

        assertEquals(new Bytes(100), first.memory().orThrow().used());
        assertEquals(List.of(), first.processes().orThrow());
        assertEquals(new Bytes(600), second.memory().orThrow().used());
        assertEquals(7, second.processes().orThrow().getFirst().pid());
    }

    @Test
    void a_name_with_control_characters_stays_one_line() throws IOException {
        assertEquals(
                "a b", gpus("gpu a\u0007b\nmemory 100 0 50 50\n").getFirst().name());
    }

    @Test
    void the_rehearsal_for_the_start_up_cache_needs_no_library() {
        // A library of zeros has no GPU, and one that is asked all the same tells a line of everything.
        assertDoesNotThrow(Nvml::rehearse);
    }

    static GpuProcess process(List<GpuProcess> processes, int pid) {
        return processes.stream().filter(p -> p.pid() == pid).findFirst().orElseThrow();
    }

    static void assertAbsent(AbsentCause cause, String detail, Reading<?> reading) {
        Absent<?> absent = assertInstanceOf(Absent.class, reading);
        assertEquals(detail, absent.detail());
        assertEquals(cause, absent.cause());
    }
}
