// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.ullage.host.Recorded;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CommandLineTest {
    private static CommandLine command(String... arguments) {
        return CommandLine.parse(String.join("\0", arguments) + "\0");
    }

    @Test
    void arguments_are_what_stands_between_nuls_spaces_and_all() {
        CommandLine command = command("llama-server", "-m", "/models/my model.gguf", "--alias", "big one");
        assertEquals(List.of("llama-server", "-m", "/models/my model.gguf", "--alias", "big one"), command.arguments());
        assertEquals(Optional.of("/models/my model.gguf"), command.flag("-m"));
    }

    @Test
    void a_flag_is_found_by_any_of_its_names_in_both_spellings() {
        CommandLine vllm = command(
                "/opt/venv/bin/python3",
                "/opt/venv/bin/vllm",
                "serve",
                "Qwen/Qwen3-8B",
                "--gpu-memory-utilization=0.95",
                "--max-model-len",
                "32768");
        assertEquals(Optional.of("0.95"), vllm.flag("--gpu-memory-utilization"));
        assertEquals(Optional.of("32768"), vllm.flag("-x", "--max-model-len"));
        assertEquals(Optional.empty(), vllm.flag("--max-model"), "a beginning of a flag is no flag");
        assertEquals(Optional.empty(), vllm.flag("--swap-space"));
    }

    @Test
    void a_flag_at_the_end_has_no_value() {
        assertEquals(Optional.empty(), command("llama-server", "-m").flag("-m"));
    }

    @Test
    void a_title_is_one_argument_padded_with_nuls() {
        // what setproctitle leaves of vLLM 0.10's and postgres's arguments
        CommandLine title = CommandLine.parse("VLLM::EngineCore\0\0\0\0\0\0\0\0\0\0\0\0");
        assertEquals(List.of("VLLM::EngineCore"), title.arguments());
        assertEquals(
                "postgres:", CommandLine.parse("postgres: checkpointer \0\0\0").program());
    }

    @Test
    void a_program_is_its_file_name_even_in_a_folder_with_a_space() {
        assertEquals(
                "llama-server",
                command("/opt/llama.cpp/build/bin/llama-server", "-m", "a").program());
        assertEquals(
                "llama-server",
                command("/home/me/my models/llama-server", "-m", "a.gguf").program());
        assertEquals(
                "lm-studio", command("/opt/LM Studio/lm-studio", "--no-sandbox").program());
        assertEquals("-bash", command("-bash").program());
        assertEquals("", command("/usr/bin/").program());
    }

    @Test
    void kernel_threads_and_ended_processes_have_none() {
        for (String text : List.of("", "\0", "\0\0\0", " \0 ")) {
            assertEquals(List.of(), CommandLine.parse(text).arguments());
            assertEquals("", CommandLine.parse(text).program());
            assertEquals("", CommandLine.parse(text).joined());
        }
    }

    @Test
    void of_two_megabytes_of_arguments_the_beginning_is_kept() {
        String long_ = "llama-server\0-m\0a.gguf\0" + "--stop\0x\0".repeat(200_000);
        CommandLine command = assertTimeoutPreemptively(Duration.ofSeconds(5), () -> CommandLine.parse(long_));
        assertEquals(Optional.of("a.gguf"), command.flag("-m"));
        assertTrue(command.joined().length() < 40_000);
    }

    @Test
    void it_is_read_by_the_number_of_the_process() {
        assertEquals(
                "ollama serve",
                CommandLine.FACT
                        .read(Recorded.host("proc/77/cmdline", "ollama\0serve\0"), new ProcessId(77, 1))
                        .orThrow()
                        .joined());
    }
}
