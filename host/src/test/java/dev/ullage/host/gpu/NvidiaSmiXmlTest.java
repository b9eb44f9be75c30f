// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.gpu.GpuHealth.Ecc;
import dev.ullage.host.gpu.GpuHealth.Repairs;
import dev.ullage.measure.AbsentCause;
import dev.ullage.measure.Bytes;
import dev.ullage.measure.Ratio;
import dev.ullage.measure.Reading;
import dev.ullage.measure.Reading.Absent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The documents in src/test/resources/nvidia-smi are put together from the format; none was recorded.
class NvidiaSmiXmlTest {
    private static final long MIB = 1 << 20;

    static String text(String name) {
        try {
            return Files.readString(Path.of("src/test/resources/nvidia-smi", name + ".xml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Gpu> gpus(String name) {
        return NvidiaSmiXml.parse(text(name)).orThrow();
    }

    @Test
    void a_driver_of_2020_tells_a_v100() {
        Gpu gpu = gpus("r450-v100").getFirst();

        assertEquals("GPU 0 (Tesla V100-SXM2-16GB)", gpu.shown());
        assertEquals("0000:00:1e.0", gpu.pciAddress());
        assertEquals("450.119.04", gpu.driver());
        assertEquals(
                new Vram(new Bytes(16160 * MIB), new Bytes(15109 * MIB), new Bytes(1051 * MIB), new Bytes(0)),
                gpu.memory().orThrow());
        assertEquals(new Ecc(3, 0, 41, 2), gpu.health().ecc().orThrow());
        assertEquals(new Repairs(3, 0, true, false), gpu.health().repairs().orThrow());
        assertTrue(gpu.health().throttling().orThrow().isSlowedByHeat());
        assertTrue(gpu.health().throttling().orThrow().isSlowedByHardware());
        assertFalse(gpu.health().throttling().orThrow().isAtPowerLimit());
        assertEquals(1530, gpu.health().throttling().orThrow().maxClockMHz());
        assertEquals(83, gpu.health().celsius().orThrow());
        assertEquals(8192 * 1024, gpu.pcie().orThrow().received().orThrow().bytesPerSecond());
        NvidiaDetails details = gpu.nvidia().orElseThrow();
        assertEquals("11.0", details.cuda());
        assertEquals(
                new NvidiaDetails.Power(251370, OptionalLong.of(300000)),
                details.power().orThrow());
        assertEquals("exclusive-process", details.computeMode().orThrow());
        assertFalse(details.persistence().orThrow());
        assertAbsent(AbsentCause.NOT_CONFIGURED, "nvidia-smi shows \"N/A\"", details.mig());
        assertAbsent(
                AbsentCause.NOT_ON_THIS_KERNEL, "this driver's nvidia-smi does not print it", details.addressing());
    }

    @Test
    void a_driver_of_2024_tells_an_h100() {
        Gpu gpu = gpus("r550-h100").getFirst();

        assertEquals(new Bytes(551 * MIB), gpu.memory().orThrow().reserved());
        assertEquals(new Bytes(74490 * MIB), gpu.memory().orThrow().used());
        assertEquals(
                new GpuLoad(Ratio.ofPercent(97), Ratio.ofPercent(41)),
                gpu.load().orThrow());
        // Parity and secded of SRAM, and DRAM.
        assertEquals(new Ecc(0, 7, 12, 7), gpu.health().ecc().orThrow());
        assertEquals(new Repairs(0, 3, true, false), gpu.health().repairs().orThrow());
        assertTrue(gpu.health().throttling().orThrow().isAtPowerLimit());
        assertEquals(8, gpu.pcie().orThrow().width());
        assertEquals(16, gpu.pcie().orThrow().maxWidth());
        NvidiaDetails details = gpu.nvidia().orElseThrow();
        assertEquals(new NvidiaDetails.Mode(false, true), details.mig().orThrow());
        assertEquals(698450, details.power().orThrow().milliwatts());
        assertEquals("hmm", details.addressing().orThrow());
        assertEquals(
                new NvidiaDetails.Clocks(1755, 1980, 2619, 2619),
                details.clocks().orThrow());
        assertEquals(
                AbsentCause.NOT_RECORDED,
                assertInstanceOf(Absent.class, details.nvlink()).cause());
    }

    @Test
    void processes_without_a_name_or_memory_are_processes_all_the_same() {
        List<GpuProcess> processes = gpus("r550-h100").getFirst().processes().orThrow();

        assertEquals(
                List.of("compute", "mps", "compute"),
                processes.stream().map(GpuProcess::kind).toList());
        assertEquals(
                List.of(812, 813, 900), processes.stream().map(GpuProcess::pid).toList());
        assertEquals(new Bytes(74476 * MIB), processes.get(0).memory().orThrow());
        assertFalse(processes.get(1).memory().isPresent());
    }

    @Test
    void instances_of_a_divided_gpu_have_their_memory_and_processes() {
        List<Gpu> gpus = gpus("r535-a100-mig");
        Gpu divided = gpus.get(0);

        assertEquals(
                List.of(1, 5),
                divided.instances().stream().map(GpuInstance::gpuInstance).toList());
        assertEquals(
                new Bytes(9500 * MIB),
                divided.instances().get(1).memory().orThrow().used());
        // Its command line holds "<" and "&", as nvidia-smi prints them.
        GpuProcess process = divided.processes().orThrow().getFirst();
        assertEquals(3311, process.pid());
        assertEquals(OptionalInt.of(1), process.instance());
        assertAbsent(AbsentCause.NOT_CONFIGURED, "nvidia-smi shows \"N/A\"", divided.load());
        assertTrue(divided.nvidia().orElseThrow().mig().orThrow().current());
        // The memory of an instance is not the GPU's.
        assertEquals(new Bytes(40960 * MIB), divided.memory().orThrow().total());
        assertTrue(divided.health().repairs().orThrow().failed());
        assertEquals(List.of(), gpus.get(1).instances());
        assertEquals(1, gpus.get(1).health().throttling().orThrow().reasons());
    }

    @Test
    void what_may_not_be_seen_is_not_nobody() {
        assertAbsent(
                AbsentCause.NO_PERMISSION,
                "nvidia-smi shows \"[Insufficient Permissions]\"",
                gpus("r535-a100-mig").get(1).processes());
    }

    @Test
    void a_chip_with_the_hosts_memory_is_said_to_have_it() {
        Gpu gpu = gpus("r580-gb10").getFirst();

        assertTrue(gpu.unifiedMemory());
        assertAbsent(AbsentCause.NOT_CONFIGURED, "nvidia-smi shows \"N/A\"", gpu.memory());
        assertEquals("000f:01:00.0", gpu.pciAddress());
        assertEquals(
                new Bytes(58211 * MIB),
                gpu.processes().orThrow().getFirst().memory().orThrow());
        assertEquals("ats", gpu.nvidia().orElseThrow().addressing().orThrow());
        assertAbsent(AbsentCause.NOT_ON_THIS_KERNEL, "this driver's nvidia-smi does not print it", gpu.pcie());
    }

    @Test
    void a_lost_gpu_is_lost_and_the_next_one_is_read() {
        List<Gpu> gpus = gpus("r550-lost");

        assertAbsent(
                AbsentCause.VANISHED,
                "nvidia-smi shows \"GPU is lost\"",
                gpus.get(0).memory());
        assertEquals(
                AbsentCause.VANISHED,
                assertInstanceOf(Absent.class, gpus.get(0).processes()).cause());
        assertEquals("0000:5e:00.0", gpus.get(0).pciAddress());
        assertEquals(new Bytes(74490 * MIB), gpus.get(1).memory().orThrow().used());
    }

    @Test
    void what_it_says_when_it_fails_is_the_reason() {
        Reading<List<Gpu>> failed = NvidiaSmiXml.parse(
                "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that"
                        + " the latest NVIDIA driver is installed and running.\n\n");
        assertEquals(
                AbsentCause.NOT_CONFIGURED,
                assertInstanceOf(Absent.class, failed).cause());
        assertAbsent(
                AbsentCause.NOT_CONFIGURED,
                "it said \"Failed to initialize NVML: Driver/library version mismatch\"",
                NvidiaSmiXml.parse("Failed to initialize NVML: Driver/library version mismatch\n"));
        assertAbsent(
                AbsentCause.VANISHED,
                "it said \"Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot the system to"
                        + " recover this GPU\"",
                NvidiaSmiXml.parse("Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot"
                        + " the system to recover this GPU\n"));
        assertAbsent(AbsentCause.MALFORMED, "it said \"nothing\"", NvidiaSmiXml.parse(""));
        assertEquals(List.of(), NvidiaSmiXml.parse("No devices were found\n").orThrow());
    }

    @Test
    void the_document_type_it_names_is_never_fetched(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "SECRET", StandardCharsets.UTF_8);
        String hostile = """
                <?xml version="1.0" ?>
                <!DOCTYPE nvidia_smi_log SYSTEM "http://192.0.2.1/nvsmi.dtd" [
                  <!ENTITY file SYSTEM "%s">
                  <!ENTITY a "aaaaaaaaaa"> <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"> <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">
                ]>
                <nvidia_smi_log>
                  <driver_version>550</driver_version>
                  <gpu id="00000000:01:00.0">
                    <product_name>NVIDIA L4</product_name>
                    <uuid>&file;&c;</uuid>
                  </gpu>
                </nvidia_smi_log>
                """.formatted(secret.toUri());

        List<Gpu> gpus = assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> NvidiaSmiXml.parse(hostile).orThrow());

        assertEquals("NVIDIA L4", gpus.getFirst().name());
        assertFalse(gpus.toString().contains("SECRET"), gpus.toString());
        assertFalse(gpus.toString().contains("aaaaaaaaaa"), gpus.toString());
    }

    @Test
    void a_document_that_breaks_off_anywhere_gives_what_came_before() {
        String whole = text("r535-a100-mig");
        for (int end = 0; end < whole.length(); end += 97) {
            Reading<List<Gpu>> reading = NvidiaSmiXml.parse(whole.substring(0, end));
            if (reading.isPresent()) assertTrue(reading.orThrow().size() <= 2);
        }
        Gpu first = NvidiaSmiXml.parse(whole.substring(0, whole.indexOf("GPU-61a65011")))
                .orThrow()
                .getFirst();
        assertEquals(3311, first.processes().orThrow().getFirst().pid());
    }

    @Test
    void hostile_documents_are_read_in_linear_time() {
        String deep = "<nvidia_smi_log><gpu>" + "<a>".repeat(200_000);
        String open = "<nvidia_smi_log><gpu>" + "<process_name>".repeat(200_000);
        String wide = "<nvidia_smi_log><gpu>" + "<a>1</a>".repeat(200_000) + "</gpu></nvidia_smi_log>";
        String many = "<nvidia_smi_log>" + "<gpu id='x'/>".repeat(20_000) + "</nvidia_smi_log>";
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            for (String text : List.of(deep, open, wide, many)) NvidiaSmiXml.parse(text);
        });
        assertEquals(20_000, NvidiaSmiXml.parse(many).orThrow().size());
    }

    private static void assertAbsent(AbsentCause cause, String detail, Reading<?> reading) {
        Absent<?> absent = assertInstanceOf(Absent.class, reading);
        assertEquals(detail, absent.detail());
        assertEquals(cause, absent.cause());
    }
}
