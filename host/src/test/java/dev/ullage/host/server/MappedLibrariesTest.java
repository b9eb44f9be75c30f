// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Call;
import dev.ullage.host.Evidence;
import dev.ullage.host.Focus;
import dev.ullage.host.RecordedHost;
import dev.ullage.host.Sampler;
import dev.ullage.host.TextTree;
import dev.ullage.host.kernel.LiveHost;
import dev.ullage.host.server.MappedLibraries.Library;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MappedLibrariesTest {
    private final Map<String, String> files = new HashMap<>();

    private void process(int pid, int parent, String command) {
        String folder = "proc/" + pid + "/";
        files.put(
                folder + "stat",
                pid + " (x) S " + parent + " 1 1 0 -1 4194304 0 0 0 0 1 1 0 0 20 0 1 0 " + pid + " 8589934592 1000");
        files.put(folder + "cmdline", command.replace(' ', '\0'));
        files.put(folder + "status", "State:\tS\nVmRSS:\t900000 kB\nRssAnon:\t900000 kB\n");
    }

    private List<String> servers() {
        Evidence evidence = Sampler.replay(new RecordedHost(TextTree.of(files)), Focus.EVERYTHING);
        return evidence.servers().stream()
                .map(w -> w.engine().orElseThrow().word() + " " + w.processes().size())
                .toList();
    }

    @Test
    void a_script_is_what_it_has_loaded() {
        String[] cases = {
            "VLLM TORCH_CUDA TOKENIZERS CUDART", "vllm 1",
            "SGLANG TORCH_CUDA TOKENIZERS", "sglang 1",
            "LLAMA", "llama.cpp 1",
            "TORCH_CUDA TORCH_CPU DEEPSPEED", "deepspeed 1",
            "TORCH_CUDA TOKENIZERS SAFETENSORS", "transformers 1",
            "TORCH_HIP SAFETENSORS", "transformers 1"
        };
        for (int i = 0; i < cases.length; i += 2) {
            process(10, 1, "python3 app.py");
            files.put("recorded/libraries", "10\t" + cases[i] + "\n");
            assertEquals(List.of(cases[i + 1]), servers(), cases[i]);
        }
    }

    @Test
    void torch_without_a_tokenizer_may_be_anything() {
        process(10, 1, "python3 images.py");
        for (String libraries : List.of("TORCH_CUDA CUDART", "TORCH_CPU TOKENIZERS", "")) {
            files.put("recorded/libraries", "10\t" + libraries + "\n");
            assertEquals(List.of(), servers(), libraries);
        }
    }

    @Test
    void a_program_that_calls_itself_something_else_is_known_by_its_file() {
        process(10, 1, "inference-backend -m /m/a.gguf --port 9");
        assertEquals(List.of(), servers());
        files.put("recorded/links", "/proc/10/exe\t/opt/llama/llama-server (deleted)\n");
        assertEquals(List.of("llama.cpp 1"), servers());
        files.put("recorded/links", "/proc/10/exe\t/usr/bin/postgres\n");
        assertEquals(List.of(), servers());
    }

    @Test
    void lines_of_maps_are_told_apart() {
        String line = "7f00-7f01 r-xp 00000000 fe:00 7 /opt/vllm/venv/lib/python3.12/site-packages/";
        assertFalse(Library.VLLM.isIn(line + "torch/lib/libtorch_cuda.so"), "a folder is no package");
        assertTrue(Library.TORCH_CUDA.isIn(line + "torch/lib/libtorch_cuda.so"));
        assertTrue(Library.VLLM.isIn(line + "vllm/_C.abi3.so"));
        assertTrue(Library.VLLM.isIn("7f00-7f01 r-xp 0 fe:00 7 /workspace/vllm/vllm/_C.abi3.so"));
        assertFalse(Library.TOKENIZERS.isIn(line + "tokenizers/data.bin"));
    }

    @Test
    void this_very_process_has_none_of_them() {
        String found = new LiveHost()
                .ask(Call.LIBRARIES, String.valueOf(ProcessHandle.current().pid()))
                .orThrow();
        assertEquals("", found);
        assertEquals(Optional.empty(), MappedLibraries.parse(found).engine());
    }

    @Test
    void of_an_environment_only_names_are_told() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("/bin/sleep", "60");
        builder.environment().clear();
        builder.environment().put("OLLAMA_HOST", "secret-value-1");
        builder.environment().put("VLLM_API_KEY", "a=secret-value-2");
        builder.environment().put("HOME_OF_NOBODY", "OLLAMA_FAKE=secret-value-3");
        Process child = builder.start();
        try {
            String names = new LiveHost()
                    .ask(Call.ENVIRONMENT, String.valueOf(child.pid()))
                    .orThrow();
            assertFalse(names.contains("secret"), names);
            EnvironmentNames read = EnvironmentNames.parse(names);
            assertTrue(read.has("OLLAMA_HOST") && read.has("VLLM_API_KEY"), names);
            assertFalse(read.has("OLLAMA_FAKE") || read.has("HOME_OF_NOBODY"), names);
        } finally {
            child.destroy();
        }
    }
}
