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
        String module = moduleOf(command);
        if (all.startsWith("VLLM::") || program.equals("vllm") || script.equals("vllm") || isIn(module, "vllm"))
            return Optional.of(VLLM);
        if (all.startsWith("sglang::") || program.equals("sglang") || script.equals("sglang") || isIn(module, "sglang"))
            return Optional.of(SGLANG);
        if (isOllamaServer(command)) return Optional.of(OLLAMA);
        if (program.startsWith("text-generation-") || script.startsWith("text-generation-")) return Optional.of(TGI);
        if (program.equals("tritonserver")
                || program.equals("trtllm-serve")
                || script.equals("trtllm-serve")
                || program.equals("trtllm-llmapi-launch")) return Optional.of(TENSORRT_LLM);
        if (program.equals("lms") || program.toLowerCase(Locale.ROOT).startsWith("lm-studio"))
            return Optional.of(LM_STUDIO);
        if (program.equals("local-ai") || program.equals("localai")) return Optional.of(LOCALAI);
        if (program.startsWith("koboldcpp") || script.startsWith("koboldcpp")) return Optional.of(KOBOLDCPP);
        if (program.startsWith("llama-")
                || program.equals("llama")
                || program.equals("llamafile")
                || program.endsWith(".llamafile")
                || isIn(module, "llama_cpp")) return Optional.of(LLAMA_CPP);
        if (program.equals("deepspeed") || script.equals("deepspeed") || isIn(module, "deepspeed"))
            return Optional.of(DEEPSPEED);
        if (program.equals("torchrun")
                || script.equals("torchrun")
                || isIn(module, "torch.distributed")
                || program.equals("accelerate")
                || script.equals("accelerate")
                || (script.equals("transformers") && all.contains(" serve"))) return Optional.of(TRANSFORMERS);
        return Optional.empty();
    }

    /// What people call a process: its program, or what an interpreter runs: `vllm`, `train.py`; never just `python3`.
    public static String nameOf(CommandLine command, Optional<Engine> engine) {
        String program = command.program();
        if (!program.startsWith("python")) return program;
        if (engine.isPresent() && engine.get() != UNKNOWN) return engine.get().word();
        String script = scriptOf(command);
        return script.isEmpty() || script.length() > 40 ? program : script;
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

    /// The module an interpreter runs: `python3 -u -m vllm.entrypoints.openai.api_server` → `vllm.entrypoints…`. Only
    /// an
    /// interpreter's: `ssh host python3 -m vllm` and `pgrep -f vllm.entrypoints` run nothing of it here.
    private static String moduleOf(CommandLine command) {
        if (!command.program().startsWith("python")) return "";
        for (int i = 1; i + 1 < command.arguments().size(); i++) {
            String argument = command.arguments().get(i);
            if (argument.equals("-m")) return command.arguments().get(i + 1);
            if (!argument.startsWith("-")) return "";
        }
        return "";
    }

    private static boolean isIn(String module, String parent) {
        return module.equals(parent) || module.startsWith(parent + ".");
    }

    /// `ollama serve` and its runners; `ollama run`, `pull`, `ps` are clients that come and go.
    private static boolean isOllamaServer(CommandLine command) {
        String program = command.program();
        if (program.equals("ollama_llama_server") || program.equals("ollama-runner")) return true;
        if (!program.equals("ollama")) return false;
        String verb = command.arguments().size() > 1 ? command.arguments().get(1) : "";
        return verb.equals("serve") || verb.equals("start") || verb.equals("runner") || verb.startsWith("--");
    }
}
