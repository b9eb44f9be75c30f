// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Call;
import dev.ullage.host.gpu.Gpu;
import dev.ullage.host.gpu.NvidiaSmiXml;
import dev.ullage.host.gpu.NvmlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GpuRedactionTest {
    private static final String FIRST = "GPU-0b1e2c3d-1111-4222-8333-444455556666";
    private static final String SECOND = "GPU-0b1f0000-2222-4222-8333-444455556666";

    private static NavigableMap<String, String> redact(String... pathsAndTexts) {
        NavigableMap<String, String> tree = new TreeMap<>();
        for (int i = 0; i < pathsAndTexts.length; i += 2) tree.put(pathsAndTexts[i], pathsAndTexts[i + 1]);
        return Redaction.of(tree);
    }

    private static String nvml(String uuid) {
        return """
                driver 570.86.15
                cuda 12.8
                gpu 0 NVIDIA H100 80GB HBM3
                uuid %s
                pci 0000:3b:00.0
                memory total=85520809984 used=78643200000 free=6234832896 reserved=642777088
                instance 1 MIG-aaaabbbb-1111-5222-8333-444455556666 total=10200547328 used=13107200 free=10187440128
                process pid=812 kind=compute memory=78110000000 load=97 memory-load=41
                absent ecc no-permission nvmlDeviceGetEccMode said NVML_ERROR_NO_PERMISSION: the driver tells it to root only
                """.formatted(uuid);
    }

    @Test
    void all_that_the_driver_tells_stays_but_the_unique_numbers() {
        String text = redact("at-0.000/recorded/nvml", nvml(FIRST)).get("at-0.000/recorded/nvml");

        assertFalse(text.contains("0b1e2c3d"), text);
        assertFalse(text.contains("aaaabbbb"), text);
        assertEquals(nvml("GPU-id0001").replace("MIG-aaaabbbb-1111-5222-8333-444455556666", "MIG-id0002"), text);
    }

    @Test
    void one_gpu_has_one_disguise_wherever_it_stands() {
        NavigableMap<String, String> hidden = redact(
                "at-0.000/proc/1/cmdline",
                "vllm\0serve\0--device\0" + FIRST + "\0",
                "at-0.000/proc/2/cmdline",
                "env\0CUDA_VISIBLE_DEVICES=GPU-0b1e," + SECOND + "\0vllm\0",
                "at-0.000/recorded/nvml",
                nvml(FIRST),
                "at-3.000/recorded/nvml",
                nvml(SECOND));

        Gpu first =
                NvmlText.parse(hidden.get("at-0.000/recorded/nvml")).orThrow().getFirst();
        Gpu second =
                NvmlText.parse(hidden.get("at-3.000/recorded/nvml")).orThrow().getFirst();
        assertTrue(first.uuid().matches("GPU-id\\d{4}"), first.uuid());
        assertFalse(first.uuid().equals(second.uuid()));
        assertTrue(hidden.get("at-0.000/proc/1/cmdline").contains(first.uuid()));
        // The beginning of an identifier is disguised as the whole of it.
        assertTrue(
                hidden.get("at-0.000/proc/2/cmdline").contains("=" + first.uuid() + "," + second.uuid()),
                hidden.get("at-0.000/proc/2/cmdline"));
    }

    @Test
    void words_that_only_look_alike_stay() {
        String line = "vllm\0--served-model-name\0GPU-poor\0--x\0NVGPU-12345678\0MIG-1g.10gb\0";
        assertEquals(line, redact("proc/1/cmdline", line).get("proc/1/cmdline"));
    }

    @Test
    void serial_numbers_go_from_the_output_of_nvidia_smi_and_the_figures_stay() throws IOException {
        String xml = Files.readString(Path.of("src/test/resources/nvidia-smi/r550-h100.xml"));
        String hidden = redact("recorded/nvidia-smi", xml).get("recorded/nvidia-smi");

        assertFalse(hidden.contains("1650923003485"), "the card's");
        assertFalse(hidden.contains("1821324190001"), "the chassis'");
        assertFalse(hidden.contains("0b1e2c3d"), "the UUID");
        Gpu before = NvidiaSmiXml.parse(xml).orThrow().getFirst();
        Gpu after = NvidiaSmiXml.parse(hidden).orThrow().getFirst();
        assertEquals(before.memory(), after.memory());
        assertEquals(before.processes(), after.processes());
        assertEquals(before.health(), after.health());
        assertEquals(before.nvidia(), after.nvidia());
        assertEquals(before.pciAddress(), after.pciAddress());
        assertEquals("GPU-id0001", after.uuid());
    }

    @Test
    void a_card_without_a_serial_number_still_has_none() {
        String xml = "<nvidia_smi_log><gpu><serial>N/A</serial></gpu></nvidia_smi_log>\n";
        assertEquals(xml, redact("recorded/nvidia-smi", xml).get("recorded/nvidia-smi"));
    }

    @Test
    void command_lines_that_the_driver_quotes_are_not_kept() throws IOException {
        for (String name : List.of("r450-v100", "r535-a100-mig", "r550-h100")) {
            String xml = Files.readString(Path.of("src/test/resources/nvidia-smi/" + name + ".xml"));
            String kept = Kept.answer(Call.NVIDIA_SMI, xml);

            assertFalse(kept.contains("process_name"), name);
            assertFalse(kept.contains("python3"), name);
            assertFalse(kept.contains("supported_clocks"), name);
            assertEquals(NvidiaSmiXml.parse(xml), NvidiaSmiXml.parse(kept), name);
        }
    }
}
