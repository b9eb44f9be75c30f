// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.ullage.host.process.CommandLine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class EngineTest {
    private static Optional<Engine> engine(String words) {
        return Engine.of(new CommandLine(List.of(words.split(" "))));
    }

    @TestFactory
    Stream<DynamicTest> servers_are_told_by_how_they_are_started() {
        return Map.ofEntries(
                        Map.entry("/opt/venv/bin/python3 /opt/venv/bin/vllm serve Qwen/Qwen3-8B", Engine.VLLM),
                        Map.entry("python3 -m vllm.entrypoints.openai.api_server --model x", Engine.VLLM),
                        Map.entry("VLLM::EngineCore", Engine.VLLM),
                        Map.entry("/usr/local/bin/llama-server -m a.gguf", Engine.LLAMA_CPP),
                        Map.entry("python3 -m llama_cpp.server --model a.gguf", Engine.LLAMA_CPP),
                        Map.entry("/usr/bin/ollama serve", Engine.OLLAMA),
                        Map.entry("/usr/bin/ollama runner --model /root/.ollama/blobs/sha256-1", Engine.OLLAMA),
                        Map.entry("sglang::scheduler_TP0", Engine.SGLANG),
                        Map.entry("python3 -m sglang.launch_server --model-path x", Engine.SGLANG),
                        Map.entry("text-generation-launcher --model-id x", Engine.TGI),
                        Map.entry("/usr/bin/python3 /usr/bin/trtllm-serve x", Engine.TENSORRT_LLM),
                        Map.entry("tritonserver --model-repository=/models", Engine.TENSORRT_LLM),
                        Map.entry("/usr/bin/python3 /usr/bin/torchrun train.py", Engine.TRANSFORMERS),
                        Map.entry("/usr/bin/python3 /usr/bin/deepspeed train.py", Engine.DEEPSPEED),
                        Map.entry("python3 koboldcpp.py --model a.gguf", Engine.KOBOLDCPP))
                .entrySet()
                .stream()
                .map(e -> DynamicTest.dynamicTest(
                        e.getKey(), () -> assertEquals(Optional.of(e.getValue()), engine(e.getKey()))));
    }

    @Test
    void programs_that_only_name_a_server_are_none() {
        for (String command : List.of(
                "grep llama-server",
                "vim vllm.py",
                "cat model.gguf",
                "vmtouch -t model.gguf",
                "bash -c llama-server -m x",
                "python3 -m http.server",
                "/usr/bin/python3 /srv/app.py",
                "postgres: writer")) assertEquals(Optional.empty(), engine(command), command);
        assertEquals(Optional.empty(), Engine.of(new CommandLine(List.of())));
    }
}
