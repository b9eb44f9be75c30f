// SPDX-License-Identifier: Apache-2.0
package dev.ullage.host.server;

import dev.ullage.host.process.CommandLine;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The LLM engines Ullage knows by how they are started.
public enum Engine {
    VLLM("vllm"),
    LLAMA_CPP("llama.cpp"),
    OLLAMA("ollama"),
    SGLANG("sglang"),
    TGI("tgi"),
    TENSORRT_LLM("tensorrt-llm"),
    LM_STUDIO("lm-studio"),
    LOCALAI("localai"),
    KOBOLDCPP("koboldcpp"),
    DEEPSPEED("deepspeed"),
    TRANSFORMERS("transformers"),
    /// A process that holds a model and is none of the above.
    UNKNOWN("unknown");

    /// Programs that read or write model files without serving them.
    private static final Set<String> FILE_TOOLS = Set.of(
            "cat",
            "cp",
            "mv",
            "dd",
            "rsync",
            "scp",
            "tar",
            "zstd",
            "gzip",
            "pigz",
            "unzip",
            "vmtouch",
            "sha256sum",
            "md5sum",
            "b3sum",
            "wget",
            "curl",
            "aria2c",
            "git",
            "git-lfs",
            "hf",
            "huggingface-cli",
            "rclone",
            "s5cmd",
            "aws",
            "gsutil",
            "fio",
            "head",
            "tail",
            "pv",
            "wc",
            "cmp",
            "ls",
            "du",
            "find",
            "xxd",
            "bash",
            "sh",
            "dash",
            "zsh",
            "fish",
            "sudo",
            "timeout",
            "nohup",
            "setsid",
            "nice",
            "ionice",
            "env",
            "tmux",
            "screen",
            "vim",
            "less",
            "strace",
            "ullage");

    private final String word;

    Engine(String word) {
        this.word = word;
    }

    /// Its name in the report.
    public String word() {
        return word;
    }

    /// Whether a program handles model files as files: it is busy with a model and serves nobody.
    public static boolean isFileTool(CommandLine command) {
        return FILE_TOOLS.contains(command.program());
    }

    /// The engine whose command line this is, by the words its users type and the titles its processes set.
    public static Optional<Engine> of(CommandLine command) {
        if (command.arguments().isEmpty() || isFileTool(command)) return Optional.empty();
        String program = command.program();
        String all = command.joined();
        String script = scriptOf(command);
        if (all.startsWith("VLLM::")
                || program.equals("vllm")
                || script.equals("vllm")
                || has(all, "vllm.entrypoints")
                || has(all, "-m vllm")) return Optional.of(VLLM);
        if (all.startsWith("sglang::") || has(all, "sglang.launch_server") || has(all, "sglang serve"))
            return Optional.of(SGLANG);
        if (program.equals("ollama") || program.equals("ollama_llama_server") || program.equals("ollama-runner"))
            return Optional.of(OLLAMA);
        if (program.startsWith("text-generation-") || script.startsWith("text-generation-")) return Optional.of(TGI);
        if (program.equals("tritonserver")
                || program.equals("trtllm-serve")
                || script.equals("trtllm-serve")
                || program.equals("trtllm-llmapi-launch")) return Optional.of(TENSORRT_LLM);
        if (program.equals("lms")
                || program.toLowerCase(Locale.ROOT).startsWith("lm-studio")
                || program.equals("LM Studio")) return Optional.of(LM_STUDIO);
        if (program.equals("local-ai") || program.equals("localai")) return Optional.of(LOCALAI);
        if (program.startsWith("koboldcpp") || script.startsWith("koboldcpp")) return Optional.of(KOBOLDCPP);
        if (program.startsWith("llama-")
                || program.equals("llama")
                || program.equals("llamafile")
                || program.endsWith(".llamafile")
                || has(all, "llama_cpp.server")) return Optional.of(LLAMA_CPP);
        if (program.equals("deepspeed") || script.equals("deepspeed") || has(all, "deepspeed.launcher"))
            return Optional.of(DEEPSPEED);
        if (program.equals("torchrun")
                || script.equals("torchrun")
                || has(all, "torch.distributed.run")
                || program.equals("accelerate")
                || script.equals("accelerate")
                || has(all, "transformers serve")) return Optional.of(TRANSFORMERS);
        return Optional.empty();
    }

    /// What an interpreter runs: `/usr/bin/python3 /opt/venv/bin/vllm serve` → `vllm`.
    private static String scriptOf(CommandLine command) {
        if (!command.program().startsWith("python")) return "";
        for (String argument :
                command.arguments().subList(1, command.arguments().size())) {
            if (argument.startsWith("-")) continue;
            return argument.substring(argument.lastIndexOf('/') + 1);
        }
        return "";
    }

    private static boolean has(String all, String words) {
        int at = all.indexOf(words);
        if (at < 0) return false;
        int end = at + words.length();
        return end == all.length() || !Character.isLetterOrDigit(all.charAt(end));
    }
}
