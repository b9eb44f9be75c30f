// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.HostileText;
import dev.ullage.host.process.CommandLine;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Command lines as `ps` shows them on hosts that run these engines, and of programs that only speak of them.
class EngineLookAlikesTest {
    /// Written with `|` between arguments.
    private static CommandLine command(String line) {
        return new CommandLine(List.of(line.split("\\|")));
    }

    private static Stream<DynamicTest> each(Engine engine, String... lines) {
        return Arrays.stream(lines)
                .map(line -> DynamicTest.dynamicTest(
                        line, () -> assertEquals(Optional.of(engine), Engine.of(command(line)))));
    }

    @TestFactory
    Stream<DynamicTest> every_process_of_a_server_is_known() {
        return Stream.of(
                        each(
                                Engine.VLLM,
                                "vllm|serve|Qwen/Qwen3-8B",
                                "/usr/bin/python3.12|/usr/local/bin/vllm|serve|/models/qwen|--tensor-parallel-size|2",
                                "python3|-m|vllm.entrypoints.openai.api_server|--model|facebook/opt-125m",
                                "python|-u|-m|vllm.entrypoints.api_server",
                                "python3|-m|vllm|serve|x",
                                "VLLM::EngineCore",
                                "VLLM::EngineCore_DP0",
                                "VLLM::Worker_TP1",
                                "VLLM::APIServer_0"),
                        each(
                                Engine.LLAMA_CPP,
                                "./llama-server|-m|a.gguf",
                                "/app/llama-server|-hf|ggml-org/gemma-3-4b-it-GGUF",
                                "llama-cli|-m|a.gguf|-p|hi",
                                "./mistral-7b.llamafile|--server",
                                "python3|-m|llama_cpp.server|--model|a.gguf"),
                        each(
                                Engine.OLLAMA,
                                "/usr/local/bin/ollama|serve",
                                "ollama|serve",
                                "/usr/local/bin/ollama|runner|--model|/root/.ollama/models/blobs/sha256-6a07|--port|41234",
                                "/tmp/ollama123/runners/cuda_v12/ollama_llama_server|--model|x"),
                        each(
                                Engine.SGLANG,
                                "python3|-m|sglang.launch_server|--model-path|x",
                                "/usr/bin/python3|/usr/local/bin/sglang|serve|--model-path|x",
                                "sglang::scheduler",
                                "sglang::scheduler_TP0",
                                "sglang::detokenizer"),
                        each(
                                Engine.TGI,
                                "text-generation-launcher|--model-id|x",
                                "text-generation-router|--port|80",
                                "/usr/src/.venv/bin/python3|/usr/src/.venv/bin/text-generation-server|serve|x"),
                        each(
                                Engine.TENSORRT_LLM,
                                "/usr/bin/python3|/usr/local/bin/trtllm-serve|serve|x",
                                "tritonserver|--model-repository=/models"),
                        each(
                                Engine.KOBOLDCPP,
                                "python3|koboldcpp.py|--model|a.gguf",
                                "./koboldcpp-linux-x64|--model|a.gguf"),
                        each(
                                Engine.TRANSFORMERS,
                                "/usr/bin/python3|/opt/venv/bin/torchrun|--nproc-per-node|4|train.py",
                                "python3|-m|torch.distributed.run|train.py",
                                "/usr/bin/python3|/usr/bin/accelerate|launch|train.py"),
                        each(
                                Engine.DEEPSPEED,
                                "/usr/bin/python3|/usr/bin/deepspeed|train.py",
                                "/usr/bin/python3|-u|-m|deepspeed.launcher.launch|--world_info=x|train.py"),
                        each(Engine.LM_STUDIO, "/opt/LM Studio/lm-studio|--no-sandbox", "lms|server|start"),
                        each(Engine.LOCALAI, "/usr/bin/local-ai|run"))
                .flatMap(s -> s);
    }

    @TestFactory
    Stream<DynamicTest> programs_that_only_speak_of_a_server_are_none() {
        return Stream.of(
                        "grep|llama-server",
                        "grep|vllm.entrypoints.openai.api_server",
                        "grep|-m|vllm",
                        "pgrep|-f|vllm.entrypoints",
                        "pkill|-f|sglang.launch_server",
                        "vim|vllm.py",
                        "nano|sglang.launch_server.py",
                        "emacs|/src/vllm/vllm/entrypoints/openai/api_server.py",
                        "cat|model.gguf",
                        "vmtouch|-t|/models/a.gguf",
                        "sha256sum|/models/a.gguf",
                        "journalctl|-u|vllm|-f",
                        "docker|run|vllm/vllm-openai|--model|x",
                        "docker|exec|c1|python3|-m|vllm.entrypoints.openai.api_server",
                        "kubectl|exec|pod|--|python3|-m|sglang.launch_server",
                        "ssh|gpu1|python3 -m vllm.entrypoints.openai.api_server",
                        "containerd-shim-runc-v2|-namespace|moby|-id|3f1c",
                        "bash|-c|exec python3 -m vllm.entrypoints.openai.api_server",
                        "sudo|ollama|serve",
                        "python3|-m|http.server",
                        "python3|-m|vllm_tools.report",
                        "python3|-m|sglang_bench",
                        "python3|/srv/app.py|--backend|vllm",
                        "python3|/usr/bin/gunicorn|web:app",
                        "postgres: vllm writer",
                        "nvidia-smi|dmon",
                        "tail|-f|/var/log/ollama.log")
                .map(line ->
                        DynamicTest.dynamicTest(line, () -> assertEquals(Optional.empty(), Engine.of(command(line)))));
    }

    @Test
    void a_script_that_is_named_on_the_command_line_only_is_no_engine_before_it_holds_a_model() {
        assertEquals(Optional.empty(), Engine.of(command("python3|serve.py|--model|x.gguf")));
    }

    @Test
    void no_command_line_throws_and_no_name_is_missing() {
        for (String text : HostileText.ALL) {
            CommandLine hostile = CommandLine.parse(text);
            assertTrue(Engine.of(hostile).isEmpty(), text);
            Engine.isFileTool(hostile);
        }
        for (Engine engine : Engine.values()) assertTrue(engine.word().matches("[a-z.-]+"), engine::name);
    }
}
