// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.process.CommandLine;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Command lines as `/proc/<pid>/cmdline` has them: arguments with NUL after each, titles as one.
class EngineCommandLinesTest {
    private static Optional<Engine> engine(String... arguments) {
        return Engine.of(CommandLine.parse(String.join("\0", arguments) + "\0"));
    }

    private static void is(Engine engine, String... arguments) {
        assertEquals(Optional.of(engine), engine(arguments), String.join(" ", arguments));
    }

    private static void isNone(String... arguments) {
        assertEquals(Optional.empty(), engine(arguments), String.join(" ", arguments));
    }

    @Test
    void vllm() {
        is(Engine.VLLM, "/opt/venv/bin/python3", "/opt/venv/bin/vllm", "serve", "Qwen/Qwen3-8B");
        is(Engine.VLLM, "vllm", "serve", "Qwen/Qwen3-8B", "--tensor-parallel-size", "2");
        is(Engine.VLLM, "python3", "-m", "vllm.entrypoints.openai.api_server", "--model", "x");
        is(Engine.VLLM, "/usr/bin/python3.12", "-u", "-m", "vllm.entrypoints.api_server");
        assertEquals(Optional.of(Engine.VLLM), Engine.of(CommandLine.parse("VLLM::EngineCore\0\0\0\0\0")));
        is(Engine.VLLM, "VLLM::Worker_TP0");
    }

    @Test
    void llama_cpp_and_what_stands_on_it() {
        is(Engine.LLAMA_CPP, "/app/llama-server", "-m", "/models/a.gguf");
        is(Engine.LLAMA_CPP, "./llama-cli", "-m", "a.gguf");
        is(Engine.LLAMA_CPP, "python3", "-m", "llama_cpp.server", "--model", "a.gguf");
        is(Engine.KOBOLDCPP, "python3", "koboldcpp.py", "--model", "a.gguf");
        is(Engine.KOBOLDCPP, "/opt/koboldcpp-linux-x64", "a.gguf");
        is(Engine.OLLAMA, "/usr/local/bin/ollama", "serve");
        is(Engine.OLLAMA, "/usr/local/bin/ollama", "runner", "--model", "/root/.ollama/models/blobs/sha256-6a07");
        is(Engine.OLLAMA, "/usr/local/bin/ollama", "runner", "--ollama-engine", "--model", "/x", "--port", "37127");
    }

    @Test
    void servers_of_several_processes() {
        is(Engine.SGLANG, "python3", "-m", "sglang.launch_server", "--model-path", "x");
        is(Engine.SGLANG, "sglang::scheduler_TP0");
        is(Engine.SGLANG, "sglang::detokenizer");
        is(Engine.TGI, "text-generation-launcher", "--model-id", "x");
        is(Engine.TGI, "/opt/conda/bin/python3.11", "/opt/conda/bin/text-generation-server", "serve", "x");
        is(Engine.TENSORRT_LLM, "/usr/bin/python3", "/usr/local/bin/trtllm-serve", "x");
        is(Engine.TENSORRT_LLM, "tritonserver", "--model-repository=/models");
        is(Engine.TRANSFORMERS, "torchrun", "--nproc-per-node=2", "generate.py");
        is(Engine.TRANSFORMERS, "/usr/bin/python3", "/usr/local/bin/torchrun", "generate.py");
        is(Engine.DEEPSPEED, "/usr/bin/python3", "/usr/local/bin/deepspeed", "--num_gpus", "2", "x.py");
        is(Engine.DEEPSPEED, "python3", "-u", "-m", "deepspeed.launcher.launch", "x.py");
    }

    @Test
    void programs_that_handle_model_files_serve_nobody() {
        isNone("cat", "model.gguf");
        isNone("vmtouch", "-t", "m.gguf");
        isNone("/usr/bin/dd", "if=/models/a.gguf", "of=/dev/null");
        isNone("rsync", "-a", "/models/llama-server", "/x");
        isNone("bash", "-c", "llama-server -m x");
        isNone("/bin/sh", "-c", "exec python3 -m vllm.entrypoints.openai.api_server");
        isNone("tail", "-f", "/var/log/vllm.entrypoints.log");
    }

    @Test
    void programs_that_have_a_server_in_their_arguments_only() {
        isNone("grep", "llama-server");
        isNone("vim", "vllm.py");
        isNone("python3", "-m", "http.server");
        isNone("python3", "/srv/app.py", "--backend", "ollama");
        isNone("journalctl", "-u", "ollama");
        isNone("python3", "-m", "vllmish");
        isNone("/srv/vllm/bin/exporter");
        isNone();
        isNone("");
    }

    @Test
    void a_search_for_a_server_a_shell_on_another_host_and_a_client_of_docker_are_no_servers() {
        isNone("grep", "-r", "vllm.entrypoints");
        isNone("pgrep", "-f", "sglang.launch_server");
        isNone("ssh", "gpu1", "python3 -m vllm.entrypoints.openai.api_server");
        isNone("docker", "run", "--entrypoint", "python3", "img", "-m", "vllm.entrypoints.openai.api_server");
        isNone("watch", "pgrep -f llama_cpp.server");
    }

    @Test
    void a_client_of_ollama_serves_nobody() {
        isNone("ollama", "pull", "llama3");
        isNone("ollama", "run", "llama3");
        isNone("ollama", "ps");
    }

    @Test
    void every_engine_has_a_word_of_its_own() {
        assertEquals(
                Engine.values().length,
                List.of(Engine.values()).stream().map(Engine::word).distinct().count());
        assertTrue(Engine.isFileTool(CommandLine.parse("/usr/bin/cp\0a\0b\0")));
    }
}
