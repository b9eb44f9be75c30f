// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.kernel.nvml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvmlLayoutTest {
    private static final Map<String, StructLayout> LAYOUTS = Map.ofEntries(
            Map.entry("pci", NvmlLayout.PCI),
            Map.entry("memory", NvmlLayout.MEMORY),
            Map.entry("memory_v2", NvmlLayout.MEMORY_V2),
            Map.entry("bar1", NvmlLayout.BAR1),
            Map.entry("load", NvmlLayout.LOAD),
            Map.entry("process_v1", NvmlLayout.PROCESS_V1),
            Map.entry("process_v2", NvmlLayout.PROCESS_V2),
            Map.entry("process_detail", NvmlLayout.PROCESS_DETAIL),
            Map.entry("process_load", NvmlLayout.PROCESS_LOAD),
            Map.entry("temperature", NvmlLayout.TEMPERATURE),
            Map.entry("addressing", NvmlLayout.ADDRESSING));

    @Test
    void every_size_and_offset_is_the_one_gcc_gives_it(@TempDir Path folder) throws IOException {
        String program = folder.resolve("layouts").toString();
        FakeNvml.run(List.of("gcc", "-Wall", "-Werror", "-o", program, "src/test/c/layouts.c"));
        Map<String, Long> ofGcc = new TreeMap<>();
        FakeNvml.run(List.of(program))
                .lines()
                .forEach(line -> ofGcc.put(line.split(" ")[0], Long.parseLong(line.split(" ")[1])));

        Map<String, Long> ours = new TreeMap<>();
        LAYOUTS.forEach((name, layout) -> {
            ours.put(name, layout.byteSize());
            for (MemoryLayout field : layout.memberLayouts())
                field.name().ifPresent(f -> ours.put(name + "." + f, NvmlLayout.offset(layout, f)));
        });

        assertEquals(ofGcc, ours);
        assertTrue(ours.size() > 40, ours.toString());
    }

    @Test
    void a_structure_says_its_size_and_version_in_its_first_field() {
        // Values of the public header's NVML_STRUCT_VERSION: nvmlMemory_v2, nvmlDeviceAddressingMode_v1.
        assertEquals(0x02000028, NvmlLayout.version(NvmlLayout.MEMORY_V2, 2));
        assertEquals(0x01000008, NvmlLayout.version(NvmlLayout.ADDRESSING, 1));
        assertEquals(0x0100000c, NvmlLayout.version(NvmlLayout.TEMPERATURE, 1));
    }

    @Test
    void no_two_functions_share_a_name_and_all_are_of_the_library() {
        Set<String> names = new TreeSet<>();
        for (NvmlFunction function : NvmlFunction.values())
            for (String name : function.names()) {
                assertTrue(name.matches("nvml(Init|System|Device)\\w*"), name);
                assertTrue(names.add(name), name);
            }
    }

    @Test
    void only_functions_that_read_are_ever_called() {
        // nvml.h calls what reads …Get… or nvmlInit; what changes a GPU is …Set…, …Reset…, …Clear….
        for (NvmlFunction function : NvmlFunction.values())
            for (String name : function.names())
                assertTrue(name.startsWith("nvmlInit") || name.matches("nvml(System|Device)Get\\w+"), name);
    }
}
